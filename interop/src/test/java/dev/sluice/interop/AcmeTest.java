package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.Pebble;
import dev.sluice.interop.fixture.PresentedCertificate;
import dev.sluice.interop.fixture.Sluice;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.FreePort;
import dev.sluice.testkit.RunningProgram;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The gateway orders certificates from Pebble, in each of the three ways, and renews them. */
class AcmeTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    private final int tls = FreePort.onLoopback();
    private final int http = FreePort.onLoopback();
    private final int acme = FreePort.onLoopback();

    @TempDir
    Path directory = Path.of("");

    @Test
    void servesAPlaceholderUntilItIsIssuedAndKeepsAndRenewsIt() throws Exception {
        try (RunningProgram gateway = start(config("names: [shop.example, www.shop.example]"))) {
            X509Certificate placeholder = presented("shop.example");
            assertThat(placeholder.getIssuerX500Principal()).isEqualTo(placeholder.getSubjectX500Principal());
            gateway.awaitOutput("certificate main: order failed", LONG); // the server is down

            try (Pebble pebble = pebble("")) {
                X509Certificate issued = awaitIssuedBy(pebble, gateway);
                assertThat(issued.getSubjectAlternativeNames())
                        .extracting(name -> (Object) name.get(1))
                        .containsExactlyInAnyOrder("shop.example", "www.shop.example");
                assertThat(Sluice.command("certificates", "--admin", admin())
                                .run()
                                .expectSuccess()
                                .output())
                        .contains("ACME localhost: issued, renewal ");

                stop(gateway);
                long orders = pebble.orders();
                try (RunningProgram again = start(config("names: [shop.example, www.shop.example]"))) {
                    assertThat(presented("shop.example")).as("kept").isEqualTo(issued);
                    assertThat(pebble.orders()).isEqualTo(orders);

                    pebble.suggest(PresentedCertificate.pem(issued), "2020-01-01T00:00:00Z", "2020-01-02T00:00:00Z");
                    Waiting.until(LONG, () -> !presented("shop.example").equals(issued), again::toString);
                    stop(again);
                }
            }
        }
        requireSealed(directory.resolve("state/main.ecdsa.pem"));
    }

    @Test
    void ordersTwoKindsOfKeysByHttpWithAnExternalAccountAndAProfile() throws Exception {
        String key = Base64.getUrlEncoder().withoutPadding().encodeToString(new byte[32]);
        Files.writeString(directory.resolve("mac"), key + "\n");
        String external =
                "\"externalAccountBindingRequired\": true, \"externalAccountMACKeys\": {\"id-1\": \"" + key + "\"}";
        String config = config("names: [shop.example], challenge: http-01, keys: [ecdsa, rsa], profile: shortlived,"
                + " eab-key-id: id-1, eab-key-file: mac");
        try (Pebble pebble = pebble(external);
                RunningProgram gateway = start(config)) {
            gateway.awaitOutput("(ecdsa)", LONG);
            gateway.awaitOutput("(rsa)", LONG);
            X509Certificate issued = awaitIssuedBy(pebble, gateway);

            assertThat(Duration.between(
                            issued.getNotBefore().toInstant(),
                            issued.getNotAfter().toInstant()))
                    .isBetween(Duration.ofDays(5), Duration.ofDays(6));
            assertThat(directory.resolve("state/main.rsa.pem")).exists();
            stop(gateway);
        }
    }

    @Test
    void ordersAWildcardByARecordThatAProgramAdds() throws Exception {
        try (Pebble pebble = pebble("")) {
            Path hook = Files.writeString(directory.resolve("hook"), """
                    #!/bin/sh
                    case $1 in
                        present) curl -s -d "{\\"host\\":\\"$2.\\",\\"value\\":\\"$3\\"}" %1$s/set-txt ;;
                        cleanup) curl -s -d "{\\"host\\":\\"$2.\\"}" %1$s/clear-txt; echo "$2" >>%2$s/cleaned ;;
                    esac
                    """.formatted(pebble.dnsManagement(), directory));
            Files.setPosixFilePermissions(hook, PosixFilePermissions.fromString("rwx------"));
            String config =
                    config("names: [\"*.shop.example\"], challenge: dns-01, dns-settling: 0s, dns-hook: " + hook);
            try (RunningProgram gateway = start(config)) {
                X509Certificate issued = awaitIssuedBy(pebble, gateway);

                assertThat(issued.getSubjectAlternativeNames())
                        .extracting(name -> (Object) name.get(1))
                        .containsExactly("*.shop.example");
                assertThat(directory.resolve("cleaned")).hasContent("_acme-challenge.shop.example");
                stop(gateway);
            }
        }
    }

    @Test
    void servesOnWhenANameIsNotProved() throws Exception {
        try (Pebble pebble = new Pebble(directory, acme, FreePort.onLoopback(), http, "");
                RunningProgram gateway = start(config("names: [shop.example]"))) {
            gateway.awaitOutput("shop.example is not proved by tls-alpn-01", LONG);

            X509Certificate served = presented("shop.example");
            assertThat(served.getIssuerX500Principal()).isEqualTo(served.getSubjectX500Principal());
            assertThat(pebble.orders()).isPositive();
            stop(gateway);
        }
    }

    // --- fixtures ---------------------------------------------------------------------------------------------------

    private Pebble pebble(String more) {
        return new Pebble(directory, acme, tls, http, more);
    }

    private String admin() {
        return "unix:" + directory.resolve("admin.sock");
    }

    private String config(String certificate) {
        return """
                acme: {state: state, agree-terms: on, directory: "https://localhost:%d/dir", server-ca: "%s"}
                admin: "%s"
                warm-up: off
                loops: 2
                listeners:
                  - {address: "127.0.0.1:%d", certificates: [main], backend: main, alpn: [http/1.1]}
                  - {address: "127.0.0.1:%d", redirect: 443}
                certificates:
                  main: {acme: {%s}}
                backends:
                  main: {servers: ["127.0.0.1:1"]}
                """.formatted(acme, TestCertificates.shared().rootFile(), admin(), tls, http, certificate);
    }

    private RunningProgram start(String config) throws IOException {
        Path file = Files.writeString(directory.resolve("sluice.yaml"), config);
        RunningProgram gateway = Sluice.command("gateway", "--config", file.toString())
                .with(
                        "SLUICE_JAVA_OPTS",
                        "-Dsluice.reload.look.millis=100 -Dsluice.acme.retry.millis=300"
                                + " -Dsluice.acme.look.millis=500")
                .start();
        gateway.awaitOutput("listening on 127.0.0.1:" + http, LONG);
        return gateway;
    }

    private static void stop(RunningProgram gateway) {
        gateway.terminate();
        assertThat(gateway.awaitExit(LONG).exitCode()).isZero();
        assertThat(gateway.output() + gateway.errors()).doesNotContain("Exception", "leak:", "\tat ");
    }

    private X509Certificate awaitIssuedBy(Pebble pebble, RunningProgram gateway) throws Exception {
        X509Certificate issuer = pebble.intermediate();
        Waiting.until(
                LONG,
                () -> presented("shop.example").getIssuerX500Principal().equals(issuer.getSubjectX500Principal()),
                () -> gateway + "\n" + pebble.log());
        X509Certificate issued = presented("shop.example");
        issued.verify(issuer.getPublicKey());
        return issued;
    }

    private X509Certificate presented(String name) {
        return PresentedCertificate.of(tls, name);
    }

    /** The file is its owner's, and OpenSSL reads its key by the passphrase beside it, and not without. */
    private static void requireSealed(Path file) throws IOException {
        assertThat(Files.getPosixFilePermissions(file))
                .containsExactlyInAnyOrder(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
        ForeignProgram openssl = ForeignProgram.required("openssl", "openssl");
        openssl.command("pkey", "-noout", "-in", file.toString(), "-passin", "file:" + file.resolveSibling("seal.key"))
                .run()
                .expectSuccess();
        assertThat(openssl.command("pkey", "-noout", "-in", file.toString(), "-passin", "pass:wrong")
                        .run()
                        .exitCode())
                .isNotZero();
    }
}
