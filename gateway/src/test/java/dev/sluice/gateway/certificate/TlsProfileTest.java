package dev.sluice.gateway.certificate;

import static dev.sluice.gateway.GatewayFixture.certificate;
import static dev.sluice.gateway.GatewayFixture.listener;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.model.ListenerConfig;
import dev.sluice.config.model.TlsOptions;
import dev.sluice.config.model.TlsProfile;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.raw.OpenSsl;
import dev.sluice.memory.Ledger;
import dev.sluice.testkit.NativeBalance;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.tls.context.ClientContextBuilder;
import dev.sluice.tls.context.ProtocolVersion;
import dev.sluice.tls.context.SharedContext;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.engine.EngineState;
import dev.sluice.tls.engine.HandshakeInfo;
import dev.sluice.tls.engine.MemoryEngine;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the parameters negotiated with clients of all kinds, on the OpenSSL that the tests run on. */
class TlsProfileTest {
    private static final int ROUNDS = 20;

    @RegisterExtension
    final NativeBalance<?> balance = NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    @ParameterizedTest
    @EnumSource(TlsProfile.class)
    void theHybridGroupComesFirstWhereOpenSslHasIt(TlsProfile profile) {
        String best = OpenSsl.require().supportsGroup("X25519MLKEM768") ? "X25519MLKEM768" : "X25519";

        assertThat(agreed(profile, client())).extracting(HandshakeInfo::group).isEqualTo(best);
        assertThat(agreed(profile, client().groups(List.of("P-256", "X25519"))))
                .extracting(HandshakeInfo::version)
                .isEqualTo("TLSv1.3");
        assertThat(agreed(profile, client().groups(List.of("P-384"))))
                .extracting(HandshakeInfo::group)
                .isEqualTo("P-384");
        assertThat(agreed(profile, client().groups(List.of("P-521")))).isNull();
    }

    @ParameterizedTest
    @EnumSource(TlsProfile.class)
    void aesComesFirstUnlessTheClientPutsChachaFirst(TlsProfile profile) {
        assertThat(suite(profile, "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256", "TLS_AES_128_GCM_SHA256"))
                .isEqualTo("TLS_AES_128_GCM_SHA256");
        assertThat(suite(profile, "TLS_CHACHA20_POLY1305_SHA256", "TLS_AES_128_GCM_SHA256"))
                .isEqualTo("TLS_CHACHA20_POLY1305_SHA256");
    }

    private static @Nullable String suite(TlsProfile profile, String... offered) {
        HandshakeInfo info = agreed(profile, client().cipherSuites(List.of(offered)));
        return info == null ? null : info.cipher();
    }

    @ParameterizedTest
    @CsvSource({
        "ECDHE-ECDSA-AES128-GCM-SHA256, TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
        "ECDHE-RSA-AES128-GCM-SHA256, TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
        "ECDHE-ECDSA-AES256-GCM-SHA384, TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
        "ECDHE-RSA-AES256-GCM-SHA384, TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
        "ECDHE-ECDSA-CHACHA20-POLY1305, TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
        "ECDHE-RSA-CHACHA20-POLY1305, TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
        "ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-AES128-GCM-SHA256, TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"
    })
    void intermediateSpeaksTls12(String offered, String chosen) {
        assertThat(agreed(TlsProfile.INTERMEDIATE, tls12().cipherList(offered)))
                .extracting(HandshakeInfo::cipher)
                .isEqualTo(chosen);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ECDHE-ECDSA-AES128-SHA256",
                "ECDHE-RSA-AES256-SHA384",
                "AES128-GCM-SHA256",
                "DHE-RSA-AES128-GCM-SHA256"
            })
    void intermediateSpeaksNothingWeaker(String offered) {
        assertThat(agreed(TlsProfile.INTERMEDIATE, tls12().cipherList(offered))).isNull();
    }

    @Test
    void modernSpeaksNoTls12() {
        assertThat(agreed(TlsProfile.MODERN, tls12())).isNull();
        assertThat(agreed(TlsProfile.MODERN, client()))
                .extracting(HandshakeInfo::version)
                .isEqualTo("TLSv1.3");
    }

    private static ClientContextBuilder client() {
        return TlsContext.client().trust(TestCertificates.shared().rootFile());
    }

    private static ClientContextBuilder tls12() {
        return client().versions(ProtocolVersion.TLS_1_2, ProtocolVersion.TLS_1_2);
    }

    private static SharedContext contextOf(ListenerConfig listener) {
        try (OpenSslCheck check = new OpenSslCheck()) {
            listener.certificates().getFirst().keyPairs().forEach(pair -> check.certificate(pair.files()));
            return ServerContexts.of(listener, null, null, null, null, check.loaded());
        }
    }

    /** Returns the parameters that a client and a listener of this profile negotiate; null when they do not agree. */
    private static @Nullable HandshakeInfo agreed(TlsProfile profile, ClientContextBuilder builder) {
        TestCertificates certificates = TestCertificates.shared();
        ListenerConfig listener = listener(
                List.of(certificate("both", "localhost", certificates.server(), certificates.serverRsa())),
                List.of(),
                TlsOptions.of(profile));
        try (SharedContext context = contextOf(listener);
                TlsContext clientContext = builder.build();
                MemoryEngine server = MemoryEngine.server(context);
                MemoryEngine client = MemoryEngine.client(clientContext, "localhost")) {
            for (int i = 0; i < ROUNDS && client.state() != EngineState.FAILED; i++) {
                client.handshake();
                pump(client, server);
                server.handshake();
                pump(server, client);
            }
            return server.state() == EngineState.OPEN ? client.handshakeInfo() : null;
        }
    }

    private static void pump(MemoryEngine from, MemoryEngine to) {
        while (from.sendLength() > 0 && to.receiveCapacity() > 0) {
            int count = Math.min(from.sendLength(), to.receiveCapacity());
            RawMemory.copy(from.sendAddress(), to.receiveAddress(), count);
            from.sent(count);
            to.received(count);
        }
    }
}
