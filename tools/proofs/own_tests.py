"""Those of our own tests that stand on what others made, or let calls fail: ./sluice test, and the counts of its
reports by what they show."""

import collections
import os
import re
import subprocess
import xml.etree.ElementTree

import results
import servers

# What some test classes show; "material" is a file with a vector in each line, or directories with an input in each
# file, perhaps a pattern, and "of" what those are called.
Shown = collections.namedtuple("Shown", "shows classes material of", defaults=("", ""))

TLS = "tls/src/test"

UNITS = [
    Shown("Wycheproof's AEAD vectors: sealed and opened in place; what is forged releases nothing",
          ["AeadVectorsTest"], f"{TLS}/resources/dev/sluice/tls/record/wycheproof-aead.txt", "vectors"),
    Shown("Wycheproof's HKDF vectors: the first block, which is what TLS 1.3 needs", ["HkdfVectorsTest"],
          f"{TLS}/resources/dev/sluice/tls/record/wycheproof-hkdf.txt", "vectors"),
    Shown("Wycheproof's X25519 and ECDH vectors, bad shares among them, for each provider of key agreement",
          ["AgreementVectorsTest"],
          "ffi/src/test/resources/dev/sluice/ffi/openssl/agreement/wycheproof-agreement.txt", "vectors"),
    Shown("RFC 8448: key schedule, traffic keys and records of the published handshakes, byte by byte",
          ["Rfc8448Test", "HandshakeScheduleTest"]),
    Shown("RFC 9001's vectors of HKDF-Expand-Label, and derived keys beside the JDK's HKDF and HMAC",
          ["KeyScheduleTest"]),
    Shown("Lean handshake beside libssl: genuine, crafted and mutated ClientHellos get the same answer, or libssl's",
          ["LeanDifferentialTest"], f"{TLS}/fuzz/hello", "ClientHellos, and mutations of them"),
    Shown("Fuzzers (Jazzer) of every reader of foreign bytes over their committed corpus, and mutations of it",
          ["FuzzCorpusTest", "GatewayFuzzCorpusTest", "ConfigFuzzCorpusTest", "TransferFuzzCorpusTest",
           "DoctorFuzzCorpusTest"], "*/src/test/fuzz", "inputs"),
    Shown("Random sequences of hostile records to a running gateway, while an honest client is served",
          ["GatewayRecordFuzzTest"]),
    Shown("Bytes that no honest peer sends, by each engine: a named failure, never plaintext that was not sent",
          ["HostileInputConformanceTest", "MalformedKeysTest"]),
    Shown("Each allocation of OpenSSL in a handshake fails once: an alert, no leak, and the next one completes",
          ["AllocationFailureTest"]),
    Shown("Each call that a session makes fails once: both sides end, nothing is held, others are served",
          ["SessionFaultTest", "FirstSessionFaultTest", "OpeningFaultTest", "ClockFaultTest"]),
    Shown("Short sends, late cancels and resets of a kernel in memory, by thousands of seeds",
          ["SimulationTest", "RestingSimulationTest", "GatewaySimulationTest", "SessionSimulationTest"]),
]

CLIENTS = [
    Shown("OpenSSL, GnuTLS, Go, rustls and the JDK: every suite, key updates, ends and resets, both record paths",
          ["ForeignPeersTest"]),
    Shown("openssl s_client, GnuTLS, Go and curl: pages, resumption, client certificates",
          ["OpensslClientTest", "GnutlsClientTest", "GoClientTest", "GoCertificatesTest", "CurlTest"]),
    Shown("Clients of five TLS libraries, Chromium's among them, with the lean handshake", ["LeanListenerTest"]),
    Shown("tlslite-ng with everything cut into records of one byte", ["TinyRecordsTest"]),
    Shown("Clients of several makes resume at another node, two ticket keys later", ["FleetPeersTest"]),
]

HARDSHIPS = [
    Shown("nginx, HAProxy, Go and others as servers behind the gateway, and as proxies before it",
          ["BackendPeersTest", "GoBackendTest", "HttpTwoTest"]),
    Shown("Early data recorded from openssl s_client and sent again to a fleet: never delivered twice",
          ["EarlyDataReplayTest"]),
    Shown("Records changed, repeated, removed or exchanged in transit: nothing behind the last good one is delivered",
          ["TamperedStreamTest"]),
    Shown("Clients and backends that break rules: the others notice nothing, and nothing stays behind",
          ["HostileClientTest", "BackendFaultTest"]),
    Shown("SIGSTOP, SIGKILL at steps of restarts, reloads, rotations and orders, full disks, set clocks, lost packets",
          ["MachineFaultTest", "KillTest", "AcmeFaultTest", "PartitionTest"]),
]


def prove_units(options):
    """Test vectors, fuzzing, failing calls."""
    return prove(options, UNITS)


def prove_clients(options):
    """Clients of others."""
    return prove(options, CLIENTS)


def prove_hardships(options):
    """Servers of others; clients and servers that break rules."""
    return prove(options, HARDSHIPS)


def prove(options, declared):
    classes = [name for shown in declared for name in shown.classes]
    command = [str(servers.HOME / "sluice"), "test", *classes, "-Pquick"]
    command += ["--openssl", options.openssl] if options.openssl else []
    # A peer that is absent fails its test.
    subprocess.run(command, cwd=servers.HOME, env=os.environ | {"SLUICE_REQUIRE_PEERS": "true"}, check=False)
    reports = read_reports()
    missing = sorted(set(classes) - set(reports))
    if missing:
        raise servers.ProofError(f"no report of {', '.join(missing)}; the output above says why")
    rows = [row(shown, [reports[name] for name in shown.classes]) for shown in declared]
    findings = [f"{name}: {case}" for name in classes for case in reports[name].failed]
    version = f"of {results.commit()}"
    return results.Result(version, "tests", rows, findings, not_asked=reasons(reports[name] for name in classes))


# Counts of passed tests, names of failed ones, and why others were skipped.
Report = collections.namedtuple("Report", "passed failed skipped")


def read_reports():
    """What the last run left, by the simple names of the classes."""
    reports = {}
    for file in servers.HOME.glob("*/target/surefire-reports/TEST-*.xml"):
        suite = xml.etree.ElementTree.parse(file).getroot()
        failed, skipped = [], []
        cases = suite.findall("testcase")
        for case in cases:
            if case.find("failure") is not None or case.find("error") is not None:
                failed.append(case.get("name"))
            elif case.find("skipped") is not None:
                skipped.append(why(case.find("skipped")))
        reports[suite.get("name").rpartition(".")[2]] = Report(len(cases) - len(failed) - len(skipped), failed, skipped)
    return reports


def why(skipped):
    """The message of a skipped test, which stands before a stack trace."""
    return skipped.get("message") or (skipped.text or "no reason given").strip().splitlines()[0]


def row(shown, reports):
    passed, failed, skipped = (sum(counts) for counts in zip(
        *((report.passed, len(report.failed), len(report.skipped)) for report in reports)))
    row = results.Row(shown.shows, passed, failed, skipped, own=failed)
    row.classes = shown.classes
    if shown.material:
        row.material = f"{sum(map(count, servers.HOME.glob(shown.material))):,} {shown.of}"
    return row


def count(material):
    """How many vectors a file holds, or inputs a directory."""
    if material.is_dir():
        return sum(file.is_file() for file in material.rglob("*"))
    return sum(1 for line in material.read_text().splitlines() if line and not line.startswith("#"))


def reasons(reports):
    """Why tests were skipped, and how often."""
    skipped = (re.sub(r"^.*?Assumption failed: ", "", reason) for report in reports for reason in report.skipped)
    return dict(collections.Counter(map(results.without_places, skipped)))
