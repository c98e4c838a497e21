package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.AcmeGateway;
import dev.sluice.interop.fixture.Pebble;
import dev.sluice.interop.fixture.PresentedCertificate;
import dev.sluice.interop.fixture.Sluice;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.RunningProgram;
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

    private final Path directory;
    private final AcmeGateway site;

    AcmeTest(@TempDir Path directory) {
        this.directory = directory;
        this.site = new AcmeGateway(directory);
    }

    @Test
    void servesAPlaceholderUntilItIsIssuedAndKeepsAndRenewsIt() throws Exception {
        try (RunningProgram gateway = site.start("names: [shop.example, www.shop.example]")) {
            X509Certificate placeholder = site.presented();
            assertThat(placeholder.getIssuerX500Principal()).isEqualTo(placeholder.getSubjectX500Principal());
            gateway.awaitOutput("certificate main: order failed", LONG); // the server is down

            try (Pebble pebble = site.pebble("")) {
                X509Certificate issued = site.awaitIssuedBy(pebble, gateway);
                assertThat(issued.getSubjectAlternativeNames())
                        .extracting(name -> (Object) name.get(1))
                        .containsExactlyInAnyOrder("shop.example", "www.shop.example");
                assertThat(Sluice.command("certificates", "--admin", site.admin())
                                .run()
                                .expectSuccess()
                                .output())
                        .contains("ACME localhost: issued, renewal ");

                AcmeGateway.stop(gateway);
                long orders = pebble.orders();
                try (RunningProgram again = site.start("names: [shop.example, www.shop.example]")) {
                    assertThat(site.presented()).as("kept").isEqualTo(issued);
                    assertThat(pebble.orders()).isEqualTo(orders);

                    pebble.suggest(PresentedCertificate.pem(issued), "2020-01-01T00:00:00Z", "2020-01-02T00:00:00Z");
                    site.awaitOther(issued, again);
                    AcmeGateway.stop(again);
                }
            }
        }
        requireSealed(site.state().resolve("main.ecdsa.pem"));
    }

    @Test
    void ordersTwoKindsOfKeysByHttpWithAnExternalAccountAndAProfile() throws Exception {
        String key = Base64.getUrlEncoder().withoutPadding().encodeToString(new byte[32]);
        Files.writeString(directory.resolve("mac"), key + "\n");
        String external =
                "\"externalAccountBindingRequired\": true, \"externalAccountMACKeys\": {\"id-1\": \"" + key + "\"}";
        String certificate = "names: [shop.example], challenge: http-01, keys: [ecdsa, rsa], profile: shortlived,"
                + " eab-key-id: id-1, eab-key-file: mac";
        try (Pebble pebble = site.pebble(external);
                RunningProgram gateway = site.start(certificate)) {
            gateway.awaitOutput("(ecdsa)", LONG);
            gateway.awaitOutput("(rsa)", LONG);
            X509Certificate issued = site.awaitIssuedBy(pebble, gateway);

            assertThat(Duration.between(
                            issued.getNotBefore().toInstant(),
                            issued.getNotAfter().toInstant()))
                    .isBetween(Duration.ofDays(5), Duration.ofDays(6));
            assertThat(site.state().resolve("main.rsa.pem")).exists();
            AcmeGateway.stop(gateway);
        }
    }

    @Test
    void ordersAWildcardByARecordThatAProgramAdds() throws Exception {
        try (Pebble pebble = site.pebble("")) {
            Path hook = Files.writeString(directory.resolve("hook"), """
                    #!/bin/sh
                    case $1 in
                        present) curl -s -d "{\\"host\\":\\"$2.\\",\\"value\\":\\"$3\\"}" %1$s/set-txt ;;
                        cleanup) curl -s -d "{\\"host\\":\\"$2.\\"}" %1$s/clear-txt; echo "$2" >>%2$s/cleaned ;;
                    esac
                    """.formatted(pebble.dnsManagement(), directory));
            Files.setPosixFilePermissions(hook, PosixFilePermissions.fromString("rwx------"));
            String certificate = "names: [\"*.shop.example\"], challenge: dns-01, dns-settling: 0s, dns-hook: " + hook;
            try (RunningProgram gateway = site.start(certificate)) {
                X509Certificate issued = site.awaitIssuedBy(pebble, gateway);

                assertThat(issued.getSubjectAlternativeNames())
                        .extracting(name -> (Object) name.get(1))
                        .containsExactly("*.shop.example");
                assertThat(directory.resolve("cleaned")).hasContent("_acme-challenge.shop.example");
                AcmeGateway.stop(gateway);
            }
        }
    }

    @Test
    void servesOnWhenANameIsNotProved() throws Exception {
        try (Pebble pebble = site.pebbleThatLooksElsewhere();
                RunningProgram gateway = site.start("names: [shop.example]")) {
            gateway.awaitOutput("shop.example is not proved by tls-alpn-01", LONG);

            X509Certificate served = site.presented();
            assertThat(served.getIssuerX500Principal()).isEqualTo(served.getSubjectX500Principal());
            assertThat(pebble.orders()).isPositive();
            AcmeGateway.stop(gateway);
        }
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
