package dev.sluice.interop.doctor;

import static dev.sluice.doctor.finding.FindingKind.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.doctor.finding.DoctorReport;
import dev.sluice.doctor.finding.FindingKind;
import dev.sluice.interop.fixture.GoProgram;
import dev.sluice.testkit.CertificateRequest;
import dev.sluice.testkit.CertificateRequest.KeyAlgorithm;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.FreePort;
import dev.sluice.testkit.RunningProgram;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * HAProxy, hitch, stunnel, OpenSSL's own server and Go's, well and badly: every planted fault is found, and none
 * besides.
 */
class OtherServersDoctorTest extends DoctorTest {
    private static final Duration START_LIMIT = Waiting.LIMIT;
    private static final TestCertificates CERTIFICATES = TestCertificates.shared();

    @TempDir
    Path directory = Path.of("");

    private final List<AutoCloseable> running = new ArrayList<>();

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable each : running.reversed()) {
            each.close();
        }
    }

    // ---- HAProxy

    @Test
    void haproxy() throws IOException {
        Map<String, String> binds = Map.of(
                "well", "alpn h2,http/1.1 prefer-client-ciphers",
                "own order", "alpn h2,http/1.1",
                "http/1.1", "alpn http/1.1 prefer-client-ciphers",
                "1.2 only", "alpn h2,http/1.1 prefer-client-ciphers ssl-max-ver TLSv1.2",
                "early data", "alpn h2,http/1.1 prefer-client-ciphers allow-0rtt",
                "cbc", "alpn h2,http/1.1 prefer-client-ciphers ciphers ECDHE+AES");
        Ports ports = haproxy(binds);

        assertFound(ports.of("well"));
        assertFound(ports.of("own order"));
        assertFound(ports.of("http/1.1"), NO_H2);
        assertFound(ports.of("1.2 only"), NO_TLS13);
        assertFound(ports.of("early data"), EARLY_DATA_OFFERED);
        assertFound(ports.of("cbc"), CBC_SUITES);
    }

    private Ports haproxy(Map<String, String> binds) throws IOException {
        Path both = Files.writeString(directory.resolve("both.pem"), both(well()));
        Ports ports = new Ports();
        StringBuilder lines = new StringBuilder();
        binds.forEach((name, options) -> {
            int port = FreePort.onLoopback();
            ports.put(name, port);
            lines.append("    bind 127.0.0.1:%d ssl crt %s ciphers ECDHE+AESGCM:ECDHE+CHACHA20 %s\n"
                    .formatted(port, both, options));
        });
        startHaproxy("""
                global
                    tune.ssl.lifetime 86400
                defaults
                    mode http
                    timeout client 10s
                    timeout server 10s
                    timeout connect 10s
                frontend tls
                %s
                    http-request return status 200 content-type text/plain string hello
                """.formatted(lines), ports);
        return ports;
    }

    /** Two servers with ticket keys of their own behind one port: the fault that shows only now and then. */
    @Test
    void serversBehindABalancerThatShareNoTicketKey() throws IOException {
        NginxServers servers = new NginxServers(directory)
                .add("one", well(), "")
                .add("other", well(), "")
                .start();
        running.add(servers);
        int port = FreePort.onLoopback();
        startHaproxy("""
                defaults
                    mode tcp
                    timeout client 10s
                    timeout server 10s
                    timeout connect 10s
                listen balancer
                    bind 127.0.0.1:%d
                    balance roundrobin
                    server one 127.0.0.1:%d
                    server other 127.0.0.1:%d
                """.formatted(port, servers.port("one"), servers.port("other")), Ports.one(port));

        DoctorReport report = audit(port, OPTIONS);

        assertFindings(report, TICKETS_NOT_SHARED);
        assertThat(report.facts().text("resumption", "ticket keys seen")).isEqualTo("2");
    }

    private void startHaproxy(String config, Ports ports) throws IOException {
        Path file = Files.writeString(directory.resolve("haproxy.cfg"), config);
        start(ForeignProgram.required("haproxy", "haproxy"), ports, "-db", "-f", file.toString());
    }

    // ---- hitch

    @Test
    void hitch() throws IOException {
        NginxServers plain =
                new NginxServers(directory).addServer("plain", "", "").start();
        running.add(plain);
        int well = FreePort.onLoopback();
        Path both = Files.writeString(directory.resolve("hitch.pem"), both(well()));
        startHitch(well, both, plain.port("plain"), "alpn-protos = \"h2, http/1.1\"");
        int old = FreePort.onLoopback();
        startHitch(old, both, plain.port("plain"), "tls-protos = TLSv1.2\n");

        assertFound(well);
        assertFound(old, NO_TLS13, NO_ALPN);
    }

    /** It refuses to serve as root. */
    private void startHitch(int port, Path both, int backend, String lines) throws IOException {
        String user = System.getProperty("user.name").equals("root") ? "user = \"root\"\ngroup = \"root\"" : "";
        Path file = Files.writeString(
                directory.resolve("hitch-" + port + ".conf"), """
                frontend = "[127.0.0.1]:%d"
                backend = "[127.0.0.1]:%d"
                pem-file = "%s"
                ciphers = "ECDHE+AESGCM:ECDHE+CHACHA20"
                workers = 1
                daemon = off
                %s
                %s
                """.formatted(port, backend, both, user, lines));
        start(ForeignProgram.required("hitch", "hitch"), Ports.one(port), "--config=" + file);
    }

    // ---- stunnel

    @Test
    void stunnel() throws IOException {
        int well = FreePort.onLoopback();
        int old = FreePort.onLoopback();
        NginxServers plain =
                new NginxServers(directory).addServer("plain", "", "").start();
        running.add(plain);
        Credential credential = well();
        Path file = Files.writeString(directory.resolve("stunnel.conf"), """
                foreground = yes
                pid =
                cert = %s
                key = %s
                ciphers = ECDHE+AESGCM:ECDHE+CHACHA20
                [well]
                accept = 127.0.0.1:%d
                connect = 127.0.0.1:%d
                [new]
                accept = 127.0.0.1:%d
                connect = 127.0.0.1:%d
                sslVersionMin = TLSv1.3
                """.formatted(
                credential.chainFile(), credential.keyFile(), well, plain.port("plain"), old, plain.port("plain")));
        start(ForeignProgram.required("stunnel", "stunnel4"), Ports.one(well), file.toString());

        assertFound(well, NO_ALPN);
        assertFound(old, NO_ALPN, NO_TLS12);
    }

    // ---- openssl s_server

    @Test
    void opensslServer() {
        Credential well = well();
        Credential rsa =
                CERTIFICATES.issue(CertificateRequest.named("doctor-rsa").with(KeyAlgorithm.RSA_2048));

        assertFound(sServer(well), NO_ALPN);
        assertFound(sServer(rsa, "-cipher", "AES128-GCM-SHA256"), NO_ALPN, RSA_ONLY, RSA_KEY_EXCHANGE);
        assertFound(sServer(well, "-num_tickets", "6"), NO_ALPN, MANY_TICKETS);
        assertFound(sServer(well, "-num_tickets", "0", "-tls1_3"), NO_ALPN, NO_TLS12, NO_RESUMPTION);
        assertFound(sServer(well, "-max_early_data", "16384"), NO_ALPN, EARLY_DATA_OFFERED);
    }

    @Test
    void staplesAreReadAndTheirTimeIsSeen() throws IOException {
        Credential stapled = CERTIFICATES.issue(
                CertificateRequest.named("doctor-stapled").viaIntermediate().askingAt("http://127.0.0.1:1/"));
        Path fresh = staple(stapled, "fresh", "V", ForeignProgram.required("openssl", "openssl"), List.of());
        Path stale = staple(
                stapled,
                "stale",
                "V",
                ForeignProgram.required("faketime", "faketime"),
                List.of("-f", "-3d", "openssl"));
        Path revoked = staple(stapled, "revoked", "R", ForeignProgram.required("openssl", "openssl"), List.of());

        DoctorReport well = audit(stapling(stapled, fresh), OPTIONS.withHttp());
        assertFindings(well, NO_ALPN);
        assertThat(kinds(well)).doesNotContain(NO_STAPLE);
        assertThat(well.facts().text("stapling", "status")).isEqualTo("good");
        assertFound(stapling(stapled, stale), NO_ALPN, STALE_STAPLE);
        assertFound(stapling(stapled, revoked), NO_ALPN, STATUS_UNKNOWN);
    }

    private int stapling(Credential credential, Path staple) {
        return sServer(credential, "-cert_chain", credential.chainFile().toString(), "-status_file", staple.toString());
    }

    /** A response of {@code openssl ocsp}, which holds for a day. */
    private Path staple(Credential credential, String name, String status, ForeignProgram program, List<String> before)
            throws IOException {
        Credential authority = CERTIFICATES.intermediateAuthority();
        Credential signer = CERTIFICATES.ocspSigner(true);
        String serial = credential.certificate().getSerialNumber().toString(16).toUpperCase(Locale.ROOT);
        String revoked = status.equals("R") ? "251101000000Z,keyCompromise" : "";
        Path index = Files.writeString(
                directory.resolve(name + ".txt"),
                String.join(
                                "\t",
                                status,
                                "491231235959Z",
                                revoked,
                                serial.length() % 2 == 0 ? serial : "0" + serial,
                                "unknown",
                                "/CN=any")
                        + "\n");
        Path request = directory.resolve(name + ".req");
        Path response = directory.resolve(name + ".der");
        ForeignProgram.required("openssl", "openssl")
                .command(
                        "ocsp",
                        "-issuer",
                        authority.chainFile().toString(),
                        "-cert",
                        credential.chainFile().toString(),
                        "-no_nonce",
                        "-reqout",
                        request.toString())
                .run()
                .expectSuccess();
        List<String> arguments = new ArrayList<>(before);
        arguments.addAll(List.of(
                "ocsp", "-index", index.toString(), "-CA", authority.chainFile().toString()));
        arguments.addAll(List.of(
                "-rsigner",
                signer.chainFile().toString(),
                "-rkey",
                signer.keyFile().toString()));
        arguments.addAll(List.of("-reqin", request.toString(), "-respout", response.toString(), "-ndays", "1"));
        program.command(arguments.toArray(String[]::new)).run().expectSuccess();
        return response;
    }

    private int sServer(Credential credential, String... options) {
        int port = FreePort.onLoopback();
        List<String> arguments = new ArrayList<>(List.of(
                "s_server",
                "-accept",
                "127.0.0.1:" + port,
                "-cert",
                credential.chainFile().toString(),
                "-key",
                credential.keyFile().toString(),
                "-www",
                "-quiet"));
        boolean ownCiphers = List.of(options).contains("-cipher");
        arguments.addAll(ownCiphers ? List.of() : List.of("-cipher", "ECDHE+AESGCM:ECDHE+CHACHA20"));
        arguments.addAll(List.of(options));
        start(ForeignProgram.required("openssl", "openssl"), Ports.one(port), arguments.toArray(String[]::new));
        return port;
    }

    // ---- Go

    @Test
    void go() {
        Path program = GoProgram.compile("doctor.go", directory);
        Credential well = well();
        RunningProgram started = ForeignProgram.at(program)
                .command(well.chainFile().toString(), well.keyFile().toString())
                .with("GODEBUG", "tlsmlkem=1") // off for programs without a module
                .start();
        running.add(started);
        started.awaitOutput("ready", START_LIMIT);
        Ports ports = new Ports();
        started.output().lines().filter(line -> line.contains(" ")).forEach(line -> {
            int space = line.indexOf(' ');
            ports.put(line.substring(0, space), Integer.parseInt(line.substring(space + 1)));
        });

        assertFound(ports.of("well"));
        assertFound(ports.of("cbc"), CBC_SUITES);
        assertFound(ports.of("1.2-only"), NO_TLS13);
        assertFound(ports.of("no-tickets"), NO_RESUMPTION);
        assertFound(ports.of("old"), OLD_VERSIONS);
        assertFound(ports.of("no-alpn"), NO_ALPN);
        assertFound(ports.of("no-post-quantum"), NO_PQ_GROUP);
        if (ports.has("post-quantum")) {
            assertThat(kinds(audit(ports.of("post-quantum"), OPTIONS))).doesNotContain(NO_PQ_GROUP);
        }
    }

    private void assertFound(int port, FindingKind... expected) {
        assertFindings(audit(port, OPTIONS.withHttp()), expected);
    }

    private static Credential well() {
        return CERTIFICATES.issue(CertificateRequest.named("doctor-well"));
    }

    private static String both(Credential credential) throws IOException {
        return Files.readString(credential.chainFile()) + Files.readString(credential.keyFile());
    }

    private void start(ForeignProgram program, Ports ports, String... arguments) {
        RunningProgram started = program.command(arguments).inputStaysOpen().start();
        running.add(started);
        ports.all().forEach(port -> NginxServers.awaitPort(port, started));
    }

    /** The ports of servers, by name. */
    private static final class Ports {
        private final Map<String, Integer> byName = new HashMap<>();

        static Ports one(int port) {
            Ports ports = new Ports();
            ports.put("one", port);
            return ports;
        }

        void put(String name, int port) {
            byName.put(name, port);
        }

        boolean has(String name) {
            return byName.containsKey(name);
        }

        int of(String name) {
            Integer port = byName.get(name);
            if (port == null) {
                throw new IllegalArgumentException("no server of this name: " + name + " among " + byName);
            }
            return port;
        }

        Collection<Integer> all() {
            return byName.values();
        }
    }
}
