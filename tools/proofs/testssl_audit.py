"""testssl.sh: protocols, suites, server preferences and known attacks, as the gateway serves by default."""

import json
import os
import pathlib
import subprocess
import tempfile

import results
import servers

SECONDS_MAX = 400
FINDINGS = {"WARN", "LOW", "MEDIUM", "HIGH", "CRITICAL", "FATAL"}
# Fewer would mean that testssl.sh gave up on the way.
GOOD_MIN = 25

ALLOWED = {
    "engine_problem": "testssl.sh's own OpenSSL has no GOST, which it would ask the gateway for",
    "cert_revocation": "the authority of the proof revokes nothing, so it names no place to ask",
    "DNS_CAArecord": "localhost has no entry in the DNS",
    # It asks s_client with no input, which mostly ends before the tickets of TLS 1.3 arrive: with nginx as well.
    "sessionresumption_ticket": "testssl.sh often leaves before a ticket of TLS 1.3 can reach it; sslyze looks, too",
}

# What is left out: HTTP headers, which are the backend's, and simulated clients, which are many seconds of the same.
TESTS = ["--protocols", "--std", "--pfs", "--server-preference", "--server-defaults", "--vulnerable"]


def prove(options):
    """Tests the gateway once."""
    testssl = servers.program("testssl", "testssl.sh")
    with tempfile.TemporaryDirectory(prefix="sluice-proof") as scratch:
        directory = pathlib.Path(scratch)
        report = directory / "testssl.json"
        certificates = servers.Certificates(directory)
        endpoint = servers.Endpoint("main", certificates)
        with servers.nginx(directory, options.openssl) as plain:
            with servers.gateway(directory, plain, options.openssl, [endpoint]) as gateway:
                command = [testssl, "--quiet", "--color", "0", "--warnings", "off", "--ip", "127.0.0.1", *TESTS]
                command += ["--add-ca", str(certificates.root), "--jsonfile", str(report), f"localhost:{gateway.port}"]
                done = subprocess.run(
                    command, capture_output=True, text=True, timeout=SECONDS_MAX, env=os.environ | {"TERM": "dumb"}
                )
            if not report.exists():
                raise servers.ProofError(f"no report; testssl.sh said: {done.stdout[-500:]} {done.stderr[-500:]}")
            result = judged(json.loads(report.read_text()), results.version_of(testssl, "--version"))
            result.findings += gateway.complaints()
            return result


def judged(report, version):
    """The result of a report, whose entries without a judgement count as not asked."""
    good = sum(entry["severity"] == "OK" for entry in report)
    print(f"{len(report)} results, {good} of them good")
    findings, accepted = [], []
    for entry in report:
        if entry["severity"] in FINDINGS:
            line = f"{entry['id']} ({entry['severity']}): {entry['finding']}"
            allowed = ALLOWED.get(entry["id"])
            print(f"allowed: {line}, since {allowed}" if allowed else f"found: {line}")
            if allowed:
                accepted.append(results.Difference(entry["id"], allowed))
            else:
                findings.append(line)
    bad = len(findings) + len(accepted)
    row = results.Row("gateway", good, bad, len(report) - good - bad, own=bad, accepted=len(accepted))
    if good < GOOD_MIN:
        findings.append(f"only {good} good results: was the gateway tested at all?")
    not_asked = {"stated without a judgement": row.not_asked}
    return results.Result(version, "checks", [row], findings, accepted, not_asked)
