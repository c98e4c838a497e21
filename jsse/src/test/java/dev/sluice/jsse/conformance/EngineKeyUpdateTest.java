package dev.sluice.jsse.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * KeyUpdate under TLS 1.3. The build sets {@code jdk.tls.keyLimits} so low that SunJSSE updates its keys after 2 MiB;
 * an explicit {@code beginHandshake} updates them at once.
 */
@ParameterizedClass
@MethodSource("dev.sluice.jsse.conformance.ProviderPair#tls13")
final class EngineKeyUpdateTest {
    private static final int CHUNK = 16_384;
    private static final int CHUNKS = 400;

    private final ProviderPair pair;

    EngineKeyUpdateTest(ProviderPair pair) {
        this.pair = pair;
    }

    @Test
    void keysAreUpdatedByVolume() throws SSLException {
        EngineLink link = pair.established();
        byte[] chunk = new byte[CHUNK];
        for (int i = 0; i < CHUNKS; i++) {
            chunk[0] = (byte) i;
            link.assertCarries(link.client(), chunk);
            link.assertCarries(link.server(), chunk);
        }
        assertThat(link.client().failure()).isNull();
        assertThat(link.server().failure()).isNull();
    }

    @Test
    void beginHandshakeUpdatesKeys() throws SSLException {
        for (boolean isClient : new boolean[] {true, false}) {
            EngineLink link = pair.established();
            EnginePeer peer = isClient ? link.client() : link.server();
            for (int i = 0; i < 3; i++) {
                peer.engine().beginHandshake();
                assertThat(peer.status()).isEqualTo(HandshakeStatus.NEED_WRAP);
                link.settle();
                link.assertCarriesData();
            }
        }
    }

    @Test
    void bothEndsMayUpdateAtOnce() throws SSLException {
        EngineLink link = pair.established();
        link.client().engine().beginHandshake();
        link.server().engine().beginHandshake();
        link.settle();
        link.assertCarriesData();
        assertThat(link.client().status()).isEqualTo(HandshakeStatus.NOT_HANDSHAKING);
        assertThat(link.server().status()).isEqualTo(HandshakeStatus.NOT_HANDSHAKING);
    }
}
