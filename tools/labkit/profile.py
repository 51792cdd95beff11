"""Profiles: what a lab is made of, read from a TOML file and checked.

A profile is data. Nothing here knows how a drive or a pool is made; every mistake in a file is
reported with the file, the place and what would have been right.
"""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from .say import LabError
from .flush import LONGEST_US
from .units import format_duration, parse_duration, parse_size

FOLDER = Path(__file__).parent / "profiles"
DEFAULT = "homelab"
KINDS = {"plain": (), "wal": ("wal",), "db": ("db",), "db+wal": ("db", "wal")}


@dataclass(frozen=True)
class Drive:
    name: str
    size: int
    rotational: bool
    iops: int | None = None  # None: not limited
    bps: int | None = None
    flush_us: int | None = None  # what a flush takes longer than on this machine


@dataclass(frozen=True)
class Osd:
    id: int
    kind: str
    drives: dict  # "block" and, by kind, "block.wal" and "block.db" -> Drive
    host: str
    rack: str | None

    @property
    def drive(self):
        return self.drives["block"]


@dataclass(frozen=True)
class Pool:
    name: str
    pgs: int
    take: str            # the CRUSH bucket its rule starts from
    device_class: str | None
    across: str          # the failure domain
    size: int | None     # replicas, or
    k: int | None        # data and
    m: int | None        # coding chunks
    min_size: int | None
    overwrites: bool     # erasure coded: may RBD write here


@dataclass(frozen=True)
class Profile:
    name: str
    description: str
    objectstore: str
    cache: int
    osds: tuple
    pools: tuple
    settings: dict       # of Ceph's: daemon type or "global" -> {option: value}
    text: str


class _Table:
    """One table of the file: values are taken out of it, and what is left over is a mistake."""

    def __init__(self, source, where, values):
        if not isinstance(values, dict):
            raise LabError(f"profile {source}, {where}", "must be a table")
        self._source, self._where, self._left = source, where, dict(values)

    def fail(self, why):
        raise LabError(f"profile {self._source}, {self._where}", why)

    def take(self, key, kind, *default, least=None):
        if key not in self._left:
            if default:
                return default[0]
            self.fail(f"'{key}' is missing")
        value = self._left.pop(key)
        # In Python a bool is an int too; in a profile `size = true` is a mistake.
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            self.fail(f"'{key}' must be {_NAMES[kind]}, not {value!r}")
        if least is not None and value < least:
            self.fail(f"'{key}' must be at least {least}")
        return value

    def take_name(self, key, *default):
        value = self.take(key, str, *default)
        if value is not None and not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]*", value):
            self.fail(f"'{key}' must be made of letters, digits, '_', '.' and '-', not {value!r}")
        return value

    def take_size(self, key, *default):
        if key not in self._left and default:
            return default[0]
        try:
            return parse_size(self.take(key, str))
        except ValueError as error:
            self.fail(f"'{key}': {error}")

    def take_flush(self, key):
        if key not in self._left:
            return None
        try:
            delay = parse_duration(self.take(key, str))
        except ValueError as error:
            self.fail(f"'{key}': {error}")
        if not 0 < delay <= LONGEST_US:
            self.fail(f"'{key}' must be above 0 and at most {format_duration(LONGEST_US)}")
        return delay

    def done(self):
        if self._left:
            self.fail(f"unknown key{'s' if len(self._left) > 1 else ''} "
                      + ", ".join(f"'{key}'" for key in sorted(self._left)))


_NAMES = {str: "a text in quotes", int: "a whole number", bool: "true or false",
          list: "a list", dict: "a table"}


def available():
    """The names of the profiles that come with the lab, the default one first."""
    return sorted((path.stem for path in FOLDER.glob("*.toml")), key=lambda n: (n != DEFAULT, n))


def load(name_or_path):
    """A profile by its name, or by a path (anything with a '/' or ending in .toml)."""
    by_path = "/" in str(name_or_path) or str(name_or_path).endswith(".toml")
    path = Path(name_or_path) if by_path else FOLDER / f"{name_or_path}.toml"
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise LabError(f"cannot read profile '{name_or_path}'", error.strerror,
                       "profiles here: " + ", ".join(available())) from None
    return parse(text, path.stem, str(name_or_path))


def parse(text, name, source):
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise LabError(f"profile {source}", error) from None
    top = _Table(source, "top level", values)
    drives = {key: _drive(source, key, value) for key, value in top.take("drives", dict).items()}
    osds = []
    for index, value in enumerate(top.take("osds", list), 1):
        osds += _osds(_Table(source, f"osds group {index}", value), drives, len(osds))
    pools = tuple(_pool(_Table(source, f"pool {index}", value))
                  for index, value in enumerate(top.take("pools", list, []), 1))
    objectstore = top.take("objectstore", str, "bluestore")
    profile = Profile(name, top.take("description", str, ""), objectstore,
                      top.take_size("cache", 128 << 20), tuple(osds), pools,
                      _settings(_Table(source, "settings", top.take("settings", dict, {}))), text)
    top.done()
    _check(top, profile)
    return profile


def _drive(source, name, value):
    table = _Table(source, f"drive '{name}'", value)
    drive = Drive(name, table.take_size("size"), table.take("rotational", bool),
                  table.take("iops", int, None, least=1), table.take_size("bps", None),
                  table.take_flush("flush"))
    table.done()
    if drive.size < 64 << 20:
        table.fail("'size' must be at least 64M")
    return drive


def _osds(table, drives, first_id):
    """One group: as many equal OSDs as it names hosts."""
    kind = table.take("kind", str, "plain")
    if kind not in KINDS:
        table.fail(f"'kind' must be one of {', '.join(KINDS)}, not {kind!r}")
    slots = {"block": table.take("drive", str)}
    slots.update({f"block.{part}": table.take(part, str) for part in KINDS[kind]})
    for name in slots.values():
        if name not in drives:
            table.fail(f"there is no drive '{name}' (drives: {', '.join(sorted(drives))})")
    for slot, name in slots.items():
        if slot != "block" and drives[name].flush_us:
            table.fail(f"drive '{name}' has a flush, which counts for the main drive of an OSD only")
    rack, hosts = table.take_name("rack", None), table.take("hosts", list)
    table.done()
    if not hosts or not all(isinstance(host, str) for host in hosts):
        table.fail("'hosts' must name at least one host, one for each OSD")
    slots = {slot: drives[name] for slot, name in slots.items()}
    return [Osd(first_id + index, kind, slots, host, rack) for index, host in enumerate(hosts)]


def _settings(table):
    """What the profile wants otherwise than the lab: Ceph's own options, as text."""
    settings = {}
    for section in ("global", "mon", "mgr", "osd"):
        options = table.take(section, dict, {})
        for name, value in options.items():
            if not isinstance(value, (str, int, float)) or "\n" in f"{name}{value}":
                table.fail(f"'{section}.{name}' must be a text, a number, true or false")
        settings[section] = {name: str(value).lower() if isinstance(value, bool) else str(value)
                             for name, value in options.items()}
    table.done()
    return settings


def _pool(table):
    pool = Pool(name=table.take_name("name"), pgs=table.take("pgs", int, least=1),
                take=table.take_name("take", "default"),
                device_class=table.take_name("class", None),
                across=table.take("across", str, "host"),
                size=table.take("size", int, None, least=1),
                k=table.take("k", int, None, least=2), m=table.take("m", int, None, least=1),
                min_size=table.take("min_size", int, None, least=1),
                overwrites=table.take("overwrites", bool, False))
    table.done()
    if (pool.size is None) == (pool.k is None or pool.m is None):
        table.fail("give either 'size' (replicas) or both 'k' and 'm' (erasure code)")
    return pool


def _check(table, profile):
    if not profile.osds:
        table.fail("a lab needs at least one OSD")
    if profile.objectstore not in ("bluestore", "memstore"):
        table.fail(f"'objectstore' must be bluestore or memstore, not {profile.objectstore!r}")
    if profile.objectstore == "memstore" and any(osd.kind != "plain" for osd in profile.osds):
        table.fail("a memstore OSD has no WAL or DB drive")
    if profile.objectstore == "memstore" and any(osd.drive.flush_us for osd in profile.osds):
        table.fail("a memstore OSD has no drive to flush")
    names = [pool.name for pool in profile.pools]
    for name in names:
        if names.count(name) > 1:
            table.fail(f"two pools are called '{name}'")
    for pool in profile.pools:
        _check_placeable(table, profile, pool)


def _check_placeable(table, profile, pool):
    """A pool that CRUSH cannot place would keep `up` waiting for HEALTH_OK in vain."""
    if pool.across not in ("osd", "host", "rack"):
        table.fail(f"pool '{pool.name}': 'across' must be osd, host or rack, not {pool.across!r}")
    osds = [osd for osd in profile.osds if pool.take in ("default", osd.rack, osd.host)]
    if pool.device_class in ("hdd", "ssd"):
        osds = [osd for osd in osds if osd.drive.rotational == (pool.device_class == "hdd")]
    domains = {"osd": {osd.id for osd in osds}, "host": {osd.host for osd in osds},
               "rack": {osd.rack for osd in osds if osd.rack}}[pool.across]
    need = pool.size or pool.k + pool.m
    if len(domains) < need:
        table.fail(f"pool '{pool.name}' needs {need} {pool.across}s and finds {len(domains)}")
