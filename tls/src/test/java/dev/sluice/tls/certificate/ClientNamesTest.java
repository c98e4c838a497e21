package dev.sluice.tls.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.tls.failure.TlsConfigurationException;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientNamesTest {
    private static final String DIGEST = "0123456789abcdef".repeat(4);
    private static final PeerCertificate CLIENT = new PeerCertificate(
            "CN=Anna\\, PhD,O=Example",
            List.of(
                    "DNS:anna.svc.example",
                    "email:anna@example.com",
                    "URI:spiffe://example/ns/shop/sa/billing",
                    "IP:192.0.2.7",
                    "unprintable:DNS:root.svc.other"),
            DIGEST);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cn:Anna, PhD",
                "CN:Anna, PhD",
                "dns:anna.svc.example",
                "DNS:Anna.SVC.example",
                "dns:*.svc.example",
                "email:anna@example.com",
                "uri:spiffe://example/ns/shop/sa/billing",
                "uri:spiffe://example/ns/shop/sa/*",
                "uri:spiffe://example/ns/**",
                "uri:spiffe://example/**"
            })
    void matches(String name) {
        assertThat(ClientNames.of(List.of("cn:nobody", name)).include(CLIENT)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cn:anna, phd",
                "cn:Anna",
                "cn:Example",
                "dns:svc.example",
                "dns:*.example",
                "dns:*.anna.svc.example",
                "dns:*.svc.other",
                "dns:root.svc.other",
                "dns:anna@example.com",
                "dns:192.0.2.7",
                "email:Anna@example.com",
                "uri:spiffe://example/ns/shop/sa/billing/*",
                "uri:spiffe://example/ns/shop/*",
                "uri:spiffe://example/ns/shop/sa/billing/**",
                "uri:spiffe://exam/**",
                "uri:anna.svc.example"
            })
    void doesNotMatch(String name) {
        assertThat(ClientNames.of(List.of(name)).include(CLIENT)).isFalse();
    }

    @Test
    void parsesADigestAsPrintedByOpenssl() {
        String printed = DIGEST.toUpperCase(Locale.ROOT).replaceAll("(..)(?!$)", "$1:");

        assertThat(ClientNames.of(List.of("sha256:" + printed)).include(CLIENT)).isTrue();
        assertThat(ClientNames.of(List.of("sha256:" + "00".repeat(32))).include(CLIENT))
                .isFalse();
    }

    @Test
    void authorizesEveryVerifiedClientWithoutNames() {
        assertThat(ClientNames.of(List.of())).isSameAs(ClientNames.ANY);
        assertThat(ClientNames.ANY.include(CLIENT)).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "anna | write cn:, dns:, email:, uri: or sha256:",
                "ip:192.0.2.7 | write cn:",
                "cn: | write cn:",
                ":anna | write cn:",
                "dns:*anna.example | whole first label",
                "dns:a.*.example | whole first label",
                "uri:spiffe://*/x | what follows the last slash",
                "uri:spiffe://example* | what follows the last slash",
                "uri:spiffe://example/*** | what follows the last slash",
                "sha256:12:34 | has 4 characters",
                "sha256:zz23456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef | hexadecimal digits"
            })
    void rejectsInvalidNamesWithARemedy(String name, String remedy) {
        assertThatThrownBy(() -> ClientNames.of(List.of(name)))
                .isInstanceOf(TlsConfigurationException.class)
                .hasMessageContainingAll(name, remedy);
    }
}
