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
    """An authority of its own, and certificates of it: for localhost, and for clients.

    The RSA certificate is that of most proofs, since most of tlsfuzzer's scripts speak to RSA servers."""

    VALID_DAYS = 90

    KEYS = {
        "rsa": ["-newkey", "rsa:2048"],
        "ecdsa": ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"],
        "ed25519": ["-newkey", "ed25519"],
    }

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
            "[client]\nbasicConstraints = critical, CA:FALSE\nkeyUsage = critical, digitalSignature\n"
            "extendedKeyUsage = clientAuth\nsubjectKeyIdentifier = hash\nauthorityKeyIdentifier = keyid\n"
        )
        self._directory = directory
        self._root_key = directory / "root.key"
        self._make("root", "Sluice proofs", self.root, self._root_key, self.KEYS["rsa"])
        self._signed("server", "localhost", self.chain, self.key, "rsa")

    def server(self, kind):
        """The chain and the key of another server, for a kind of KEYS."""
        return self._issued("server", "localhost", kind)

    def client(self, kind):
        """The certificate and the key of a client, for a kind of KEYS."""
        return self._issued("client", "client", kind)

    def _issued(self, section, name, kind):
        certificate, key = (self._directory / f"{section}-{kind}.{what}" for what in ("pem", "key"))
        if not certificate.exists():
            self._signed(section, name, certificate, key, kind)
        return certificate, key

    def _signed(self, section, name, certificate, key, kind):
        by_root = ["-CA", str(self.root), "-CAkey", str(self._root_key)]
        self._make(section, name, certificate, key, [*self.KEYS[kind], *by_root])

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
    "ECDHE-RSA-AES128-SHA256",
    "ECDHE-RSA-AES256-SHA384",
    "ECDHE-RSA-AES128-SHA",
    "ECDHE-RSA-AES256-SHA",
    "AES128-SHA256",
    "AES256-SHA256",
    "AES128-SHA",
    "AES256-SHA",
]
# P-256 first, since that is the key share that the scripts send.
GROUPS = ["P-256", "X25519", "X448", "P-521", "P-384", "ffdhe2048", "ffdhe3072", "ffdhe4096", "ffdhe6144", "ffdhe8192"]

# A page of some length, which several reads and records may carry, as HTTP/1.0 clients get it: the end of the
# connection is the end of the page.
PAGE = "Sluice. " * 40


class Endpoint:
    """A port of nginx, by its stream module, and one of the gateway, at which both speak TLS in the same way.

    clients: "none", or "optional" with client certificates of the authority."""

    def __init__(self, name, certificates, server="", clients="none", lines=()):
        self.name = name
        self.nginx, self.gateway = free_port(), free_port()
        self._root = certificates.root
        self._chain, self._key = certificates.server(server) if server else (certificates.chain, certificates.key)
        self._clients = clients
        self._lines = lines

    def nginx_block(self, plain):
        """The server of nginx."""
        clients = f"ssl_verify_client {self._clients}; ssl_client_certificate {self._root};"
        return f"""
            server {{
                listen 127.0.0.1:{self.nginx} ssl; proxy_pass 127.0.0.1:{plain}; proxy_buffer_size 16k;
                ssl_certificate {self._chain}; ssl_certificate_key {self._key};
                ssl_protocols TLSv1.2 TLSv1.3; ssl_ciphers {":".join(CIPHERS)};
                ssl_conf_command Ciphersuites {":".join(SUITES_13)}; ssl_ecdh_curve {":".join(GROUPS)};
                {clients if self._clients != "none" else ""}
            }}"""

    def listener(self):
        """The listener of the gateway."""
        clients = [f"client-auth: {self._clients}", f"client-ca: {self._root}"] if self._clients != "none" else []
        keys = [f"address: 127.0.0.1:{self.gateway}", f"certificates: [{self.name}]", "backend: main"]
        return "  - " + "\n    ".join([*keys, *clients, *self._lines]) + "\n"

    def certificate(self):
        """The certificate of the gateway."""
        return f"  {self.name}: {{chain: {self._chain}, key: {self._key}}}\n"


@contextlib.contextmanager
def nginx(directory, openssl, endpoints=()):
    """nginx twice in one: a plain HTTP server, whose port is yielded, and TLS before it as the gateway does it."""
    plain = free_port()
    modules = [m for m in [pathlib.Path("/usr/lib/nginx/modules/ngx_stream_module.so")] if m.exists()]
    streams = "".join(endpoint.nginx_block(plain) for endpoint in endpoints)
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
        {"stream {" + streams + "}" if streams else ""}
        """
    )
    command = [program("nginx", "nginx-light libnginx-mod-stream"), "-p", str(directory), "-c", str(config)]
    library = {"LD_LIBRARY_PATH": openssl} if openssl else {}
    log = directory / "nginx.out"
    with running(command, library, log) as process:
        for port in [plain, *(endpoint.nginx for endpoint in endpoints)]:
            await_listener(process, port, log)
        yield plain


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
def gateway(directory, backend, openssl, endpoints, lines=()):
    """The gateway before a plain backend. Yields a Gateway with the port of the first endpoint, whose log outlives
    it."""
    config = directory / "sluice.yaml"
    config.write_text(
        "listeners:\n" + "".join(endpoint.listener() for endpoint in endpoints)
        + "certificates:\n" + "".join(endpoint.certificate() for endpoint in endpoints)
        + f'backends:\n  main: {{servers: ["127.0.0.1:{backend}"]}}\n'
        + "".join(f"{line}\n" for line in ["drain: 1s", *lines])
    )
    subprocess.run([str(HOME / "sluice"), "--version"], check=True, stdout=subprocess.DEVNULL)  # builds what is stale
    log = directory / "gateway.out"
    library = {"SLUICE_OPENSSL": openssl} if openssl else {}
    with running([str(HOME / "sluice"), "gateway", "--config", str(config)], library, log) as process:
        for endpoint in endpoints:
            await_listener(process, endpoint.gateway, log)
        yield Gateway(endpoints[0].gateway, log)
