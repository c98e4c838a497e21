package dev.sluice.ffi.openssl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChainVerificationTest {
    private static final Duration DAY = Duration.ofDays(1);

    @Test
    void verifiesAChainUnderItsRootOnly() {
        try (EvpPkey rootKey = EvpPkey.generateElliptic("P-256");
                EvpPkey middleKey = EvpPkey.generateElliptic("P-256");
                EvpPkey key = EvpPkey.generate("ED25519");
                X509 root = IssuedCertificate.root(rootKey, "root", DAY);
                X509 other = IssuedCertificate.root(middleKey, "root", DAY);
                X509 middle = IssuedCertificate.authority(middleKey, "middle", DAY, root, rootKey);
                X509 server = IssuedCertificate.server(key, List.of("a.test", "127.0.0.1"), DAY, middle, middleKey)) {
            assertThat(server.alternativeNames()).containsExactly("DNS:a.test", "IP:127.0.0.1");
            assertThat(middle.hasIssued(server)).isTrue();
            try (ChainVerification holds = new ChainVerification(root, List.of(server, middle))) {
                holds.run();
                holds.run();
                assertThat(holds.bytes()).isBetween(500L, 2000L);
            }
            try (ChainVerification incomplete = new ChainVerification(root, List.of(server))) {
                assertThatThrownBy(incomplete::run)
                        .isInstanceOf(OpenSslException.class)
                        .hasMessageContaining("unable to get");
            }
            try (ChainVerification wrong = new ChainVerification(other, List.of(server, middle))) {
                assertThatThrownBy(wrong::run).isInstanceOf(OpenSslException.class);
            }
        }
    }
}
