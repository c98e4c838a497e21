"""What a suite has found, and the file that keeps it: one JSON object, from which ./sluice bench publish generates
docs/trust.md."""

import dataclasses
import datetime
import json
import os
import pathlib
import re
import subprocess

import packages
import servers

SCHEMA = 1

# All but documents, benchmarks and tools.
EXAMINED = [".", ":!docs", ":!*.md", ":!bench", ":!tools", ":!.ci"]

SUBJECT, BASELINE = "subject", "baseline"


@dataclasses.dataclass
class Row:
    """The counts of what was examined, or of the baseline beside it."""

    subject: str
    passed: int
    failed: int
    not_asked: int = 0
    role: str = SUBJECT
    # How many of the failures the baseline does not have.
    own: int = 0
    # How many of those are accepted, with a reason.
    accepted: int = 0
    # The test classes that were counted, and how much they try: "449 vectors".
    classes: list[str] = dataclasses.field(default_factory=list)
    material: str = ""


@dataclasses.dataclass
class Difference:
    """What a suite finds and nobody mends, with the reason."""

    what: str
    reason: str


@dataclasses.dataclass
class Result:
    """The outcome of a suite."""

    # The suite's version, by which anybody can get the same one.
    version: str
    # What is counted, such as "conversations".
    asks: str
    rows: list[Row]
    # What is wrong: one line each.
    findings: list[str]
    accepted: list[Difference] = dataclasses.field(default_factory=list)
    # Why something was not asked, and how often.
    not_asked: dict[str, int] = dataclasses.field(default_factory=dict)
    # What else took part, such as nginx, with its version.
    peers: dict[str, str] = dataclasses.field(default_factory=dict)


def write(directory, name, result, options, seconds):
    """Writes the file of a suite; returns its path."""
    environment = versions(options.openssl) | result.peers
    variant = "-lean" if options.lean and name == "tlsfuzzer" else ""
    release = re.search(r"\d+\.\d+", environment["OpenSSL"]).group()
    now = datetime.datetime.now(datetime.timezone.utc)
    content = {
        "schema": SCHEMA,
        "suite": name,
        "version": result.version,
        "command": command(name, options),
        "commit": commit(),
        "date": now.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "seconds": round(seconds),
        "environment": environment,
        "asks": result.asks,
        "rows": [{key: value for key, value in dataclasses.asdict(row).items() if value != [] and value != ""}
                 for row in result.rows],
        "not_asked": result.not_asked,
        "accepted": [dataclasses.asdict(difference) for difference in result.accepted],
        "findings": [without_places(finding) for finding in result.findings],
    }
    file = pathlib.Path(directory) / f"{name}{variant}-openssl-{release}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(content, indent=2) + "\n")
    return file


def command(name, options):
    """The command that repeats a suite, without a place of this machine."""
    words = ["tools/proofs/run", name]
    if options.lean and name == "tlsfuzzer":
        words.append("--lean")
    if name == "tlsfuzzer":
        words.append("--tlsfuzzer DIR")
    if options.openssl:
        words.append(f"--openssl {place(pathlib.Path(options.openssl).resolve())}")
    return " ".join(words)


def place(openssl):
    """How to name an OpenSSL: by the command that fetches it, or as a directory of the reader's."""
    if openssl.parent != packages.cache().resolve():
        return "DIR"
    fetched = "tools/fetch-openssl --version 4" if openssl.name.startswith("openssl-4") else "tools/fetch-openssl"
    return f'"$({fetched})"'


def without_places(text):
    """A text without absolute paths."""
    return re.sub(r"(?<![\w.:/~])/(?:[\w.+-]+/)+", ".../", text)


def versions(openssl):
    """OpenSSL, transport and JDK that the gateway runs on, as it reports them."""
    library = {"SLUICE_OPENSSL": openssl} if openssl else {}
    done = subprocess.run([str(servers.HOME / "sluice"), "version"], capture_output=True, text=True,
                          env=os.environ | library)
    lines = dict(line.split(maxsplit=1) for line in done.stdout.splitlines() if " " in line)
    if not {"java", "openssl", "transport"} <= set(lines):
        raise servers.ProofError(f"./sluice version does not say what it runs on:\n{done.stdout}{done.stderr}")
    return {
        "Sluice": lines.get("sluice", "unknown"),
        "OpenSSL": lines["openssl"].split()[1],
        "transport": lines["transport"].split(":")[0],
        "JDK": lines["java"].split()[0],
    }


def commit():
    """The last commit that changed what is examined, "+changes" if its files differ from it."""
    last = git("log", "-1", "--abbrev=12", "--format=%h", "--", *EXAMINED)
    if not last:
        return "unknown"
    changed = git("status", "--porcelain", "--untracked-files=no", "--", *EXAMINED)
    return last + ("+changes" if changed else "")


def git(*arguments, directory=servers.HOME):
    """The output of git; empty without a repository."""
    done = subprocess.run(["git", *arguments], cwd=directory, capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else ""


def version_of(program, *arguments):
    """The first version number that a program prints."""
    done = subprocess.run([program, *arguments], capture_output=True, text=True, env=os.environ | {"TERM": "dumb"})
    found = re.search(r"\d+(?:\.\d+)+\w*", done.stdout + done.stderr)
    return found.group() if found else "unknown"
