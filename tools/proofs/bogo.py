"""BoringSSL's runner, BoGo, with the engines of the library in both roles: thousands of small conversations, most of
them with a peer that does something wrong.

libssl does the same conversations, and what it fails too is its own: OpenSSL and BoringSSL differ. What the direct
engine or the lean handshake fails and libssl does not is ours."""

import contextlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import packages
import results
import servers

# The crate that carries BoringSSL's source; its checksum stands in Cargo.lock.
CRATE = "boring-sys-5.0.0"
SOURCES = servers.HOME / "tools/proofs/bogo"
RUN_SECONDS_MAX = 600
IDLE_SECONDS_MAX = 5
GO_MINOR_MIN = 24
REASONS_SHOWN = 12

# The engines; libssl, which the others are held against, comes first. The lean handshake is the direct engine's.
SUBJECTS = {"memory": "libssl", "direct": "direct engine", "lean": "lean handshake"}

# Keys of the runner's certificates, which the crate leaves out.
KEYS = {
    "rsa_2048_key.pem": ["RSA", "-pkeyopt", "rsa_keygen_bits:2048"],
    "rsa_1024_key.pem": ["RSA", "-pkeyopt", "rsa_keygen_bits:1024"],
    "ecdsa_p256_key.pem": ["EC", "-pkeyopt", "ec_paramgen_curve:P-256"],
    "ecdsa_p384_key.pem": ["EC", "-pkeyopt", "ec_paramgen_curve:P-384"],
    "ecdsa_p521_key.pem": ["EC", "-pkeyopt", "ec_paramgen_curve:P-521"],
    "channel_id_key.pem": ["EC", "-pkeyopt", "ec_paramgen_curve:P-256"],
    "ed25519_key.pem": ["ED25519"],
}

# Versions before TLS 1.2, which Sluice does not speak.
SKIPPED = ["*-TLS1", "*-TLS11", "*-TLS1-*", "*-TLS11-*", "TLS1-*", "TLS11-*"]

# What libssl passes and the engine need not, with the reason.
ACCEPTED = {
    "SendEmptyRecords": "a client that waits for tickets is in libssl for 16 records; after that the engine counts"
    " anew, and its bound holds for the rest",
    "EmptySessionID-TLS13": "the lean handshake sends change_cipher_spec only to clients with a session id, as RFC 8446"
    " appendix D.4 has it; the runner wants it always",
}


def prove(options):
    """Prints a table; what an engine alone fails are its findings."""
    runner, forwarder = programs()
    compile_shim()
    findings, rows, accepted, reasons = [], [], [], {}
    with tempfile.TemporaryDirectory(prefix="sluice-proof") as scratch:
        directory = pathlib.Path(scratch)
        bogo = Bogo(runner, forwarder, directory, options.openssl)
        print(f"{'':<16}  {'passed':>6}  {'failed':>6}  {'not asked':>9}")
        baseline = None
        for subject, name in SUBJECTS.items():
            outcomes, notes = bogo.run(subject)
            print(f"{name:<16}  {count(outcomes, 'PASS'):>6}  {count(outcomes, 'FAIL'):>6}"
                  f"  {count(outcomes, 'SKIP'):>9}", flush=True)
            rows.append(results.Row(name, *(count(outcomes, outcome) for outcome in ("PASS", "FAIL", "SKIP"))))
            if baseline is None:
                baseline, rows[0].role = outcomes, results.BASELINE
                continue
            own = bogo.only_theirs(subject, outcomes, baseline)
            rows[-1].own = len(own)
            for test in own:
                if test in ACCEPTED:
                    print(f"    {test}: {ACCEPTED[test]}")
                    accepted.append(results.Difference(f"{name}: {test}", ACCEPTED[test]))
                    rows[-1].accepted += 1
                else:
                    findings.append(f"{name}: {test}")
            if subject == "lean":
                print(f"    {notes[0]}")
            for line in notes[1:]:
                times, reason = re.fullmatch(r"not asked: (\d+) for (.*)", line).groups()
                reasons[reason] = max(int(times), reasons.get(reason, 0))
        print("not asked, since the engines do not have it (or the shim no words for it):")
        most = sorted(reasons, key=reasons.get, reverse=True)[:REASONS_SHOWN]
        print("    " + ", ".join(f"{reasons[reason]} for {reason}" for reason in most) + ", ...")
    return results.Result(CRATE, "conversations", rows, findings, accepted, reasons)


def count(outcomes, outcome):
    return sum(value == outcome for value in outcomes.values())


def programs():
    """The runner and the forwarder, built when first needed."""
    directory = packages.cache() / f"bogo-of-{CRATE}"
    runner, forwarder = directory / "runner", directory / "forwarder"
    go = servers.program("go", "golang-go", "/usr/local/go/bin")
    if not runner.exists():
        require_version(go)
        with tempfile.TemporaryDirectory(prefix="sluice-proof") as scratch:
            source = fetch(pathlib.Path(scratch)) / "ssl/test/runner"
            for name, how in KEYS.items():
                openssl = servers.program("openssl", "openssl")
                step([openssl, "genpkey", "-out", str(source / name), "-algorithm", *how])
            built = source / "runner.test"
            step([go, "test", "-c", "-o", str(built), "."], cwd=source)
            directory.mkdir(parents=True, exist_ok=True)
            shutil.move(built, runner)
    step([go, "build", "-o", str(forwarder), str(SOURCES / "forwarder.go")])
    return runner, forwarder


def require_version(go):
    version = subprocess.run([go, "env", "GOVERSION"], capture_output=True, text=True).stdout.strip()
    known = re.match(r"go1\.(\d+)", version)
    if not known or int(known.group(1)) < GO_MINOR_MIN:
        raise servers.ProofError(f"{go} is {version or 'too old'}; BoringSSL's runner needs Go 1.{GO_MINOR_MIN}")


def fetch(directory):
    """BoringSSL's source, out of the crate."""
    cargo = servers.program("cargo", "cargo", str(pathlib.Path.home() / ".cargo/bin"))
    step([cargo, "vendor", "--quiet", "--locked", "--versioned-dirs", "--manifest-path", str(SOURCES / "Cargo.toml"),
          str(directory / "vendored")])
    return directory / "vendored" / CRATE / "deps/boringssl"


def step(command, cwd=None, environment=None):
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, env=os.environ | (environment or {}))
    if done.returncode:
        raise servers.ProofError(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")


def compile_shim():
    step([str(servers.HOME / "mvnw"), "-q", "-B", "-pl", "tls", "-am", "test-compile"], cwd=servers.HOME,
         environment={"JAVA_HOME": servers.jdk()})


class Bogo:
    """Runs the runner's tests with an engine."""

    def __init__(self, runner, forwarder, directory, openssl):
        self._runner = runner
        self._forwarder = forwarder
        self._directory = directory
        self._openssl = openssl

    def only_theirs(self, subject, outcomes, baseline):
        """Tests that an engine fails and libssl does not; what fails by chance must fail twice."""
        suspects = [test for test, outcome in outcomes.items()
                    if outcome == "FAIL" and baseline.get(test) != "FAIL"]
        if not suspects:
            return []
        again, _ = self.run(subject, suspects)
        return sorted(test for test in suspects if again.get(test) != "PASS")

    def run(self, subject, tests=()):
        """The outcome of each test by its name, and what the shim says of the run."""
        results = self._directory / f"{subject}.json"
        results.unlink(missing_ok=True)
        with self._shim(subject) as (socket, notes):
            command = [str(self._runner), "-shim-path", str(self._forwarder), "-loose-errors", "-allow-unimplemented",
                       "-pipe", "-idle-timeout", f"{IDLE_SECONDS_MAX}s", "-json-output", str(results)]
            command += ["-test", ";".join(tests)] if tests else ["-skip", ";".join(SKIPPED)]
            # The runner is a Go test, whose exit code says nothing here: expected failures fail it.
            done = subprocess.run(command, cwd=self._directory, env=os.environ | {"SLUICE_BOGO_SHIM": str(socket)},
                                  capture_output=True, text=True, timeout=RUN_SECONDS_MAX)
        if not results.exists():
            raise servers.ProofError(f"BoringSSL's runner broke off:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        outcomes = json.loads(results.read_text())["tests"]
        return {test: outcome["actual"] for test, outcome in outcomes.items()}, notes

    @contextlib.contextmanager
    def _shim(self, subject):
        """The process that examines an engine; yields its socket, and a list that has its notes afterwards."""
        socket = self._directory / f"{subject}.socket"
        socket.unlink(missing_ok=True)
        classes = [str(servers.HOME / module / "target/classes") for module in ("testkit", "memory", "ffi", "tls")]
        classes.append(str(servers.HOME / "tls/target/test-classes"))
        command = [f"{servers.jdk()}/bin/java", "--enable-native-access=ALL-UNNAMED", "-cp", os.pathsep.join(classes)]
        command += [f"-Dsluice.openssl={self._openssl}"] if self._openssl else []
        command += ["dev.sluice.tls.bogo.BogoShim", str(socket), subject]
        notes = []
        with open(self._directory / f"{subject}.errors", "w+") as errors:
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True)
            try:
                if process.stdout.readline() != "ready\n":
                    errors.seek(0)
                    raise servers.ProofError(f"the shim does not start:\n{errors.read()}")
                yield socket, notes
                notes += process.communicate(timeout=servers.STOP_SECONDS_MAX)[0].splitlines()
            finally:
                process.kill()
                process.wait()
