"""The servers that are examined: the gateway, nginx beside it with the same certificate, and the backend of both."""

import contextlib
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import time

HOME = pathlib.Path(__file__).resolve().parents[2]
START_SECONDS_MAX = 60
STOP_SECONDS_MAX = 30


class ProofError(Exception):
    """The proof could not be run at all: what is missing, and the remedy."""


def program(name, package, *more_directories):
    """The path of a program."""
    path = os.pathsep.join([os.environ["PATH"], "/usr/sbin", "/usr/local/sbin", *more_directories])
    found = shutil.which(name, path=path)
    if not found:
        raise ProofError(f"the program {name} is not there; remedy: apt-get install {package}")
    return found


def jdk():
    """The directory of the JDK that ./sluice would use."""
    find = 'die() { echo "$*" >&2; exit 2; }; . tools/launcher/jdk.sh; find_jdk; printf %s "$jdk"'
    done = subprocess.run(["sh", "-c", find], cwd=HOME, capture_output=True, text=True)
    if done.returncode:
        raise ProofError(done.stderr.rstrip())
    return done.stdout


def free_port():
    """A port of 127.0.0.1 that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Certificates:
    """An authority of its own, and an RSA certificate of it for localhost, since tlsfuzzer speaks to RSA servers."""

    VALID_DAYS = 90

    def __init__(self, directory):
        self.root, self.chain, self.key = directory / "root.pem", directory / "server.pem", directory / "server.key"
        self._config = directory / "openssl.cnf"
        self._config.write_text(
            "[req]\ndistinguished_name = dn\n[dn]\n"
            "[root]\nbasicConstraints = critical, CA:TRUE\nkeyUsage = critical, keyCertSign, cRLSign\n"
            "subjectKeyIdentifier = hash\n"
            "[server]\nbasicConstraints = critical, CA:FALSE\nsubjectAltName = DNS:localhost, IP:127.0.0.1\n"
            "keyUsage = critical, digitalSignature, keyEncipherment\nextendedKeyUsage = serverAuth\n"
            "subjectKeyIdentifier = hash\nauthorityKeyIdentifier = keyid\n"
        )
        root_key = directory / "root.key"
        self._make("root", "Sluice proofs", self.root, root_key, ["-newkey", "rsa:2048"])
        signed = ["-newkey", "rsa:2048", "-CA", str(self.root), "-CAkey", str(root_key)]
        self._make("server", "localhost", self.chain, self.key, signed)

    def _make(self, section, name, certificate, key, how):
        command = [program("openssl", "openssl"), "req", "-x509", *how, "-nodes", "-sha256", "-days",
                   str(self.VALID_DAYS)]
        command += ["-config", str(self._config), "-extensions", section, "-subj", f"/CN={name}"]
        command += ["-keyout", str(key), "-out", str(certificate)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise ProofError(f"openssl makes no certificate:\n{done.stderr}")


@contextlib.contextmanager
def running(command, environment, log):
    """A program that runs as long as the context, with its output in a file."""
    with open(log, "wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, env=os.environ | environment)
        try:
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(STOP_SECONDS_MAX)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def await_listener(process, port, log):
    """Returns when somebody accepts connections on a port."""
    end = time.monotonic() + START_SECONDS_MAX
    while time.monotonic() < end and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.05)
    raise ProofError(f"nobody listens on port {port}; the server said:\n{log.read_text()}")


# What nginx and the gateway both serve, so that a difference is one of the servers and not of their configurations: the
# suites that tlsfuzzer's scripts speak, among them such that the gateway leaves to libssl.
SUITES_13 = [
    "TLS_AES_128_GCM_SHA256",
    "TLS_AES_256_GCM_SHA384",
    "TLS_CHACHA20_POLY1305_SHA256",
    "TLS_AES_128_CCM_SHA256",
    "TLS_AES_128_CCM_8_SHA256",
]
CIPHERS = [
    "ECDHE-RSA-AES128-GCM-SHA256",
    "ECDHE-RSA-AES256-GCM-SHA384",
    "ECDHE-RSA-CHACHA20-POLY1305",
    "AES128-GCM-SHA256",
    "AES256-GCM-SHA384",
    "ECDHE-RSA-AES128-SHA",
    "ECDHE-RSA-AES256-SHA",
    "AES128-SHA256",
    "AES128-SHA",
    "AES256-SHA",
]
# P-256 first, since that is the key share that the scripts send.
GROUPS = ["P-256", "X25519", "X448", "P-521", "P-384", "ffdhe2048", "ffdhe3072", "ffdhe4096", "ffdhe6144", "ffdhe8192"]

# A page of some length, which several reads and records may carry, as HTTP/1.0 clients get it: the end of the
# connection is the end of the page.
PAGE = "Sluice. " * 40


@contextlib.contextmanager
def nginx(directory, certificates, openssl):
    """nginx twice in one: a plain HTTP server, and TLS before it as the gateway does it, by its stream module.

    Yields the ports (plain, TLS)."""
    plain, tls = free_port(), free_port()
    modules = [m for m in [pathlib.Path("/usr/lib/nginx/modules/ngx_stream_module.so")] if m.exists()]
    config = directory / "nginx.conf"
    config.write_text(
        "".join(f"load_module {module};\n" for module in modules)
        + f"""
        daemon off; master_process off; worker_processes 1; pid {directory}/nginx.pid;
        error_log {directory}/nginx.log warn;
        events {{ worker_connections 1024; }}
        http {{
            access_log off; large_client_header_buffers 8 256k; client_max_body_size 0;
            client_body_temp_path {directory}/body; proxy_temp_path {directory}/proxy;
            fastcgi_temp_path {directory}/fastcgi; uwsgi_temp_path {directory}/uwsgi; scgi_temp_path {directory}/scgi;
            server {{ listen 127.0.0.1:{plain}; location / {{ return 200 "{PAGE}"; }} }}
        }}
        stream {{
            server {{
                listen 127.0.0.1:{tls} ssl; proxy_pass 127.0.0.1:{plain}; proxy_buffer_size 16k;
                ssl_certificate {certificates.chain}; ssl_certificate_key {certificates.key};
                ssl_protocols TLSv1.2 TLSv1.3; ssl_ciphers {":".join(CIPHERS)};
                ssl_conf_command Ciphersuites {":".join(SUITES_13)}; ssl_ecdh_curve {":".join(GROUPS)};
            }}
        }}
        """
    )
    command = [program("nginx", "nginx-light libnginx-mod-stream"), "-p", str(directory), "-c", str(config)]
    library = {"LD_LIBRARY_PATH": openssl} if openssl else {}
    log = directory / "nginx.out"
    with running(command, library, log) as process:
        await_listener(process, plain, log)
        await_listener(process, tls, log)
        yield plain, tls


class Gateway:
    """A gateway that runs."""

    def __init__(self, port, log):
        self.port = port
        self._log = log

    def log(self):
        """All that it said."""
        return self._log.read_text()

    def complaints(self):
        """Lines that a gateway must never write, whatever its clients do."""
        return [line for line in self.log().splitlines() if re.search(r" ERROR |Exception|^\s+at |leak:", line)]


@contextlib.contextmanager
def gateway(directory, certificates, backend, openssl, listener_lines=()):
    """The gateway before a plain backend on a port of 127.0.0.1. Yields a Gateway, whose log outlives it."""
    port = free_port()
    config = directory / "sluice.yaml"
    lines = "".join(f"    {line}\n" for line in listener_lines)
    config.write_text(
        f"listeners:\n  - address: 127.0.0.1:{port}\n    certificates: [main]\n    backend: main\n{lines}"
        f"certificates:\n  main: {{chain: {certificates.chain}, key: {certificates.key}}}\n"
        f'backends:\n  main: {{servers: ["127.0.0.1:{backend}"]}}\n'
        "drain: 1s\n"
    )
    subprocess.run([str(HOME / "sluice"), "--version"], check=True, stdout=subprocess.DEVNULL)  # builds what is stale
    log = directory / "gateway.out"
    library = {"SLUICE_OPENSSL": openssl} if openssl else {}
    with running([str(HOME / "sluice"), "gateway", "--config", str(config)], library, log) as process:
        await_listener(process, port, log)
        yield Gateway(port, log)
