"""testssl.sh: protocols, suites, server preferences and known attacks, as the gateway serves by default."""

import json
import os
import pathlib
import subprocess
import tempfile

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
    """Returns what was found, as lines."""
    testssl = servers.program("testssl", "testssl.sh")
    with tempfile.TemporaryDirectory(prefix="sluice-proof") as scratch:
        directory = pathlib.Path(scratch)
        report = directory / "testssl.json"
        certificates = servers.Certificates(directory)
        with servers.nginx(directory, certificates, options.openssl) as (plain, _):
            with servers.gateway(directory, certificates, plain, options.openssl) as gateway:
                command = [testssl, "--quiet", "--color", "0", "--warnings", "off", "--ip", "127.0.0.1", *TESTS]
                command += ["--add-ca", str(certificates.root), "--jsonfile", str(report), f"localhost:{gateway.port}"]
                done = subprocess.run(
                    command, capture_output=True, text=True, timeout=SECONDS_MAX, env=os.environ | {"TERM": "dumb"}
                )
            if not report.exists():
                return [f"no report; testssl.sh said: {done.stdout[-500:]} {done.stderr[-500:]}"]
            return judged(json.loads(report.read_text())) + gateway.complaints()


def judged(results):
    good = sum(result["severity"] == "OK" for result in results)
    print(f"{len(results)} results, {good} of them good")
    findings = []
    for result in results:
        if result["severity"] in FINDINGS:
            line = f"{result['id']} ({result['severity']}): {result['finding']}"
            allowed = ALLOWED.get(result["id"])
            print(f"allowed: {line}, since {allowed}" if allowed else f"found: {line}")
            findings += [] if allowed else [line]
    return findings if good >= GOOD_MIN else [*findings, f"only {good} good results: was the gateway tested at all?"]
