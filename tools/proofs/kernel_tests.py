"""Kernel TLS in a virtual machine: tools/ktls/run, and the counts of what it prints."""

import collections
import os
import re
import subprocess

import results
import servers

TRIAL = "KernelTlsTrial"
SHOWS = {
    TRIAL: "Kernel TLS: the library's connections with openssl s_client and s_server, every suite",
    "KernelRecordsTest": "Kernel TLS: the gateway with the kernel's records, every suite, key updates, half-closes",
}
OTHERS = "Kernel TLS: the gateway's tests of service, hardship and first data, with the kernel's records"


def prove(options):
    """Boots the machine; Result of the lines of its console."""
    environment = {"OPENSSL": options.openssl} if options.openssl else {}
    log = servers.HOME / "tls/target/ktls/console.log"
    log.unlink(missing_ok=True)
    done = subprocess.run([str(servers.HOME / "tools/ktls/run")], cwd=servers.HOME, env=os.environ | environment,
                          check=False)
    if not log.exists():
        raise servers.ProofError(f"tools/ktls/run ended with {done.returncode} before it booted; see above")
    text = log.read_text(errors="replace")
    cases = list(read(text))
    if not any(owner != TRIAL for _, owner, _ in cases):
        raise servers.ProofError("the tests did not run in the virtual machine; see above")
    findings = [f"{owner}: {name}" for outcome, owner, name in cases if outcome == "FAILED"]
    skipped = collections.Counter(owner for outcome, owner, _ in cases if outcome == "skipped")
    if done.returncode != 0 and not findings:
        findings.append(f"tools/ktls/run ended with {done.returncode}")
    linux = re.search(r"Linux ([\w.-]+)", text)
    return results.Result(f"of {results.commit()}", "tests", rows(cases), findings,
                          not_asked={f"{owner}: other protection": count for owner, count in skipped.items()},
                          peers={"Linux": linux.group(1) if linux else "unknown",
                                 "transport": "io_uring and epoll"})


def read(text):
    """Outcome, class and name of each case."""
    for line in text.splitlines():
        trial = re.match(r"(ok|FAILED) {2,}(\S.*)", line)
        suite = re.match(r"(ok|FAILED|skipped)\t(\w+)\t(.*)", line)
        if suite:
            yield suite.groups()
        elif trial:
            yield trial.group(1), TRIAL, trial.group(2)


def rows(cases):
    """A row for each of what is shown."""
    owners = list(dict.fromkeys(owner for _, owner, _ in cases))
    shown = collections.defaultdict(list)
    for owner in owners:
        shown[SHOWS.get(owner, OTHERS)].append(owner)
    made = []
    for subject, classes in shown.items():
        outcomes = collections.Counter(outcome for outcome, owner, _ in cases if owner in classes)
        made.append(results.Row(subject, outcomes["ok"], outcomes["FAILED"], outcomes["skipped"],
                                own=outcomes["FAILED"], classes=classes))
    return made
