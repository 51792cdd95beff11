"""Chromium as a reader of our pages: one process, driven through the pipe of its DevTools
protocol, so that neither a port nor a driver of its own is needed. Everything waits for an answer
or an event, with one limit for the whole browser; nothing sleeps.
"""

import base64
import contextlib
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import own_home  # noqa: E402  (the path has to be known first)

NAMES = ("chromium", "chromium-browser", "google-chrome")
# For the browser as a whole: a machine may be busy with three other tests.
LIMIT_S = 100


class Broken(Exception):
    """The browser could not be started, or did not answer."""


def program():
    for name in NAMES:
        if found := shutil.which(name):
            return found
    raise Broken(f"there is no {NAMES[0]}: tools/dev setup installs it")


class Page:
    """What happened in one tab since it was opened."""

    def __init__(self, browser, session, target):
        self._browser = browser
        self._session = session
        self._target = target
        self.messages = []  # of the console and of the browser itself, violations of a policy too
        self.requests = []  # addresses, the page's own included

    def call(self, method, **words):
        return self._browser.call(method, self._session, **words)

    def close(self):
        self._browser.call("Target.closeTarget", targetId=self._target)

    def set_look(self, scheme, media="screen"):
        self.call("Emulation.setEmulatedMedia", media=media,
                  features=[{"name": "prefers-color-scheme", "value": scheme}])

    def set_scripts(self, allowed):
        self.call("Emulation.setScriptExecutionDisabled", value=not allowed)

    def open(self, path):
        """Returns when the page and its scripts have run."""
        self.call("Page.navigate", url=Path(path).resolve().as_uri())
        self._browser.wait_for("Page.loadEventFired", self._session)

    def value(self, expression):
        """Works without scripts of the page, too: it is the tool that asks."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in answer:
            raise Broken(f"{expression}: {json.dumps(answer['exceptionDetails'])[:2000]}")
        return answer["result"].get("value")

    def names(self):
        """(role, accessible name) of everything that a screen reader is told of."""
        tree = self.call("Accessibility.getFullAXTree")["nodes"]
        return [(node["role"]["value"], node.get("name", {}).get("value", ""))
                for node in tree if not node.get("ignored")]

    def press(self, key, code, text=""):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key,
                      windowsVirtualKeyCode=code, text=text if kind == "keyDown" else "")

    def picture(self, width=1100):
        """The whole page as PNG."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900,
                  deviceScaleFactor=1, mobile=False)
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        return base64.b64decode(data["data"])

    def printed(self):
        """The page as PDF."""
        data = self.call("Page.printToPDF", printBackground=False, preferCSSPageSize=True)
        return base64.b64decode(data["data"])

    def note(self, method, words):
        if method == "Runtime.consoleAPICalled":
            self.messages.append(" ".join(str(one.get("value", one.get("description")))
                                          for one in words["args"]))
        elif method == "Runtime.exceptionThrown":
            self.messages.append(json.dumps(words["exceptionDetails"])[:2000])
        elif method == "Log.entryAdded":
            self.messages.append(words["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(words["request"]["url"])


class Browser(contextlib.AbstractContextManager):
    def __init__(self):
        self._folder = tempfile.TemporaryDirectory(prefix="radosload-browser-",
                                                   ignore_cleanup_errors=True)
        self._ends = time.monotonic() + LIMIT_S
        self._next = 0
        self._rest = b""
        self._answers = {}
        self._events = []
        self._pages = {}
        self._start()

    def _start(self):
        theirs_in, self._to = os.pipe()
        self._from, theirs_out = os.pipe()
        folder = Path(self._folder.name)
        self._log = (folder / "log").open("wb+")
        # The pipe of the protocol has the numbers 3 and 4.
        words = ["bash", "-c", 'exec "$@" 3<&"$IN" 4>&"$OUT"', "bash", program(), "--headless=new",
                 "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                 "--disable-background-networking", "--disable-component-update",
                 "--disable-sync", "--disable-extensions", "--hide-scrollbars",
                 "--no-proxy-server", "--host-resolver-rules=MAP * ~NOTFOUND",
                 f"--user-data-dir={folder / 'profile'}", "--remote-debugging-pipe", "about:blank"]
        env = own_home.environment(folder, IN=str(theirs_in), OUT=str(theirs_out))
        env.pop("DBUS_SESSION_BUS_ADDRESS", None)
        self._process = subprocess.Popen(words, env=env, stdin=subprocess.DEVNULL,
                                         stdout=self._log, stderr=subprocess.STDOUT,
                                         pass_fds=(theirs_in, theirs_out), start_new_session=True)
        os.close(theirs_in)
        os.close(theirs_out)

    def __exit__(self, *_):
        # The processes that it started are in its group.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for end in (self._to, self._from):
            os.close(end)
        self._log.close()
        self._folder.cleanup()

    def page(self):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self._pages[session] = page = Page(self, session, target)
        # What they tell comes to the page only now that it is known.
        for domain in ("Page", "Runtime", "Log", "Network"):
            page.call(f"{domain}.enable")
        return page

    def call(self, method, session=None, **words):
        self._next += 1
        message = {"id": self._next, "method": method, "params": words}
        if session:
            message["sessionId"] = session
        try:
            self._write(json.dumps(message).encode() + b"\0")
        except BrokenPipeError as error:
            raise Broken(f"{method}: the browser has ended: {self._last_words()}") from error
        while self._next not in self._answers:
            self._read(method)
        answer = self._answers.pop(self._next)
        if "error" in answer:
            raise Broken(f"{method}: {answer['error']}")
        return answer["result"]

    def wait_for(self, method, session):
        while (method, session) not in self._events:
            self._read(method)
        self._events.remove((method, session))

    def _write(self, data):
        while data:
            data = data[os.write(self._to, data):]

    def _read(self, what):
        left = self._ends - time.monotonic()
        if left <= 0 or not select.select([self._from], [], [], left)[0]:
            raise Broken(f"{what}: no answer within {LIMIT_S} s: {self._last_words()}")
        data = os.read(self._from, 1 << 20)
        if not data:
            raise Broken(f"{what}: the browser has ended: {self._last_words()}")
        *messages, self._rest = (self._rest + data).split(b"\0")
        for message in map(json.loads, messages):
            if "id" in message:
                self._answers[message["id"]] = message
                continue
            session = message.get("sessionId")
            if message["method"] == "Page.loadEventFired":
                self._events.append((message["method"], session))
            if session in self._pages:
                self._pages[session].note(message["method"], message["params"])

    def _last_words(self):
        self._log.seek(0)
        return self._log.read()[-1500:].decode(errors="replace")
