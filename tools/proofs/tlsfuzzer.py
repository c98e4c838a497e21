"""tlsfuzzer's conversations with the gateway, and the same with nginx on the same OpenSSL and certificate.

Nothing is expected to be perfect: libssl does the handshakes of both (or with --lean, the gateway does what it can
without), and some conversations want what neither has.
What the gateway fails and nginx does not is the gateway's own.
"""

import collections
import concurrent.futures
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

# -d: ephemeral key exchange; -n 0: all conversations, where the script would choose some at random.
GCM = ["-d", "-C", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"]
GCM_256 = ["-d", "-C", "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384"]
CHACHA20 = ["-d", "-C", "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256"]
SCRIPTS = [
    # TLS 1.3: records
    ("tls13-record-layer-limits", ["-n", "0"]),
    ("tls13-record-padding", []),
    ("tls13-zero-length-data", []),
    ("tls13-zero-content-type", []),
    ("tls13-empty-alert", []),
    ("tls13-unencrypted-alert", []),
    ("tls13-symetric-ciphers", ["-n", "0"]),
    ("tls13-connection-abort", ["-n", "0"]),
    ("tls13-ccs", []),
    ("tls13-multiple-ccs-messages", []),
    # TLS 1.3: messages behind the handshake
    ("tls13-keyupdate", ["-n", "0"]),
    ("tls13-keyupdate-from-server", []),
    ("tls13-count-tickets", ["-t", "2"]),
    ("tls13-session-resumption", []),
    # TLS 1.3: the handshake, by libssl, or lean where the hello is for that
    ("tls13-finished", ["-n", "0"]),
    ("tls13-finished-plaintext", []),
    ("tls13-0rtt-garbage", []),
    ("tls13-conversation", []),
    ("tls13-hrr", []),
    ("tls13-invalid-ciphers", []),
    ("tls13-large-number-of-extensions", []),
    ("tls13-legacy-version", []),
    ("tls13-nociphers", []),
    ("tls13-unrecognised-groups", []),
    ("tls13-version-negotiation", ["-n", "0"]),
    ("tls13-crfg-curves", []),
    ("tls13-dhe-shared-secret-padding", []),
    ("tls13-ecdhe-curves", []),
    ("tls13-ffdhe-groups", []),
    ("tls13-ffdhe-sanity", []),
    ("tls13-keyshare-omitted", []),
    ("tls13-no-unknown-groups", []),
    ("tls13-non-support", []),
    ("tls13-obsolete-curves", []),
    ("tls13-pkcs-signature", []),
    ("tls13-rsa-signatures", []),
    ("tls13-serverhello-random", []),
    ("tls13-signature-algorithms", []),
    # TLS 1.2 with AEAD suites
    ("aes-gcm-nonces", GCM),
    ("aes-gcm-nonces", GCM_256),
    ("chacha20", ["--extra-exts", "-n", "0"]),
    ("fuzzed-ciphertext", GCM),
    ("fuzzed-ciphertext", GCM_256),
    ("fuzzed-ciphertext", CHACHA20),
    ("zero-length-data", GCM),
    ("record-layer-fragmentation", GCM),
    ("record-layer-fragmentation", CHACHA20),
    ("ccs", GCM),
    ("connection-abort", GCM),
    ("early-application-data", GCM),
    ("extended-master-secret-extension", ["-d"]),
    ("hello-request-by-client", GCM),
    ("interleaved-CKE-with-CCS", []),
    ("interleaved-application-data-in-renegotiation", GCM),
    ("interleaved-application-data-and-fragmented-handshakes-in-renegotiation", GCM),
    ("invalid-content-type", GCM),
    ("message-skipping", ["-d"]),
    ("no-heartbeat", ["-d"]),
    ("renegotiation-disabled", GCM),
    ("session-ticket-resumption", ["-d"]),
    ("sessionID-resumption", ["-d"]),
    ("ssl-death-alert", ["-d"]),
    ("truncating-of-client-hello", GCM),
    # TLS 1.2 with a suite that stays with libssl
    ("fuzzed-plaintext", ["-d"]),
]

# What nginx passes and the gateway need not, with the reason.
ACCEPTED = {
    "tls13-keyupdate: multiple KeyUpdate messages": "requests that arrive together get one answer, as RFC 8446 section"
    " 4.6.3 describes it; the script wants one for each, unless told otherwise",
}

Outcome = collections.namedtuple("Outcome", "total failed trouble")


def prove(options):
    """Prints the table; what the gateway alone fails are its findings."""
    source = checkout(options.tlsfuzzer or os.environ.get("TLSFUZZER", ""))
    python = packages.environment(PACKAGE) / "bin/python"
    wanted = [entry for entry in SCRIPTS if not options.only or entry[0] in options.only]
    with tempfile.TemporaryDirectory(prefix="sluice-proof") as scratch:
        directory = pathlib.Path(scratch)
        certificates = servers.Certificates(directory)
        listener = [f"ciphers: [{', '.join(servers.SUITES_13 + servers.CIPHERS)}]",
                    f"groups: [{', '.join(servers.GROUPS)}]",
                    f"handshake: {'lean' if options.lean else 'libssl'}"]
        with servers.nginx(directory, certificates, options.openssl) as (plain, tls):
            with servers.gateway(directory, certificates, plain, options.openssl, listener) as gateway:
                fuzzer = Fuzzer(source, python, gateway.port, tls)
                rows, findings, accepted = table(fuzzer, wanted, "lean handshake" if options.lean else "direct engine")
            findings += [f"the gateway says: {line}" for line in gateway.complaints()]
    nginx = results.version_of(servers.program("nginx", "nginx-light"), "-v")
    return results.Result(version(source), "conversations", rows, findings, accepted, peers={"nginx": nginx})


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
    for script, arguments in wanted:
        gateway, nginx = fuzzer.both(script, arguments)
        ours = fuzzer.only_ours(script, arguments, gateway, nginx)
        name = " ".join([script, *arguments])
        print(f"{name:<75}  {shown(gateway):>12}  {shown(nginx):>12}{'  <-- ' + str(len(ours)) if ours else ''}",
              flush=True)
        for conversation in ours:
            reason = ACCEPTED.get(f"{script}: {conversation}")
            if reason:
                print(f"    accepted: {conversation}, since {reason}")
                accepted.append(results.Difference(f"{script}: {conversation}", reason))
            else:
                findings.append(f"{name}: {conversation}")
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

    def __init__(self, source, python, gateway_port, nginx_port):
        self._source = source
        self._python = python
        self._gateway_port = gateway_port
        self._nginx_port = nginx_port

    def both(self, script, arguments, conversations=()):
        """The outcomes of the gateway and of nginx, from runs at the same time."""
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            runs = [
                pool.submit(self._run, script, arguments, port, conversations)
                for port in (self._gateway_port, self._nginx_port)
            ]
            return [run.result() for run in runs]

    def only_ours(self, script, arguments, gateway, nginx):
        """Conversations that the gateway fails and nginx does not. Scripts that choose at random are asked once more
        for those that nginx has not been asked, and what fails by chance must fail twice."""
        if gateway.trouble:
            return [f"the script {gateway.trouble}"]
        suspects = sorted(set(gateway.failed) - set(nginx.failed))
        if not suspects:
            return []
        if len(suspects) > AGAIN_MAX:
            return suspects
        again, baseline = self.both(script, arguments, suspects)
        return sorted(set(again.failed) - set(baseline.failed))

    def _run(self, script, arguments, port, conversations):
        file = self._source / "scripts" / f"test-{script}.py"
        if not file.exists():
            return Outcome(0, [], "is missing")
        command = [str(self._python), str(file), "-h", "127.0.0.1", "-p", str(port), *arguments, *conversations]
        try:
            done = subprocess.run(
                command,
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
