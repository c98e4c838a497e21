package dev.sluice.config.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.config.acme.AcmeAccount;
import dev.sluice.config.acme.AcmeChallenge;
import dev.sluice.config.acme.AcmeConfig;
import dev.sluice.config.acme.AcmeKeyType;
import dev.sluice.config.acme.AcmeSharing;
import dev.sluice.config.acme.ExternalAccount;
import dev.sluice.config.certificate.AgreeingTlsCheck;
import dev.sluice.config.certificate.CertificateFiles;
import dev.sluice.config.certificate.CertificateFindings;
import dev.sluice.config.model.CertificateConfig;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.yaml.ConfigException;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.TestCertificates;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AcmeReaderTest {
    private static final String AGREED = "acme: {agree-terms: on, state: state}\n";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    @Test
    void servesAPlaceholderUntilAFileIsThere() throws Exception {
        CertificateConfig shop = certificate(AGREED, "{names: [Shop.example, www.shop.example]}");

        assertThat(shop.serverNames())
                .extracting(name -> name.text())
                .containsExactlyInAnyOrder("shop.example", "www.shop.example");
        assertThat(shop.keyPairs())
                .singleElement()
                .satisfies(pair -> assertThat(pair.files()).isEqualTo(files("ecdsa")));
        assertThat(directory.resolve("state")).doesNotExist();
    }

    @Test
    void servesWhatHasBeenIssuedAndWatchesForTheRest() throws Exception {
        Credential issued = TestCertificates.shared().server();
        Files.createDirectory(directory.resolve("state"));
        Files.copy(issued.chainFile(), directory.resolve("state/shop.ecdsa.pem"));
        GatewayConfig config = read(AGREED, "{names: [shop.example], keys: [ecdsa, rsa]}", "");

        CertificateConfig shop = config.certificates().getFirst();
        assertThat(shop.keyPairs()).hasSize(1);
        assertThat(shop.serverNames()).extracting(name -> name.text()).contains("localhost");
        assertThat(config.files()).contains(files("ecdsa").chain(), files("rsa").chain());
    }

    @Test
    void readsTheOrder() throws Exception {
        Files.writeString(directory.resolve("mac"), "key");
        String common =
                "acme: {agree-terms: on, email: a@b.example, orders-per-hour: 3, directory: letsencrypt-staging}\n";
        AcmeConfig order = order(
                common,
                "{names: [shop.example], keys: rsa, profile: shortlived, challenge: dns-01, dns-hook: [/bin/hook, x],"
                        + " dns-time-limit: 5s, directory: \"https://acme.example/dir\", eab-key-id: id,"
                        + " eab-key-file: mac}");

        assertThat(order.challenge()).isEqualTo(AcmeChallenge.DNS_01);
        assertThat(order.keys()).containsExactly(AcmeKeyType.RSA);
        assertThat(order.profile()).isEqualTo("shortlived");
        assertThat(order.ordersPerHour()).isEqualTo(3);
        assertThat(Objects.requireNonNull(order.hook()).command()).containsExactly("/bin/hook", "x");
        assertThat(order.hook().timeLimit()).isEqualTo(Duration.ofSeconds(5));
        assertThat(order.account())
                .isEqualTo(new AcmeAccount(
                        URI.create("https://acme.example/dir"),
                        "a@b.example",
                        null,
                        new ExternalAccount("id", directory.resolve("mac"))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{names: [shop.example]} |needs the agreement to the server's terms",
                "{agree-terms: on} |lacks the key \"names\"",
                "{agree-terms: on, names: [\"*.shop.example\"]} |can only be proved by a TXT record",
                "{agree-terms: on, names: [10.0.0.1]} |which is no DNS name",
                "{agree-terms: on, names: [\"a b\"]} |which is no DNS name",
                "{agree-terms: on, names: [a.example, A.example]} |twice; remove one",
                "{agree-terms: on, names: [a.example], keys: [dsa]} |write ecdsa, rsa, or both",
                "{agree-terms: on, names: [a.example], directory: \"http://a\"}|the https URL of an ACME server",
                "{agree-terms: on, names: [a.example], email: nobody} |write an address such as",
                "{agree-terms: on, names: [a.example], challenge: http-01} |redirect: 443",
                "{agree-terms: on, names: [a.example], challenge: dns-01} |needs a program that adds TXT records",
                "{agree-terms: on, names: [a.example], dns-hook: /bin/x} |has no effect with challenge tls-alpn-01",
                "{agree-terms: on, names: [a.example], challenge: dns-01, dns-hook: x}|absolute path",
                "{agree-terms: on, names: [a.example], eab-key-id: x} |add eab-key-file",
            })
    void reportsMistakes(String acme, String problem) {
        assertThatThrownBy(() -> read("", acme, ""))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(problem.strip())
                .hasMessageContaining("sluice.yaml:");
    }

    @Test
    void needsARedirectListenerForHttp() throws Exception {
        GatewayConfig config = read(
                AGREED,
                "{names: [shop.example], challenge: http-01}",
                "  - {address: 127.0.0.1:8080, redirect: 443}\n");

        assertThat(config.listeners()).hasSize(2);
    }

    @Test
    void sharesCertificatesThroughTheStoreOfTicketKeys() throws Exception {
        Files.write(directory.resolve("fleet.key"), new byte[32]);
        String tickets = "tickets: {store: \"redis://store\", fleet-key: fleet.key}\n";
        AcmeConfig order = order(tickets + "acme: {agree-terms: on, store: tickets}\n", "{names: [shop.example]}");

        assertThat(order.storage().sharing()).isEqualTo(AcmeSharing.TICKETS);
        assertThat(order(AGREED, "{names: [shop.example]}").storage().sharing()).isEqualTo(AcmeSharing.LOCAL);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "acme: {agree-terms: on, store: tickets}|store is tickets, and tickets have no store",
                "acme: {agree-terms: on, store: redis}|store is \"redis\"; write one of local, tickets",
            })
    void reportsAStoreThatThereIsNot(String common, String problem) {
        assertThatThrownBy(() -> read(common + "\n", "{names: [a.example]}", ""))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(problem)
                .hasMessageContaining("sluice.yaml:1:");
    }

    private AcmeConfig order(String common, String acme) throws Exception {
        return Objects.requireNonNull(certificate(common, acme).acme());
    }

    private CertificateConfig certificate(String common, String acme) throws Exception {
        return read(common, acme, "").certificates().getFirst();
    }

    private CertificateFiles files(String type) {
        Path file = directory.resolve("state/shop." + type + ".pem");
        return new CertificateFiles(file, file, false, directory.resolve("state/seal.key"));
    }

    private GatewayConfig read(String common, String acme, String listeners) throws ConfigException, IOException {
        Path file = Files.writeString(
                directory.resolve("sluice.yaml"),
                common + "listeners:\n  - {address: 127.0.0.1:8443, certificates: [shop], backend: web}\n" + listeners
                        + "certificates: {shop: {acme: " + acme + "}}\n"
                        + "backends: {web: {servers: [127.0.0.1:8081]}}\n");
        return ConfigFile.read(file, new AgreeingTlsCheck() {
            @Override
            public CertificateFindings placeholder(CertificateFiles files, List<String> names) {
                return CertificateFindings.of(TestCertificates.shared().server().certificate(), List.of());
            }
        });
    }
}
