package dev.sluice.jsse;

import static dev.sluice.jsse.ProviderContexts.client;
import static dev.sluice.jsse.ProviderContexts.server;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.jsse.EngineConversation.Memory;
import dev.sluice.jsse.ProviderContexts.Tls;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.TestCertificates;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Handshakes of this provider with itself and with the JDK's, in both roles, and what they agree on. */
class MixedHandshakeTest {
    private static final TestCertificates CERTIFICATES = TestCertificates.shared();
    private static final Map<Tls, SSLContext> CLIENTS = new EnumMap<>(Tls.class);
    private static final Map<Tls, SSLContext> SERVERS = new EnumMap<>(Tls.class);
    private static final byte[] DATA = new byte[100_000];

    @BeforeAll
    static void makeContexts() {
        new Random(1).nextBytes(DATA);
        for (Tls tls : Tls.values()) {
            CLIENTS.put(tls, tls.context(CERTIFICATES.client()));
            SERVERS.put(tls, tls.context(CERTIFICATES.server()));
        }
    }

    static Stream<Arguments> pairs() {
        List<Arguments> pairs = new ArrayList<>();
        for (String protocol : List.of("TLSv1.3", "TLSv1.2")) {
            pairs.add(Arguments.of(Tls.SLUICE, Tls.JDK, protocol, Memory.DIRECT));
            pairs.add(Arguments.of(Tls.JDK, Tls.SLUICE, protocol, Memory.HEAP));
            pairs.add(Arguments.of(Tls.SLUICE, Tls.SLUICE, protocol, Memory.DIRECT));
            pairs.add(Arguments.of(Tls.SLUICE, Tls.SLUICE, protocol, Memory.HEAP));
        }
        return pairs.stream();
    }

    private static EngineConversation talk(Tls from, SSLEngine to, String protocol, Memory memory) {
        SSLEngine starting = client(Objects.requireNonNull(CLIENTS.get(from)));
        starting.setEnabledProtocols(new String[] {protocol});
        return new EngineConversation(starting, to, memory);
    }

    private static SSLEngine answering(Tls tls) {
        return server(Objects.requireNonNull(SERVERS.get(tls)));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void exchangesDataAndClosesBothDirections(Tls from, Tls to, String protocol, Memory memory) throws SSLException {
        try (EngineConversation talk = talk(from, answering(to), protocol, memory)) {
            talk.handshake();
            talk.sendToServer(DATA);
            talk.sendToClient(DATA);
            talk.sendToServer(new byte[] {1});

            assertThat(talk.client.getSession().getProtocol()).isEqualTo(protocol);
            assertThat(talk.server.getSession().getCipherSuite())
                    .isEqualTo(talk.client.getSession().getCipherSuite());
            assertThat(talk.client.getSession().getPeerCertificates()[0])
                    .isEqualTo(CERTIFICATES.server().certificate());
            assertThatThrownBy(() -> talk.server.getSession().getPeerCertificates())
                    .isInstanceOf(SSLPeerUnverifiedException.class);
            talk.shutDown();
        }
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void authenticatesTheClient(Tls from, Tls to, String protocol, Memory memory) throws SSLException {
        SSLEngine answering = answering(to);
        answering.setNeedClientAuth(true);
        try (EngineConversation talk = talk(from, answering, protocol, memory)) {
            talk.handshake();
            talk.sendToServer(DATA);

            assertThat(talk.server.getSession().getPeerCertificates()[0])
                    .isEqualTo(CERTIFICATES.client().certificate());
            assertThat(talk.client.getSession().getLocalCertificates()).isNotNull();
        }
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void agreesOnAnApplicationProtocolAndAServerName(Tls from, Tls to, String protocol, Memory memory)
            throws SSLException {
        SSLEngine answering = answering(to);
        answering.setHandshakeApplicationProtocolSelector((engine, offered) -> offered.getLast());
        try (EngineConversation talk = talk(from, answering, protocol, memory)) {
            SSLParameters parameters = talk.client.getSSLParameters();
            parameters.setApplicationProtocols(new String[] {"h2", "http/1.1"});
            parameters.setServerNames(List.of(new SNIHostName("localhost")));
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            talk.client.setSSLParameters(parameters);
            talk.handshake();

            assertThat(talk.client.getApplicationProtocol()).isEqualTo("http/1.1");
            assertThat(talk.server.getApplicationProtocol()).isEqualTo("http/1.1");
            assertThat(((ExtendedSSLSession) talk.server.getSession()).getRequestedServerNames())
                    .containsExactly(new SNIHostName("localhost"));
        }
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void refusesAServerWithAnotherName(Tls from, Tls to, String protocol, Memory memory) {
        Credential other = CERTIFICATES.wrongHostServer();
        SSLEngine answering = server(to.context(other));
        try (EngineConversation talk = talk(from, answering, protocol, memory)) {
            SSLParameters parameters = talk.client.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            talk.client.setSSLParameters(parameters);

            assertThatThrownBy(talk::handshake)
                    .isInstanceOf(SSLHandshakeException.class)
                    .hasMessageContaining("localhost");
        }
    }
}
