package dev.sluice.ffi.openssl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.ffi.openssl.raw.OpenSsl;
import dev.sluice.memory.Ledger;
import java.util.List;
import org.junit.jupiter.api.Test;

class PublicKeyOperationTest {
    @Test
    void makesAndVerifiesSignaturesOfEveryKind() {
        long before = contexts();
        for (EvpPkey key : List.of(
                EvpPkey.generateRsa(2048), EvpPkey.generateElliptic("P-256"), EvpPkey.generateElliptic("P-384"))) {
            runTwice(PublicKeyOperation.sign(key));
            runTwice(PublicKeyOperation.verify(key));
            key.close();
        }
        try (EvpPkey key = EvpPkey.generate("ED25519")) {
            runTwice(PublicKeyOperation.signMessage(key));
            runTwice(PublicKeyOperation.verifyMessage(key));
        }
        assertThat(contexts()).isEqualTo(before);
    }

    @Test
    void generatesKeysAndDerivesSecrets() {
        try (EvpPkey ours = EvpPkey.generate("X25519");
                EvpPkey theirs = EvpPkey.generate("X25519")) {
            runTwice(PublicKeyOperation.derive(ours, theirs));
        }
        runTwice(PublicKeyOperation.generate("X25519", ""));
        runTwice(PublicKeyOperation.generate("EC", "P-256"));
    }

    @Test
    void runsPostQuantumKeyExchangeOrNamesTheMissingAlgorithm() {
        if (!OpenSsl.require().supportsGroup("X25519MLKEM768")) {
            assertThatThrownBy(() -> EvpPkey.generate("X25519MLKEM768"))
                    .isInstanceOf(OpenSslException.class)
                    .hasMessageContaining("X25519MLKEM768");
            return;
        }
        try (EvpPkey key = EvpPkey.generate("X25519MLKEM768")) {
            runTwice(PublicKeyOperation.encapsulate(key));
            runTwice(PublicKeyOperation.decapsulate(key));
        }
        runTwice(PublicKeyOperation.generate("X25519MLKEM768", ""));
    }

    @Test
    void rejectsMismatchedKeysWithoutLeaks() {
        long before = contexts();
        try (EvpPkey elliptic = EvpPkey.generateElliptic("P-256");
                EvpPkey other = EvpPkey.generate("X25519")) {
            assertThatThrownBy(() -> PublicKeyOperation.derive(elliptic, other))
                    .isInstanceOf(OpenSslException.class)
                    .hasMessageContaining("EVP_PKEY_derive_set_peer");
            assertThatThrownBy(() -> PublicKeyOperation.sign(other)).isInstanceOf(OpenSslException.class);
        }
        try (PublicKeyOperation unknown = PublicKeyOperation.generate("EC", "P-9")) {
            assertThatThrownBy(unknown::run)
                    .isInstanceOf(OpenSslException.class)
                    .hasMessageContaining("EVP_PKEY_generate failed");
        }
        assertThat(contexts()).isEqualTo(before);
    }

    private static void runTwice(PublicKeyOperation operation) {
        try (operation) {
            operation.run();
            operation.run();
        }
    }

    private static long contexts() {
        return Ledger.process().account("EVP_PKEY_CTX").liveCount()
                + Ledger.process().account("EVP_MD_CTX").liveCount();
    }
}
