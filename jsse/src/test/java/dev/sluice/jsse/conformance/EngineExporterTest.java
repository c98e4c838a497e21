package dev.sluice.jsse.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import javax.crypto.SecretKey;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLKeyException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keying material exporters (RFC 5705, RFC 8446 section 7.5), an API of JDK 25. */
@ParameterizedClass
@MethodSource("dev.sluice.jsse.conformance.ProviderPair#all")
final class EngineExporterTest {
    private static final String LABEL = "EXPERIMENTAL-sluice";
    private static final byte[] CONTEXT = "context".getBytes(StandardCharsets.US_ASCII);

    private final ProviderPair pair;

    EngineExporterTest(ProviderPair pair) {
        this.pair = pair;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 16, 32, 48, 255, 1000})
    void bothEndsExportTheSame(int length) throws SSLException {
        EngineLink link = pair.established();
        byte[] ofClient = session(link.client()).exportKeyingMaterialData(LABEL, CONTEXT, length);
        assertThat(ofClient).hasSize(length);
        assertThat(session(link.server()).exportKeyingMaterialData(LABEL, CONTEXT, length))
                .isEqualTo(ofClient);
    }

    private static ExtendedSSLSession session(EnginePeer peer) {
        return (ExtendedSSLSession) peer.engine().getSession();
    }

    @Test
    void noContextAndAnEmptyOneDifferUnderTls12Only() throws SSLException {
        EngineLink link = pair.established();
        byte[] none = session(link.client()).exportKeyingMaterialData(LABEL, null, 32);
        byte[] empty = session(link.client()).exportKeyingMaterialData(LABEL, new byte[0], 32);
        assertThat(Arrays.equals(none, empty)).isEqualTo(pair.isTls13());
        assertThat(session(link.server()).exportKeyingMaterialData(LABEL, null, 32))
                .isEqualTo(none);
        assertThat(session(link.server()).exportKeyingMaterialData(LABEL, new byte[0], 32))
                .isEqualTo(empty);
    }

    @Test
    void labelContextAndConnectionCount() throws SSLException {
        EngineLink link = pair.established();
        ExtendedSSLSession session = session(link.client());
        byte[] first = session.exportKeyingMaterialData(LABEL, CONTEXT, 32);
        assertThat(session.exportKeyingMaterialData(LABEL, CONTEXT, 32)).isEqualTo(first);
        assertThat(session.exportKeyingMaterialData("EXPERIMENTAL-other", CONTEXT, 32))
                .isNotEqualTo(first);
        assertThat(session.exportKeyingMaterialData(LABEL, new byte[] {1}, 32)).isNotEqualTo(first);
        assertThat(session(pair.established().client()).exportKeyingMaterialData(LABEL, CONTEXT, 32))
                .isNotEqualTo(first);
    }

    @Test
    void exportsKeys() throws SSLException {
        EngineLink link = pair.established();
        SecretKey key = session(link.client()).exportKeyingMaterialKey("AES", LABEL, CONTEXT, 32);
        assertThat(key.getAlgorithm()).isEqualTo("AES");
        assertThat(key.getEncoded()).isEqualTo(session(link.server()).exportKeyingMaterialData(LABEL, CONTEXT, 32));
    }

    @Test
    @SuppressWarnings("NullAway") // What a wrong call gets.
    void rejectsWrongArguments() throws SSLKeyException {
        ExtendedSSLSession session = session(pair.established().client());
        assertThatExceptionOfType(NullPointerException.class)
                .isThrownBy(() -> session.exportKeyingMaterialData(null, CONTEXT, 32));
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> session.exportKeyingMaterialData(LABEL, CONTEXT, 0));
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> session.exportKeyingMaterialData(LABEL, CONTEXT, -1));
        assertThatExceptionOfType(NullPointerException.class)
                .isThrownBy(() -> session.exportKeyingMaterialKey(null, LABEL, CONTEXT, 32));
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> session.exportKeyingMaterialKey("", LABEL, CONTEXT, 32));
        assertThat(session.exportKeyingMaterialData(LABEL, CONTEXT, 32)).hasSize(32);
    }
}
