package dev.sluice.ffi.openssl.delegation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.EvpPkey;
import dev.sluice.ffi.openssl.HandshakeCallbacks;
import dev.sluice.ffi.openssl.HandshakeCallbacks.Target;
import dev.sluice.ffi.openssl.OpenSslException;
import dev.sluice.ffi.openssl.PublicKeyOperation;
import dev.sluice.ffi.openssl.SelfSignedCertificate;
import dev.sluice.ffi.openssl.X509;
import dev.sluice.ffi.openssl.raw.LibCryptoProviders;
import dev.sluice.memory.Ledger;
import dev.sluice.testkit.CProbe;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SigningProviderTest {
    private static final long NUMBER = 7;
    private static final int ED25519_BYTES = 64;

    @Test
    void structuresMatchTheHeaders() {
        Map<String, Long> ours = new LinkedHashMap<>();
        ours.put("offsetof(struct ossl_dispatch_st, function_id)", (long) OsslDispatch.FUNCTION_ID_OFFSET);
        ours.put("offsetof(struct ossl_dispatch_st, function)", (long) OsslDispatch.FUNCTION_OFFSET);
        ours.put("sizeof(struct ossl_dispatch_st)", (long) OsslDispatch.BYTES);
        ours.put("offsetof(struct ossl_algorithm_st, algorithm_names)", (long) OsslAlgorithm.NAMES_OFFSET);
        ours.put("offsetof(struct ossl_algorithm_st, property_definition)", (long) OsslAlgorithm.PROPERTIES_OFFSET);
        ours.put("offsetof(struct ossl_algorithm_st, implementation)", (long) OsslAlgorithm.IMPLEMENTATION_OFFSET);
        ours.put("offsetof(struct ossl_algorithm_st, algorithm_description)", (long) OsslAlgorithm.DESCRIPTION_OFFSET);
        ours.put("sizeof(struct ossl_algorithm_st)", (long) OsslAlgorithm.BYTES);
        CProbe probe = new CProbe("stddef.h", "openssl/core.h");
        ours.keySet().forEach(probe::ask);
        assertThat(probe.answers()).isEqualTo(ours);
    }

    @Test
    void signsThroughTheTargetOfTheThread() {
        List<Object> seen = new ArrayList<>();
        Target target = target((proxy, method, arguments) -> {
            seen.add(method.getName());
            seen.addAll(List.of(arguments[0], arguments[1], arguments[2], ((byte[]) arguments[3]).length));
            return new byte[ED25519_BYTES];
        });
        try (EvpPkey key = delegatedKey(NUMBER);
                PublicKeyOperation signature = PublicKeyOperation.signMessage(key)) {
            HandshakeCallbacks.enter(target);
            signature.run();
        } finally {
            HandshakeCallbacks.leave();
        }
        assertThat(seen).containsExactly("onSign", NUMBER, "", 0, 32);
    }

    @Test
    void exceptionsFailTheSignature() {
        List<Object> seen = new ArrayList<>();
        IllegalStateException thrown = new IllegalStateException("removed");
        Target target = target((proxy, method, arguments) -> {
            if (method.getName().equals("onSign")) {
                throw thrown;
            }
            seen.add(arguments[0]);
            return null;
        });
        try (EvpPkey key = delegatedKey(NUMBER);
                PublicKeyOperation signature = PublicKeyOperation.signMessage(key)) {
            assertThatThrownBy(signature::run).isInstanceOf(OpenSslException.class);
            HandshakeCallbacks.enter(target);
            assertThatThrownBy(signature::run).isInstanceOf(OpenSslException.class);
        } finally {
            HandshakeCallbacks.leave();
        }
        assertThat(seen).containsExactly(thrown);
    }

    @Test
    void rejectsSignaturesLongerThanTheirBuffer() {
        Target target = target((proxy, method, arguments) -> new byte[5_000]);
        try (EvpPkey key = delegatedKey(NUMBER);
                PublicKeyOperation signature = PublicKeyOperation.signMessage(key)) {
            HandshakeCallbacks.enter(target);
            assertThatThrownBy(signature::run).isInstanceOf(OpenSslException.class);
        } finally {
            HandshakeCallbacks.leave();
        }
    }

    @Test
    void exportsNoPrivateKey() {
        try (EvpPkey key = delegatedKey(NUMBER)) {
            assertThatThrownBy(key::toPem).isInstanceOf(OpenSslException.class);
        }
    }

    @Test
    void standsForKeysOfTheTypesOfTls() {
        try (EvpPkey own = EvpPkey.generateElliptic("P-256");
                X509 certificate = certificate(own);
                EvpPkey key = SigningProvider.key(certificate, NUMBER)) {
            assertThat(typeOf(key)).isEqualTo("EC");
        }
        try (EvpPkey own = EvpPkey.generateRsa(2048);
                X509 certificate = certificate(own);
                EvpPkey key = SigningProvider.key(certificate, NUMBER)) {
            assertThat(typeOf(key)).isEqualTo("RSA");
        }
    }

    private static String typeOf(EvpPkey key) {
        return RawMemory.getString(LibCryptoProviders.EVP_PKEY_get0_type_name(key.address()));
    }

    @Test
    void freesTheKeyWithItsLastReference() {
        Ledger.Account keys = Ledger.process().account("delegated key");
        long before = keys.liveCount();
        try (EvpPkey key = delegatedKey(NUMBER)) {
            assertThat(keys.liveCount()).isEqualTo(before + 1);
            assertThat(key.isClosed()).isFalse();
        }
        assertThat(keys.liveCount()).isEqualTo(before);
    }

    private static EvpPkey delegatedKey(long number) {
        try (EvpPkey own = EvpPkey.generate("ED25519");
                X509 certificate = SelfSignedCertificate.timeless(own, "delegated")) {
            return SigningProvider.key(certificate, number);
        }
    }

    private static X509 certificate(EvpPkey key) {
        return SelfSignedCertificate.make(key, "delegated", List.of("localhost"), Duration.ofDays(1));
    }

    private static Target target(InvocationHandler handler) {
        return (Target) Proxy.newProxyInstance(Target.class.getClassLoader(), new Class<?>[] {Target.class}, handler);
    }
}
