"""The command line: options to a call, errors to text and an exit status."""

import argparse
import json
import os
import sys
from pathlib import Path

from . import profile as profiles
from . import status
from .actions import ACTIONS, act, change_drives
from .flush import LONGEST_US
from .lab import Lab, check_folder
from .say import NAME, LabError, UsageError, note, typed
from .units import format_duration, format_size, parse_duration, parse_size

_EPILOG = """\
examples:
  {lab} up                                the default profile, homelab
  {lab} up --profile fast --dir /tmp/l2   another lab beside it
  eval "$({lab} env)"; ceph status        use it (CEPH_CONF is all it takes)
  {lab} drive 3 iops=40                   osd.3's drive gets slow
  {lab} drive 3 profile                   and is as before
  {lab} drive 4-7 flush=2ms               as drives without power-loss protection
  {lab} osd kill 1; {lab} osd start 1
  {lab} status --json
  {lab} down                              nothing remains

The directory is --dir, else $RADOSLOAD_LAB_DIR, else a folder of the user's own.
Exit status: 0 done, 1 failed (or, for status and env: no lab is running), 2 usage.
"""


def default_dir():
    """Below the XDG state folder; in /tmp for users whose home cannot be written to."""
    if chosen := os.environ.get("RADOSLOAD_LAB_DIR"):
        return Path(chosen)
    fallback = Path(f"/tmp/radosload-lab-{os.geteuid()}")
    try:
        state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state"
        folder = Path(state).resolve() / "radosload" / "lab"
        existing = next(parent for parent in folder.parents if parent.exists())
        check_folder(folder)
    except (LabError, RuntimeError):
        return fallback
    return folder if os.access(existing, os.W_OK) else fallback


def parser(name=NAME):
    """The declaration of every command; `name` is what people call the program."""
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--dir", type=Path, default=argparse.SUPPRESS, metavar="D",
                        help="the lab's directory")
    whole = argparse.ArgumentParser(
        prog=name, parents=[common], epilog=_EPILOG.format(lab=name),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="A throwaway real Ceph cluster with emulated drives, on this machine.")
    commands = whole.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name, text, **more):
        return commands.add_parser(name, help=text, description=text, parents=[common], **more)

    up = command("up", "start a lab; one that runs already is left alone")
    up.add_argument("--profile", metavar="P", help="a name (see `profiles`) or a .toml file")
    up.add_argument("--plain-files", action="store_true",
                    help="no loop devices and no limits, as for a user without root")
    up.add_argument("--mds", action="store_true",
                    help="with an MDS and a file system (CephFS), which is called cephfs")
    command("down", "end the lab and remove everything of it")
    command("reset", "throw the cluster away and build it again from the same profile")
    command("status", "what is there, and what is not emulated").add_argument(
        "--json", action="store_true", help="for scripts")
    command("env", "print shell commands that lead Ceph's programs and radosload to the lab")
    command("profiles", "list the profiles")
    for kind, name in (("osd", "OSDs"), ("mon", "the monitor"), ("mgr", "the manager"),
                       ("mds", "the MDS of a lab with a file system")):
        _add_actions(command(kind, f"{', '.join(ACTIONS)} {name}"), kind, common)
    drive = command("drive", "show or change how fast the main drives of OSDs are")
    drive.add_argument("osds", type=_ids, metavar="N", help="ids of OSDs: 3 or 1,2 or 4-7")
    drive.add_argument("settings", nargs="*", metavar="iops=40|bps=20M|flush=2ms|iops=none|profile",
                       help="limits for reads and for writes; what a flush takes longer; "
                       "`profile`: back to the profile's")
    return whole


def _add_actions(parser, kind, common):
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    for action, text in ACTIONS.items():
        sub = actions.add_parser(action, help=text, description=text, parents=[common])
        if kind == "osd":
            sub.add_argument("ids", type=_ids, nargs="+", metavar="N", help="ids: 1 2 or 1,2")


def _ids(text):
    try:
        return [osd_id for part in text.removeprefix("osd.").split(",") for osd_id in _range(part)]
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"'{text}' does not name OSDs (write 3 or 1,2 or 4-7)") from None


def _range(text):
    first, dash, last = text.partition("-")
    osds = range(int(first), int(last if dash else first) + 1)
    if not osds or len(osds) > 1000:
        raise ValueError(text)
    return osds


def parse_limits(settings):
    """`iops=40 bps=none flush=2ms` as a dictionary; None for `profile`."""
    if settings == ["profile"]:
        return None
    limits = {}
    for setting in settings:
        key, _, value = setting.partition("=")
        if key not in ("iops", "bps", "flush") or not value:
            raise UsageError(f"'{setting}' is not a limit", "", "write iops=40, bps=20M, flush=2ms, "
                             "iops=none or, alone, profile")
        limits[key] = None if value == "none" else _limit(setting, key, value)
    return limits


def _limit(setting, key, value):
    try:
        number = parse_duration(value) if key == "flush" else parse_size(value)
    except ValueError as error:
        raise UsageError(f"'{setting}' is not a limit", error) from None
    if key == "flush":
        if not 0 < number <= LONGEST_US:
            raise UsageError(f"'{setting}' is not a limit", "a flush takes more than 0 and at most "
                             f"{format_duration(LONGEST_US)} longer", "write flush=none for no delay")
    elif number == 0:
        raise UsageError(f"'{setting}' would stop the drive for good", "",
                         f"write none for no limit; {typed('osd pause')} freezes an OSD")
    return number


def _drive(lab, arguments):
    if arguments.settings:
        change_drives(lab, arguments.osds, parse_limits(arguments.settings))
    osds = {osd["id"]: osd for osd in status.gather(lab)["osds"]}
    for osd_id in arguments.osds:
        if osd_id not in osds:
            raise LabError(f"there is no osd.{osd_id} in this lab")
        osd = osds[osd_id]
        iops = osd["iops"] or "none"
        bps = f"{format_size(osd['bps'])}/s" if osd["bps"] else "none"
        flush = f", {format_duration(osd['flush_us'])} a flush" if osd["flush_us"] else ""
        print(f"osd.{osd_id}: iops {iops}, bytes per second {bps}{flush}")


def _env(lab):
    lab.look()
    print(f"export CEPH_CONF={lab.conf()}")
    print(f"export RADOSLOAD_LAB_DIR={lab.dir}")
    # Either of these would lead away from the lab again.
    print("unset CEPH_ARGS CEPH_KEYRING")


def _status(lab, as_json):
    answer = status.gather(lab)
    print(json.dumps(answer, indent=1) if as_json else status.show(answer))


def _list_profiles():
    for name in profiles.available():
        profile = profiles.load(name)
        mark = " (default)" if name == profiles.DEFAULT else ""
        print(f"{name}{mark}: {profile.description}")


def _run(arguments):
    lab = Lab(getattr(arguments, "dir", None) or default_dir())
    match arguments.command:
        case "up":
            lab.up(arguments.profile, emulate=not arguments.plain_files, mds=arguments.mds)
        case "down":
            lab.down()
        case "reset":
            lab.reset()
        case "status":
            _status(lab, arguments.json)
        case "env":
            _env(lab)
        case "profiles":
            _list_profiles()
        case "drive":
            _drive(lab, arguments)
        case kind:
            act(lab, arguments.action, kind, sum(getattr(arguments, "ids", []), []))


def main(argv):
    arguments = parser().parse_args(argv)
    os.umask(0o077)  # keys and data of the cluster are nobody else's, whatever starts them
    for name in [key for key in os.environ if key.startswith("CEPH_")]:
        del os.environ[name]  # librados reads these too, and they may name a real cluster
    try:
        _run(arguments)
    except LabError as error:
        note(str(error))
        return 2 if isinstance(error, UsageError) else 1
    except BrokenPipeError:  # `lab status | head`
        sys.stderr.close()
        return 1
    except OSError as error:
        note(f"{error.filename or arguments.command}: {error.strerror}")
        return 1
    except KeyboardInterrupt:
        note(f"interrupted; {typed('status')} shows what is there, {typed('down')} clears it away")
        return 130
    return 0
