"""sluice doctor beside sslyze and testssl.sh, at the same servers: where they look at the same, they agree."""

import contextlib
import json
import os
import subprocess
import tempfile
import pathlib

import packages
import results
import servers
import sslyze_audit

SECONDS_MAX = 300

# The exit codes of the doctor with a report: fine, warnings, faults.
REPORTED = {0, 3, 4}

# What each server does besides what a good one does.
SERVERS = {
    "well": "ssl_protocols TLSv1.2 TLSv1.3; ssl_ciphers ECDHE+AESGCM:ECDHE+CHACHA20;",
    "old": "ssl_protocols TLSv1 TLSv1.1 TLSv1.2; ssl_ciphers ECDHE+AES:AES:@SECLEVEL=0;",
    "modern": "ssl_protocols TLSv1.3; ssl_ecdh_curve prime256v1:secp384r1;",
    "forgetful": "ssl_protocols TLSv1.2; ssl_ciphers ECDHE+AESGCM; ssl_session_tickets off; ssl_session_cache off;",
}

KINDS = {
    "well": "well configured",
    "old": "with TLS 1.0 and 1.1",
    "modern": "with TLS 1.3 alone",
    "forgetful": "without sessions",
}

# By sslyze's and testssl.sh's names.
VERSIONS = {
    "SSL 3.0": ("ssl_3_0_cipher_suites", "SSLv3"),
    "TLS 1.0": ("tls_1_0_cipher_suites", "TLS1"),
    "TLS 1.1": ("tls_1_1_cipher_suites", "TLS1_1"),
    "TLS 1.2": ("tls_1_2_cipher_suites", "TLS1_2"),
    "TLS 1.3": ("tls_1_3_cipher_suites", "TLS1_3"),
}
GROUPS = {"X25519": "X25519", "X448": "X448", "prime256v1": "P-256", "secp256r1": "P-256", "secp384r1": "P-384",
          "secp521r1": "P-521"}


def prove(options):
    """Compares their reports; where they differ is a finding."""
    sslyze = packages.environment(sslyze_audit.PACKAGE) / "bin/sslyze"
    testssl = servers.program("testssl", "testssl.sh")
    findings, rows = [], []
    with tempfile.TemporaryDirectory(prefix="sluice-proof") as scratch:
        directory = pathlib.Path(scratch)
        certificates = servers.Certificates(directory)
        with nginx_servers(directory, certificates) as ports:
            for name, port in ports.items():
                seen = doctor(port, certificates, options)
                compared = beside_sslyze(seen, scanned(sslyze, port, certificates, directory))
                compared += beside_testssl(seen, tested(testssl, port, certificates, directory / f"{name}.json"))
                different = [f"{name}: {what}: {ours}, others say {theirs}"
                             for what, ours, theirs in compared if ours != theirs]
                print(f"{name}: {len(compared)} facts compared, {len(different)} differ", *different,
                      sep="\n  ", flush=True)
                findings += different
                subject = f"sluice doctor at nginx, {KINDS[name]}"
                rows.append(results.Row(subject, len(compared) - len(different), len(different), own=len(different)))
    version = f"sslyze {sslyze_audit.PACKAGE.partition('==')[2]}, testssl.sh {results.version_of(testssl, '--version')}"
    nginx = results.version_of(servers.program("nginx", "nginx-light"), "-v")
    return results.Result(version, "facts", rows, findings, peers={"nginx": nginx})


@contextlib.contextmanager
def nginx_servers(directory, certificates):
    """All servers in one nginx. Yields their ports by name."""
    ports = {name: servers.free_port() for name in SERVERS}
    blocks = "".join(
        f"server {{ listen 127.0.0.1:{ports[name]} ssl http2; {lines} location / {{ return 200 hello; }} }}\n"
        for name, lines in SERVERS.items()
    )
    config = directory / "doctor.conf"
    config.write_text(
        f"""
        daemon off; master_process off; pid {directory}/doctor.pid; error_log {directory}/doctor.log warn;
        events {{ worker_connections 1024; }}
        http {{
            access_log off; ssl_session_timeout 1d;
            ssl_certificate {certificates.chain}; ssl_certificate_key {certificates.key};
            client_body_temp_path {directory}/body; proxy_temp_path {directory}/proxy;
            fastcgi_temp_path {directory}/fastcgi; uwsgi_temp_path {directory}/uwsgi; scgi_temp_path {directory}/scgi;
            {blocks}
        }}
        """
    )
    log = directory / "doctor.out"
    command = [servers.program("nginx", "nginx-light"), "-p", str(directory), "-c", str(config)]
    with servers.running(command, {}, log) as process:
        for port in ports.values():
            servers.await_listener(process, port, log)
        yield ports


def doctor(port, certificates, options):
    """What the doctor has seen."""
    command = [str(servers.HOME / "sluice"), "doctor", "--json", "--rate", "500"]
    command += ["--ca", str(certificates.root), "--sni", "localhost", f"127.0.0.1:{port}"]
    library = {"SLUICE_OPENSSL": options.openssl} if options.openssl else {}
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS_MAX, env=os.environ | library)
    if done.returncode not in REPORTED:
        raise servers.ProofError(f"sluice doctor ends with {done.returncode}: {done.stderr[-500:]}")
    return json.loads(done.stdout)


def scanned(sslyze, port, certificates, directory):
    """What sslyze has seen."""
    report = directory / f"sslyze-{port}.json"
    command = [str(sslyze), f"--certinfo_ca_file={certificates.root}", f"--json_out={report}", "--quiet"]
    command += ["--sslv3", "--tlsv1", "--tlsv1_1", "--tlsv1_2", "--tlsv1_3", "--certinfo", "--resum",
                "--elliptic_curves"]
    done = subprocess.run([*command, f"localhost:{port}"], capture_output=True, text=True, timeout=SECONDS_MAX,
                          check=False)
    if not report.exists():
        raise servers.ProofError(f"no report of sslyze: {done.stdout[-500:]} {done.stderr[-500:]}")
    return json.loads(report.read_text())["server_scan_results"][0]["scan_result"]


def tested(testssl, port, certificates, report):
    """What testssl.sh has seen, by its ids."""
    command = [testssl, "--quiet", "--color", "0", "--warnings", "off", "--ip", "127.0.0.1", "--protocols"]
    command += ["--server-defaults", "--add-ca", str(certificates.root), "--jsonfile", str(report), f"localhost:{port}"]
    subprocess.run(
        command, capture_output=True, timeout=SECONDS_MAX, check=False, env=os.environ | {"TERM": "dumb"}
    )
    return {result["id"]: result["finding"] for result in json.loads(report.read_text())}


def beside_sslyze(seen, scan):
    """Triples: what, ours, theirs."""
    facts = seen["facts"]
    compared = []
    for version, (key, _) in VERSIONS.items():
        theirs = {each["cipher_suite"]["name"] for each in scan[key]["result"]["accepted_cipher_suites"]}
        compared.append((f"{version} accepted", version in facts["protocol"]["versions"], bool(theirs)))
        if version in facts["suites"]:
            compared.append((f"suites of {version}", set(facts["suites"][version]), theirs))
    curves = scan["elliptic_curves"]["result"]["supported_curves"]
    theirs = {GROUPS[each["name"]] for each in curves if each["name"] in GROUPS}
    ours = {group for groups in facts["groups"].values() if isinstance(groups, list) for group in groups}
    compared.append(("curves", ours & set(GROUPS.values()), theirs))
    deployment = scan["certificate_info"]["result"]["certificate_deployments"][0]
    compared.append(("right order", "chain-order" not in ids(seen), deployment["received_chain_has_valid_order"]))
    compared.append(("trusted", facts["certificate"]["trusted"], any(
        path["was_validation_successful"] for path in deployment["path_validation_results"])))
    if "TLS 1.2" in facts["resumption"]:
        tickets = scan["session_resumption"]["result"]["tls_ticket_resumption_result"]
        ids_used = scan["session_resumption"]["result"]["session_id_resumption_result"]
        theirs = "FULLY_SUPPORTED" in (tickets, ids_used)
        resumption = facts["resumption"]["TLS 1.2"]
        compared.append(("TLS 1.2 resumed", "new" not in resumption and "no " not in resumption, theirs))
    return compared


def beside_testssl(seen, results):
    """Triples: what, ours, theirs."""
    facts = seen["facts"]
    compared = []
    for version, (_, key) in VERSIONS.items():
        if key in results:
            theirs = results[key].startswith("offered")
            compared.append((f"{version} offered", version in facts["protocol"]["versions"], theirs))
    if "cert_chain_of_trust" in results:
        trusted = results["cert_chain_of_trust"].startswith("passed")
        compared.append(("chain of trust", facts["certificate"]["trusted"], trusted))
    if "cert_trust" in results:
        compared.append(("name", facts["certificate"]["name matches"], results["cert_trust"].startswith("Ok")))
    return compared


def ids(seen):
    """The ids of what the doctor has found."""
    return {finding["id"] for finding in seen["findings"]}
