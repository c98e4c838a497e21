"""tlsfuzzer's conversations with the gateway, and the same with nginx on the same OpenSSL and certificate.

Nothing is expected to be perfect: libssl does the handshakes of both (or with --lean, the gateway does what it can
without), and some conversations want what neither has.
What the gateway fails and nginx does not is the gateway's own.
"""

import collections
import concurrent.futures
import contextlib
import os
import pathlib
import re
import subprocess
import tempfile

import packages
import results
import servers

PACKAGE = "tlslite-ng==0.9.0b2"
SCRIPT_SECONDS_MAX = 400
# How many gateway-only failures are run again at once, on both: more would make a command line too long.
AGAIN_MAX = 200

HOW_TO_GET_IT = """tlsfuzzer is not on a package registry; get its source, and name the directory that it lies in:
    git clone https://github.com/tlsfuzzer/tlsfuzzer
    tools/proofs/run tlsfuzzer --tlsfuzzer DIR        (or TLSFUZZER=DIR)"""

# The servers that a script speaks with: where it needs another than that of most, which has an RSA certificate.
RSA, ECDSA, ED25519, CLIENTS = "rsa", "ecdsa", "ed25519", "clients"


class Script:
    """A script with its arguments, and the conversations of it that are left out."""

    def __init__(self, name, arguments=(), server=RSA, client="", but=()):
        self.name = name
        self.arguments = list(arguments)
        self.but = but
        self.server = server
        # The kind of the client's key, for scripts that authenticate themselves.
        self.client = client

    def __str__(self):
        with_key = f" (client: {self.client})" if self.client else ""
        return " ".join([self.name, *self.arguments]) + with_key


def authenticated(name, client="rsa", arguments=()):
    """A script that has a certificate and presents it."""
    return Script(name, arguments, CLIENTS, client)


# Versions that neither server speaks, and hellos in the format of SSL 2, by the names that several scripts have.
FORMS = ["", " in SSLv2 compatible ClientHello",
         *(f" with {group} group" for group in ("secp256r1", "secp384r1", "secp521r1", "x25519", "x448"))]
OLD = [f"Protocol (3, {minor}){form}" for minor in (0, 1, 2) for form in FORMS] + [f"Protocol (3, 3){FORMS[1]}"]

# -d: ephemeral key exchange; -n 0: all conversations, where the script would choose some at random.
GCM = ["-d", "-C", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"]
GCM_256 = ["-d", "-C", "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384"]
CHACHA20 = ["-d", "-C", "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256"]
SCRIPTS = [
    # TLS 1.3: records
    Script("tls13-record-layer-limits", ["-n", "0"]),
    Script("tls13-record-padding"),
    Script("tls13-zero-length-data"),
    Script("tls13-zero-content-type"),
    Script("tls13-empty-alert"),
    Script("tls13-unencrypted-alert"),
    Script("tls13-symetric-ciphers", ["-n", "0"]),
    Script("tls13-connection-abort", ["-n", "0"]),
    Script("tls13-ccs"),
    Script("tls13-multiple-ccs-messages"),
    # TLS 1.3: messages behind the handshake
    Script("tls13-keyupdate", ["-n", "0"]),
    Script("tls13-keyupdate-from-server"),
    Script("tls13-count-tickets", ["-t", "2"]),
    Script("tls13-session-resumption"),
    # TLS 1.3: the handshake, by libssl, or lean where the hello is for that
    Script("tls13-finished", ["-n", "0"]),
    Script("tls13-finished-plaintext"),
    Script("tls13-0rtt-garbage"),
    Script("tls13-conversation"),
    Script("tls13-hrr"),
    Script("tls13-invalid-ciphers"),
    Script("tls13-large-number-of-extensions"),
    Script("tls13-legacy-version"),
    Script("tls13-nociphers"),
    Script("tls13-unrecognised-groups"),
    Script("tls13-version-negotiation", ["-n", "0"]),
    Script("tls13-crfg-curves"),
    Script("tls13-dhe-shared-secret-padding"),
    Script("tls13-ecdhe-curves"),
    Script("tls13-ffdhe-groups"),
    Script("tls13-ffdhe-sanity"),
    Script("tls13-keyshare-omitted"),
    Script("tls13-no-unknown-groups"),
    Script("tls13-non-support"),
    Script("tls13-obsolete-curves"),
    Script("tls13-pkcs-signature"),
    Script("tls13-rsa-signatures"),
    Script("tls13-serverhello-random"),
    Script("tls13-signature-algorithms"),
    Script("tls13-shuffled-extentions"),
    Script("tls13-ecdsa-support", server=ECDSA),
    Script("tls13-eddsa", server=ED25519),
    # TLS 1.3: clients with certificates
    authenticated("tls13-certificate-request"),
    authenticated("tls13-certificate-verify"),
    authenticated("tls13-ecdsa-in-certificate-verify", "ecdsa"),
    authenticated("tls13-eddsa-in-certificate-verify", "ed25519"),
    # TLS 1.2 with AEAD suites
    Script("aes-gcm-nonces", GCM),
    Script("aes-gcm-nonces", GCM_256),
    Script("chacha20", ["--extra-exts", "-n", "0"]),
    Script("fuzzed-ciphertext", GCM),
    Script("fuzzed-ciphertext", GCM_256),
    Script("fuzzed-ciphertext", CHACHA20),
    Script("zero-length-data", GCM),
    Script("record-layer-fragmentation", GCM),
    Script("record-layer-fragmentation", CHACHA20),
    Script("ccs", GCM),
    Script("connection-abort", GCM),
    Script("early-application-data", GCM),
    Script("extended-master-secret-extension", ["-d"]),
    Script("hello-request-by-client", GCM),
    Script("interleaved-CKE-with-CCS"),
    Script("interleaved-application-data-in-renegotiation", GCM),
    Script("interleaved-application-data-and-fragmented-handshakes-in-renegotiation", GCM),
    Script("invalid-content-type", GCM),
    Script("message-skipping", ["-d"]),
    Script("no-heartbeat", ["-d"]),
    Script("renegotiation-disabled", GCM),
    Script("session-ticket-resumption", ["-d"]),
    Script("sessionID-resumption", ["-d"]),
    Script("ssl-death-alert", ["-d"]),
    Script("truncating-of-client-hello", GCM),
    Script("conversation", GCM),
    Script("client-hello-max-size", ["-d"]),
    Script("cve-2016-6309", ["-d"]),
    Script("cve-2016-7054"),
    Script("downgrade-protection", ["-d"]),
    Script("ecdhe-rsa-key-exchange-with-bad-messages"),
    Script("ecdsa-sig-flexibility", server=ECDSA),
    Script("invalid-client-hello-w-record-overflow", ["-d"]),
    Script("invalid-compression-methods", ["-d"]),
    Script("invalid-server-name-extension", ["-d"]),
    Script("invalid-server-name-extension-resumption", ["-d"]),
    Script("large-hello", ["-d"]),
    Script("large-number-of-extensions", ["-d"]),
    Script("no-mlkem-in-old-tls", ["-d"]),
    Script("point-extension"),
    Script("resumption-with-wrong-ciphers", ["-d"]),
    Script("sig-algs"),
    Script("signature-algorithms"),
    Script("version-numbers", ["-d"]),
    Script("x25519"),
    # TLS 1.2: clients with certificates
    authenticated("certificate-malformed", arguments=["-d"]),
    authenticated("certificate-request", arguments=["-d"]),
    authenticated("certificate-verify", arguments=["-d"]),
    authenticated("certificate-verify-malformed", arguments=["-d"]),
    authenticated("certificate-verify-malformed-sig", arguments=["-d"]),
    authenticated("rsa-sigs-on-certificate-verify", arguments=["-d"]),
    authenticated("ecdsa-in-certificate-verify", "ecdsa"),
    authenticated("eddsa-in-certificate-verify", "ed25519"),
    authenticated("extended-master-secret-extension-with-client-cert", arguments=["-d"]),
    # TLS 1.2 with suites that stay with libssl
    Script("fuzzed-plaintext", ["-d"]),
    Script("atypical-padding", ["-d"]),
    Script("bleichenbacher-workaround"),
    Script("client-compatibility", ["-n", "0"]),
    Script("cve-2004-0079"),
    Script("cve-2016-2107", ["-d"]),
    Script("ecdhe-padded-shared-secret", but=OLD),
    Script("ecdhe-rsa-key-exchange"),
    Script("ecdhe-rsa-key-share-random", but=OLD),
    Script("empty-extensions"),
    Script("encrypt-then-mac", ["-d"]),
    Script("export-ciphers-rejected"),
    Script("extensions", ["-n", "0"]),
    Script("fallback-scsv", ["-d"]),
    Script("fuzzed-MAC", ["-d"]),
    Script("fuzzed-finished"),
    Script("fuzzed-padding", ["-d"]),
    Script("invalid-cipher-suites"),
    Script("invalid-client-hello"),
    Script("invalid-rsa-key-exchange-messages"),
    Script("invalid-session-id"),
    Script("invalid-version"),
    Script("message-duplication"),
    Script("openssl-3712"),
    Script("serverhello-random", but=OLD),
    Script("truncating-of-finished"),
    Script("truncating-of-kRSA-client-key-exchange"),
    # SSL 2, which must be refused
    Script("sslv2-connection"),
    Script("sslv2-force-cipher"),
    Script("sslv2-force-cipher-3des"),
    Script("sslv2-force-cipher-non3des"),
    Script("sslv2-force-export-cipher"),
    Script("sslv2hello-protocol", ["-d"]),
]

# The scripts that are left out, by the reason.
LEFT_OUT = {
    "scripts that measure times, for hours": [
        "bleichenbacher-timing-marvin", "bleichenbacher-timing-pregenerate", "lucky13", "tls13-minerva"],
    "scripts for versions below TLS 1.2": ["SSLv3-padding", "TLSv1_2-rejected-without-TLSv1_2", "clienthello-md5"],
    "scripts for finite-field key exchange of TLS 1.2, and for DSA": [
        "dhe-key-share-random", "dhe-no-shared-secret-padding", "dhe-rsa-key-exchange",
        "dhe-rsa-key-exchange-signatures", "dhe-rsa-key-exchange-with-bad-messages", "dsa-in-certificate-verify",
        "dsa-sig-flexibility", "ffdhe-expected-params", "ffdhe-negotiation", "unsupported-curve-fallback"],
    "scripts for renegotiation, which is never granted": [
        "encrypt-then-mac-renegotiation", "legacy-renegotiation", "renegotiation-changed-clienthello",
        "renegotiation-disabled-client-cert", "sig-algs-renegotiation-resumption"],
    "scripts for what neither server has, such as heartbeats, external keys and compressed certificates": [
        "aesccm", "heartbeat", "record-size-limit", "tls13-certificate-compression",
        "tls13-client-certificate-compression", "tls13-ecdhe-brainpool-curves",
        "tls13-ecdsa-brainpool-in-certificate-verify", "tls13-post-handshake-auth", "tls13-psk_dhe_ke",
        "tls13-psk_ke"],
    "scripts for ALPN, staples and other certificates, which Sluice's own tests try": [
        "alpn-negotiation", "ocsp-stapling", "rsa-pss-sigs-on-certificate-verify", "tls13-mldsa-in-certificate-verify",
        "tls13-rsapss-signatures"],
    "scripts for a server that answers with what it gets": ["lengths", "tls13-lengths"],
    "scripts for ML-KEM, which need a library more": ["tls13-mlkem"],
}


# What nginx passes and the gateway need not, with the reason.
ACCEPTED = {
    "tls13-keyupdate: multiple KeyUpdate messages": "requests that arrive together get one answer, as RFC 8446 section"
    " 4.6.3 describes it; the script wants one for each, unless an option says otherwise",
}

Outcome = collections.namedtuple("Outcome", "total failed trouble")


def prove(options):
    """Prints the table; what the gateway alone fails are its findings."""
    source = checkout(options.tlsfuzzer or os.environ.get("TLSFUZZER", ""))
    python = packages.environment(PACKAGE) / "bin/python"
    wanted = [script for script in SCRIPTS if not options.only or script.name in options.only]
    with tempfile.TemporaryDirectory(prefix="sluice-proof") as scratch:
        directory = pathlib.Path(scratch)
        certificates = servers.Certificates(directory)
        endpoints = servers_of(certificates, "lean" if options.lean else "libssl")
        with old_clients_admitted(directory), servers.nginx(directory, options.openssl, endpoints) as plain:
            with servers.gateway(directory, plain, options.openssl, endpoints, LINES) as gateway:
                fuzzer = Fuzzer(source, python, endpoints, certificates)
                rows, findings, accepted = table(fuzzer, wanted, "lean handshake" if options.lean else "direct engine")
            findings += [f"the gateway says: {line}" for line in gateway.complaints()]
    nginx = results.version_of(servers.program("nginx", "nginx-light"), "-v")
    not_asked = left_out(source)
    for row in rows:
        row.not_asked += sum(not_asked.values())
    return results.Result(version(source), "conversations", rows, findings, accepted, not_asked, {"nginx": nginx})


# As long as nginx waits for a handshake, since scripts expect silence; and nothing beside the scripts, which take the
# processors, and with them the pages that a warm-up waits for.
LINES = ["limits: {handshake-timeout: 60s}", "warm-up: off"]


def servers_of(certificates, handshake):
    """An endpoint for each kind of server."""
    lines = [f"ciphers: [{', '.join(servers.SUITES_13 + servers.CIPHERS)}]", f"groups: [{', '.join(servers.GROUPS)}]",
             f"handshake: {handshake}"]
    return [servers.Endpoint(RSA, certificates, lines=lines),
            servers.Endpoint(ECDSA, certificates, server="ecdsa", lines=lines),
            servers.Endpoint(ED25519, certificates, server="ed25519", lines=lines),
            servers.Endpoint(CLIENTS, certificates, clients="optional", lines=lines)]


@contextlib.contextmanager
def old_clients_admitted(directory):
    """Both servers take hellos without signature_algorithms, as many scripts send them: these mean SHA-1, which OpenSSL
    refuses at its own level of security, so that nothing behind the hello would be tried."""
    config = directory / "level.cnf"
    config.write_text("openssl_conf = all\n[all]\nssl_conf = contexts\n[contexts]\nsystem_default = defaults\n"
                      "[defaults]\nCipherString = DEFAULT:@SECLEVEL=0\n")
    before = os.environ.get("OPENSSL_CONF")
    os.environ["OPENSSL_CONF"] = str(config)
    try:
        yield
    finally:
        if before is None:
            del os.environ["OPENSSL_CONF"]
        else:
            os.environ["OPENSSL_CONF"] = before


def left_out(source):
    """How many scripts are not asked, by the reason."""
    known = {script.name for script in SCRIPTS} | {name for names in LEFT_OUT.values() for name in names}
    there = {file.stem.removeprefix("test-") for file in (source / "scripts").glob("test-*.py")}
    counts = {reason: len(there.intersection(names)) for reason, names in LEFT_OUT.items()}
    counts["scripts that are new to tools/proofs/tlsfuzzer.py"] = len(there - known)
    return {reason: count for reason, count in counts.items() if count}


def checkout(directory):
    """The directory of tlsfuzzer's source."""
    source = pathlib.Path(directory)
    if not directory or not (source / "scripts").is_dir():
        raise servers.ProofError(f"no tlsfuzzer in {directory or 'no directory given'}.\n{HOW_TO_GET_IT}")
    return source.resolve()


def version(source):
    """The commit of a checkout, where it is one, and tlslite-ng's version."""
    head = results.git("rev-parse", "--short=12", "HEAD", directory=source) if (source / ".git").exists() else ""
    return f"{'commit ' + head if head else 'of no commit'}, {PACKAGE.replace('==', ' ')}"


def table(fuzzer, wanted, subject):
    """Prints a line for each script; returns the sums as rows, the gateway's own failures, and those accepted."""
    print(f"{'script':<75}  {'gateway':>12}  {'nginx':>12}\n{'':<75}  passed/total  passed/total")
    findings, accepted, sums = [], [], collections.Counter()
    for script in wanted:
        gateway, nginx = fuzzer.both(script)
        ours = fuzzer.only_ours(script, gateway, nginx)
        print(f"{script!s:<75}  {shown(gateway):>12}  {shown(nginx):>12}{'  <-- ' + str(len(ours)) if ours else ''}",
              flush=True)
        for conversation in ours:
            reason = ACCEPTED.get(f"{script.name}: {conversation}")
            if reason:
                print(f"    accepted: {conversation}, since {reason}")
                accepted.append(results.Difference(f"{script.name}: {conversation}", reason))
            else:
                findings.append(f"{script}: {conversation}")
        for server, outcome in (("gateway", gateway), ("nginx", nginx)):
            sums[server, "passed"] += outcome.total - len(outcome.failed)
            sums[server, "failed"] += len(outcome.failed)
            sums[server, "trouble"] += bool(outcome.trouble)
    rows = [results.Row(name, sums[server, "passed"], sums[server, "failed"], sums[server, "trouble"], role)
            for server, name, role in (("gateway", f"gateway, {subject}", results.SUBJECT),
                                       ("nginx", "nginx", results.BASELINE))]
    rows[0].own, rows[0].accepted = len(findings) + len(accepted), len(accepted)
    totals = [f"{row.passed}/{row.passed + row.failed}" for row in rows]
    print(f"{'all':<75}  {totals[0]:>12}  {totals[1]:>12}")
    return rows, findings, accepted


def shown(outcome):
    return outcome.trouble or f"{outcome.total - len(outcome.failed)}/{outcome.total}"


class Fuzzer:
    """Runs scripts of tlsfuzzer against the two servers."""

    def __init__(self, source, python, endpoints, certificates):
        self._source = source
        self._python = python
        self._endpoints = {endpoint.name: endpoint for endpoint in endpoints}
        self._certificates = certificates

    def both(self, script, conversations=()):
        """The outcomes of the gateway and of nginx, from runs at the same time."""
        endpoint = self._endpoints[script.server]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            runs = [pool.submit(self._run, script, port, conversations) for port in (endpoint.gateway, endpoint.nginx)]
            return [run.result() for run in runs]

    def only_ours(self, script, gateway, nginx):
        """Conversations that the gateway fails and nginx does not. Scripts that choose at random are asked once more
        for those that nginx has not been asked, and what fails by chance must fail twice."""
        if gateway.trouble:
            return [f"the script {gateway.trouble}"]
        suspects = sorted(set(gateway.failed) - set(nginx.failed))
        if not suspects:
            return []
        if len(suspects) > AGAIN_MAX:
            return suspects
        again, baseline = self.both(script, suspects)
        return sorted(set(again.failed) - set(baseline.failed))

    def _run(self, script, port, conversations):
        file = self._source / "scripts" / f"test-{script.name}.py"
        if not file.exists():
            return Outcome(0, [], "is missing")
        command = [str(self._python), str(file), "-h", "127.0.0.1", "-p", str(port), *script.arguments]
        command += [word for conversation in script.but for word in ("-e", conversation)]
        if script.client:
            certificate, key = self._certificates.client(script.client)
            command += ["-k", str(key), "-c", str(certificate)]
        try:
            done = subprocess.run(
                [*command, *conversations],
                cwd=self._source,
                env={"PYTHONPATH": str(self._source), "PATH": os.environ["PATH"]},
                capture_output=True,
                text=True,
                timeout=SCRIPT_SECONDS_MAX,
            )
        except subprocess.TimeoutExpired:
            return Outcome(0, [], "ran too long")
        return parse(done.stdout)


def parse(output):
    """The summary that each script ends with."""
    total = re.search(r"^TOTAL: (\d+)$", output, re.MULTILINE)
    if not total:
        return Outcome(0, [], "broke off")
    _, _, summary = output[total.start() :].partition("FAILED:\n")
    failed = re.findall(r"^\t'(.*)'$", summary, re.MULTILINE)
    return Outcome(int(total.group(1)), failed, "")
