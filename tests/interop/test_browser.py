"""Pages as a browser shows them: in both themes, on paper, without JavaScript, by keyboard, and with
names of others that would like to be markup. No page says anything on the console, and none asks for
anything but itself.
"""

import json
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

import browser
import own_home  # browser makes it known

PROGRAM = Path(os.environ["RADOSLOAD_BINARY_DIR"], "src/radosload")
ATTACK = "</script></style></title>\"'><img src=x onerror=alert(1)><script>window.bad = 1</script>"
SIM = ("--target", "sim", "--no-progress", "--seed", "7", "--warmup", "0", "--sim",
       "latency=exp:1ms,osds=4")
# Readable text, WCAG 2.1 AA.
LEAST_CONTRAST = 4.5
CONTRAST = """(() => {
  const levels = colour => colour.match(/[0-9.]+/g).slice(0, 3).map(Number).map(part => part / 255)
    .map(part => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  const light = colour => levels(colour).reduce((sum, part, at) => sum + part * [0.2126, 0.7152,
    0.0722][at], 0);
  const style = element => getComputedStyle(element);
  const back = light(style(document.body).backgroundColor);
  return ['body', '.soft, figcaption, caption', 'svg text'].map(name => {
    const element = document.querySelector(name);
    const text = light(name === 'svg text' ? style(element).fill : style(element).color);
    return (Math.max(back, text) + 0.05) / (Math.min(back, text) + 0.05);
  });
})()"""
SEEN = """(name => [...document.querySelectorAll(name)]
  .filter(element => element.getClientRects().length > 0).length)"""


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = cls.enterClassContext(browser.Browser())
        cls.folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.environment = own_home.environment(cls.folder)
        cls.pages = {name: cls.folder / f"{name}.html"
                     for name in ("run", "hostile", "sweep", "verdicts")}
        cls.radosload("run", *SIM, "--pattern", "randrw4k,qd=4", "--time", "5s",
                      "--save", "run.json", "--html", "run.html")
        record = json.loads((cls.folder / "run.json").read_text())
        record["plan"]["pool"] = record["run_id"] = record["grade"]["reasons"] = ATTACK
        record["grade"] = {"value": "contaminated", "reasons": [ATTACK]}
        record["events"].append({"t_s": 2.0, "kind": "mark", "text": ATTACK})
        (cls.folder / "hostile.json").write_text(json.dumps(record))
        cls.radosload("report", "hostile.json", "-o", "hostile.html")
        cls.radosload("run", *SIM, "--pattern", "randread4k,qd=1:4", "--time", "2s",
                      "--html", "sweep.html")
        cls.radosload("compare", "sweep.html", "hostile.json", "--against", "run.json", "--force",
                      "-o", "verdicts.html")

    @classmethod
    def radosload(cls, *words):
        done = subprocess.run([PROGRAM, *words], cwd=cls.folder, env=cls.environment, text=True,
                              capture_output=True, timeout=60, check=False)
        if done.returncode != 0:
            raise AssertionError(f"radosload {' '.join(words)}: {done.returncode}: {done.stderr}")

    def opened(self, path, scheme="light", media="screen", scripts=True):
        page = self.browser.page()
        page.set_look(scheme, media)
        page.set_scripts(scripts)
        page.open(path)
        return page

    def must_be_quiet(self, page, path):
        self.assertEqual(page.messages, [])
        self.assertEqual(page.requests, [path.resolve().as_uri()])

    def seen(self, page, name):
        return page.value(f"{SEEN}({json.dumps(name)})")

    def test_both_themes_are_quiet_and_readable(self):
        for name, path in self.pages.items():
            backs = set()
            for scheme in ("light", "dark"):
                with self.subTest(page=name, scheme=scheme):
                    page = self.opened(path, scheme)
                    self.must_be_quiet(page, path)
                    for contrast in page.value(CONTRAST):
                        self.assertGreaterEqual(contrast, LEAST_CONTRAST)
                    backs.add(page.value("getComputedStyle(document.body).backgroundColor"))
                    self.assertTrue(page.picture().startswith(b"\x89PNG"))
                    self.assertLessEqual(page.value("document.documentElement.scrollWidth"),
                                         page.value("window.innerWidth"))
                    page.close()
            self.assertEqual(len(backs), 2)

    def test_names_of_others_stay_text(self):
        page = self.opened(self.pages["hostile"])
        self.assertIsNone(page.value("window.bad || null"))
        self.assertEqual(page.value("document.images.length"), 0)
        self.assertIn(ATTACK, page.value("document.querySelector('h1').textContent"))
        self.assertIn(ATTACK, page.value("document.querySelector('ol').textContent"))
        self.assertEqual(page.value("document.title"),
                         page.value("document.querySelector('h1').textContent"))
        self.must_be_quiet(page, self.pages["hostile"])

    def test_charts_replace_pictures_where_scripts_run(self):
        page = self.opened(self.pages["run"])
        self.assertEqual(self.seen(page, "#time-title, svg[aria-labelledby^=time]"), 0)
        self.assertGreater(self.seen(page, ".chart canvas"), 0)
        page = self.opened(self.pages["sweep"])
        self.assertEqual(self.seen(page, ".chart canvas"), 0)
        page.value("document.querySelectorAll('details').forEach(part => { part.open = true; })")
        # The event of a part that was opened comes after the script that opened it.
        page.value("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
        self.assertGreater(self.seen(page, ".chart canvas"), 0)
        self.must_be_quiet(page, self.pages["sweep"])

    def test_pictures_stay_without_scripts(self):
        page = self.opened(self.pages["run"], scripts=False)
        self.assertEqual(self.seen(page, "svg"), 3)
        self.assertEqual(self.seen(page, ".chart, canvas"), 0)
        self.must_be_quiet(page, self.pages["run"])

    def test_paper_gets_pictures_on_white(self):
        page = self.opened(self.pages["run"], "dark", "print")
        self.assertEqual(self.seen(page, "svg"), 3)
        self.assertEqual(self.seen(page, ".chart"), 0)
        self.assertEqual(page.value("getComputedStyle(document.body).backgroundColor"),
                         "rgb(255, 255, 255)")
        self.assertTrue(page.printed().startswith(b"%PDF"))
        self.must_be_quiet(page, self.pages["run"])

    def test_charts_obey_the_keyboard(self):
        page = self.opened(self.pages["run"])
        page.value("document.querySelector('.chart').focus()")
        said = "document.querySelector('.readout').textContent"
        hint = page.value(said)
        page.press("ArrowRight", 39)
        self.assertRegex(page.value(said), r"^0 s, [\d,]+ operations a second, p99 .*, slowest ")
        page.press("End", 35)
        self.assertRegex(page.value(said), r"^4 s, ")
        page.press("+", 187, "+")
        page.press("0", 48, "0")
        self.assertNotEqual(page.value(said), hint)
        self.must_be_quiet(page, self.pages["run"])

    def test_everything_has_a_name(self):
        for name, path in self.pages.items():
            with self.subTest(page=name):
                named = self.opened(path).names()
                for role, text in named:
                    if role in ("image", "img", "table", "region", "application", "heading"):
                        self.assertTrue(text.strip(), role)
                roles = {role for role, _ in named}
                self.assertIn("heading", roles)
                self.assertIn("table", roles)

    def test_policy_keeps_other_scripts_and_requests_away(self):
        for name, path in self.pages.items():
            with self.subTest(page=name):
                text = path.read_text(encoding="utf-8")
                more = "<script>window.bad = 1</script><img src='more.png'></body>"
                changed = self.folder / f"{name}-changed.html"
                changed.write_text(text.replace("</body>", more), encoding="utf-8")
                (self.folder / "more.png").write_bytes(b"")
                page = self.opened(changed)
                self.assertIsNone(page.value("window.bad || null"))
                said = "\n".join(page.messages)
                self.assertEqual(len(re.findall("Content Security Policy", said)), 2, said)


if __name__ == "__main__":
    unittest.main()
