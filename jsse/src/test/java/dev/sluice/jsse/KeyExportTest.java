package dev.sluice.jsse;

import static dev.sluice.jsse.ProviderContexts.client;
import static dev.sluice.jsse.ProviderContexts.server;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sluice.jsse.ProviderContexts.Tls;
import dev.sluice.testkit.TestCertificates;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyExportTest {
    private static final String LABEL = "EXPORTER-sluice-test";

    @ParameterizedTest
    @CsvSource({
        "SLUICE, JDK, TLSv1.3, TLS_AES_128_GCM_SHA256",
        "JDK, SLUICE, TLSv1.3, TLS_AES_256_GCM_SHA384",
        "SLUICE, JDK, TLSv1.2, TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
        "JDK, SLUICE, TLSv1.2, TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"
    })
    void bothSidesExportTheSameBeforeAndAfterData(Tls from, Tls to, String protocol, String suite) throws SSLException {
        SSLEngine starting = client(from.context(null));
        starting.setEnabledProtocols(new String[] {protocol});
        starting.setEnabledCipherSuites(new String[] {suite});
        SSLEngine answering = server(to.context(TestCertificates.shared().server()));
        try (EngineConversation talk = new EngineConversation(starting, answering)) {
            talk.handshake();
            List<byte[]> before = exports(starting);
            assertThat(exports(answering)).usingRecursiveComparison().isEqualTo(before);

            talk.sendToClient(new byte[10]);
            talk.sendToServer(new byte[10]);

            assertThat(exports(starting)).usingRecursiveComparison().isEqualTo(before);
            assertThat(exports(answering)).usingRecursiveComparison().isEqualTo(before);
        }
    }

    @ParameterizedTest
    @CsvSource({"TLSv1.2, 65535", "TLSv1.3, 255"})
    void aContextThatIsTooLongIsRejected(String protocol, int most) throws SSLException {
        SSLEngine starting = client(Tls.SLUICE.context(null));
        starting.setEnabledProtocols(new String[] {protocol});
        SSLEngine answering = server(Tls.JDK.context(TestCertificates.shared().server()));
        try (EngineConversation talk = new EngineConversation(starting, answering)) {
            talk.handshake();
            ExtendedSSLSession session = (ExtendedSSLSession) starting.getSession();

            assertThat(session.exportKeyingMaterialData(LABEL, new byte[255], 32))
                    .isEqualTo(((ExtendedSSLSession) answering.getSession())
                            .exportKeyingMaterialData(LABEL, new byte[255], 32));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> session.exportKeyingMaterialData(LABEL, new byte[most + 1], 32))
                    .withMessageContaining("at most " + most + " bytes");
        }
    }

    private static List<byte[]> exports(SSLEngine engine) throws SSLException {
        ExtendedSSLSession session = (ExtendedSSLSession) engine.getSession();
        List<byte[]> exports = new ArrayList<>();
        exports.add(session.exportKeyingMaterialData(LABEL, null, 100));
        exports.add(session.exportKeyingMaterialData(LABEL, new byte[] {1, 2, 3}, 32));
        assertThat(exports.getFirst()).hasSize(100);
        return exports;
    }
}
