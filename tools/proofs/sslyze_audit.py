"""sslyze: what the gateway serves by default, held against Mozilla's "intermediate" profile, and known attacks."""

import json
import pathlib
import re
import subprocess
import tempfile

import packages
import results
import servers

PACKAGE = "sslyze==6.3.1"
SECONDS_MAX = 300

# (scan, key of its result, the right value)
EXPECTED = [
    ("heartbleed", "is_vulnerable_to_heartbleed", False),
    ("openssl_ccs_injection", "is_vulnerable_to_ccs_injection", False),
    ("session_renegotiation", "is_vulnerable_to_client_renegotiation_dos", False),
    ("session_renegotiation", "supports_secure_renegotiation", True),
    ("tls_compression", "supports_compression", False),
    ("tls_fallback_scsv", "supports_fallback_scsv", True),
    ("tls_extended_master_secret", "supports_ems_extension", True),
    ("robot", "robot_result", "NOT_VULNERABLE_RSA_NOT_SUPPORTED"),
]


def prove(options):
    """Scans the gateway once."""
    sslyze = packages.environment(PACKAGE) / "bin/sslyze"
    with tempfile.TemporaryDirectory(prefix="sluice-proof") as scratch:
        directory = pathlib.Path(scratch)
        certificates = servers.Certificates(directory)
        endpoint = servers.Endpoint("main", certificates)
        with servers.nginx(directory, options.openssl) as plain:
            with servers.gateway(directory, plain, options.openssl, [endpoint]) as gateway:
                command = [str(sslyze), "--mozilla_config=intermediate", f"--certinfo_ca_file={certificates.root}"]
                command += [f"--json_out={directory / 'sslyze.json'}", f"localhost:{gateway.port}"]
                done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS_MAX)
            print(done.stdout[done.stdout.find(" COMPLIANCE") :].rstrip())
            scans = json.loads((directory / "sslyze.json").read_text())["server_scan_results"]
            profile, wrong = incompliances(done.stdout), attacks(scans)
            # Each value that is expected, the trusted path, and the profile as a whole.
            failed = len(wrong) + bool(profile)
            row = results.Row("gateway", max(0, len(EXPECTED) + 2 - failed), failed, own=failed)
            findings = profile + wrong + gateway.complaints()
            return results.Result(PACKAGE.partition("==")[2], "checks", [row], findings)


def incompliances(output):
    """The lines "* name: text" of the last section."""
    _, section, rest = output.partition("COMPLIANCE AGAINST TLS CONFIGURATION")
    if not section:
        return [f"no verdict in {output[-500:]}"]
    found = re.findall(r"^\s+\* (\w+): (.*)$", rest, re.MULTILINE)
    return [f"{name}: {text}" for name, text in found]


def attacks(scans):
    """What is wrong in the results, each of which must be there."""
    if len(scans) != 1 or scans[0]["scan_result"] is None:
        return ["the gateway was not scanned"]
    results = scans[0]["scan_result"]
    findings = [f"{name}: {scan['status']}" for name, scan in results.items() if scan["status"] == "ERROR"]
    for scan, key, right in EXPECTED:
        value = (results[scan]["result"] or {}).get(key, "no answer")
        if value != right:
            findings.append(f"{scan}.{key} is {value}, not {right}")
    paths = results["certificate_info"]["result"]["certificate_deployments"][0]["path_validation_results"]
    if not any(path["was_validation_successful"] for path in paths):
        findings.append("the certificate does not lead to the proof's root")
    return findings
