package dev.sluice.jsse.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.CertificateRequest;
import dev.sluice.testkit.Credential;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Resumption between contexts. A trust manager that is not asked again shows that a handshake was resumed. */
@ParameterizedClass
@MethodSource("dev.sluice.jsse.conformance.ProviderPair#all")
final class EngineResumptionTest {
    private static final String HOST = "localhost";
    private static final int PORT = 443;

    private final ProviderPair pair;

    private final WatchingTrustManager trust = new WatchingTrustManager();
    private SSLContext client;
    private SSLContext server;

    EngineResumptionTest(ProviderPair pair) {
        this.pair = pair;
    }

    @BeforeEach
    void createContexts() {
        client = JsseContexts.newClient(pair.client(), trust);
        server = JsseContexts.newServer(pair.server());
    }

    @Test
    void theSecondHandshakeIsResumed() throws SSLException {
        connect();
        connect();
        assertThat(trust.calls()).isEqualTo(1);
    }

    private EngineLink connect() throws SSLException {
        return connect(HOST, PORT);
    }

    private EngineLink connect(String host, int port) throws SSLException {
        EngineLink link = pair.link(client, server, host, port).handshake();
        link.assertCarriesData();
        link.close();
        return link;
    }

    private EngineLink open() {
        return pair.link(client, server, HOST, PORT).handshake();
    }

    @Test
    void manyHandshakesAreResumedInTurn() throws SSLException {
        for (int i = 0; i < 5; i++) {
            connect();
        }
        assertThat(trust.calls()).isEqualTo(1);
    }

    @Test
    void aResumedHandshakeFinishesAtBothEnds() throws SSLException {
        connect();
        EngineLink second = open();
        assertThat(second.client().count(HandshakeStatus.FINISHED)).isPositive();
        assertThat(second.server().count(HandshakeStatus.FINISHED)).isPositive();
        second.assertCarriesData();
    }

    @Test
    void aResumedSessionKnowsThePeer() throws SSLException {
        SSLSession first = session(connect());
        SSLSession second = session(connect());
        assertThat(trust.calls()).isEqualTo(1);
        assertThat(second.getPeerCertificates()).isEqualTo(first.getPeerCertificates());
        assertThat(second.getPeerPrincipal()).isEqualTo(first.getPeerPrincipal());
        assertThat(second.getCipherSuite()).isEqualTo(first.getCipherSuite());
        assertThat(second.getProtocol()).isEqualTo(first.getProtocol());
        assertThat(second.getPeerHost()).isEqualTo(HOST);
        assertThat(second.getPeerPort()).isEqualTo(PORT);
    }

    private static SSLSession session(EngineLink link) {
        return link.client().engine().getSession();
    }

    @Test
    void aResumedSessionIsAsOldAsTheFirst() throws SSLException {
        SSLSession first = session(connect());
        SSLSession second = session(connect());
        assertThat(second.getCreationTime()).isEqualTo(first.getCreationTime());
        assertThat(second.getLastAccessedTime()).isGreaterThanOrEqualTo(second.getCreationTime());
    }

    @Test
    void anotherPortIsAnotherPeer() throws SSLException {
        connect(HOST, 443);
        connect(HOST, 8443);
        assertThat(trust.calls()).isEqualTo(2);
    }

    @Test
    void anotherHostIsAnotherPeer() throws SSLException {
        connect("a.example", 443);
        connect("b.example", 443);
        assertThat(trust.calls()).isEqualTo(2);
    }

    @Test
    void noPeerMeansNoResumption() {
        pair.link(client, server).handshake();
        pair.link(client, server).handshake();
        assertThat(trust.calls()).isEqualTo(2);
    }

    @Test
    void anotherContextOfTheClientKnowsNothing() throws SSLException {
        connect();
        client = JsseContexts.newClient(pair.client(), trust);
        connect();
        assertThat(trust.calls()).isEqualTo(2);
    }

    @Test
    void anotherContextOfTheServerStartsAnew() throws SSLException {
        connect();
        server = JsseContexts.newServer(pair.server());
        connect().assertSucceeded();
        assertThat(trust.calls()).isEqualTo(2);
    }

    @Test
    void anInvalidatedSessionIsNotResumed() throws SSLException {
        EngineLink first = connect();
        SSLSession session = session(first);
        session.invalidate();
        assertThat(session.isValid()).isFalse();
        connect();
        assertThat(trust.calls()).isEqualTo(2);
    }

    @Test
    void aFailedConnectionIsNotResumed() {
        EngineLink first = open();
        first.client().receive(TlsRecords.record(TlsRecords.APPLICATION_DATA, new byte[64]));
        first.settle();
        EngineLink.failureOf(first.client());
        assertThat(session(first).isValid()).isFalse();
        open();
        assertThat(trust.calls()).isEqualTo(2);
    }

    @Test
    void invalidatingEachSessionOfTheContextForgetsAll() throws SSLException {
        connect();
        SSLSessionContext sessions = client.getClientSessionContext();
        List<byte[]> ids = Collections.list(sessions.getIds());
        assertThat(ids).isNotEmpty();
        for (byte[] id : ids) {
            SSLSession cached = sessions.getSession(id);
            if (cached != null) {
                cached.invalidate();
            }
        }
        assertThat(Collections.list(sessions.getIds())).isEmpty();
        connect();
        assertThat(trust.calls()).isEqualTo(2);
    }

    @Test
    void theContextOfTheClientListsItsSessions() throws SSLException {
        SSLSessionContext sessions = client.getClientSessionContext();
        assertThat(Collections.list(sessions.getIds())).isEmpty();
        connect();
        List<byte[]> ids = Collections.list(sessions.getIds());
        assertThat(ids).isNotEmpty();
        SSLSession cached = sessions.getSession(ids.getFirst());
        assertThat(cached.getId()).isEqualTo(ids.getFirst());
        assertThat(cached.getPeerHost()).isEqualTo(HOST);
        assertThat(cached.getPeerPort()).isEqualTo(PORT);
        assertThat(cached.getSessionContext()).isSameAs(sessions);
        assertThat(cached.isValid()).isTrue();
        assertThat(sessions.getSession(new byte[] {1, 2, 3})).isNull();
    }

    @Test
    void aCacheOfOneKeepsTheLastPeer() throws SSLException {
        client.getClientSessionContext().setSessionCacheSize(1);
        connect("a.example", 443);
        connect("b.example", 443);
        assertThat(Collections.list(client.getClientSessionContext().getIds())).hasSize(1);
        connect("b.example", 443);
        assertThat(trust.calls()).isEqualTo(2);
        connect("a.example", 443);
        assertThat(trust.calls()).isEqualTo(3);
    }

    @Test
    void sessionsAreResumedWithoutCreation() throws SSLException {
        connect();
        EngineLink second = pair.link(client, server, HOST, PORT);
        second.client().engine().setEnableSessionCreation(false);
        second.handshake().assertCarriesData();
        assertThat(trust.calls()).isEqualTo(1);
    }

    @Test
    void aSessionWhoseSuiteIsDisabledIsNotResumed() throws SSLException {
        String suite = session(connect()).getCipherSuite();
        EngineLink second = pair.link(client, server, HOST, PORT);
        List<String> others = new ArrayList<>(List.of(second.client().engine().getEnabledCipherSuites()));
        others.remove(suite);
        // Under TLS 1.3, a ticket may be used with any suite of the same hash.
        others.removeIf(each -> each.endsWith(suite.substring(suite.lastIndexOf('_'))));
        second.client().engine().setEnabledCipherSuites(others.toArray(new String[0]));
        second.handshake().assertCarriesData();
        assertThat(session(second).getCipherSuite()).isNotEqualTo(suite);
        assertThat(trust.calls()).isEqualTo(2);
    }

    @Test
    void aSessionOfAnotherVersionIsNotResumed() throws SSLException {
        connect();
        ProviderPair other = new ProviderPair(
                pair.client(), pair.server(), pair.isTls13() ? JsseVersion.TLS_12 : JsseVersion.TLS_13);
        other.link(client, server, HOST, PORT).handshake().assertCarriesData();
        assertThat(trust.calls()).isEqualTo(2);
    }

    @Test
    void aServerThatNeedsACertificateResumesAuthenticatedSessions() throws SSLException {
        client = pair.client().context(JsseContexts.keys(JsseContexts.AUTHORITY.client()), new TrustManager[] {trust});
        for (int i = 0; i < 2; i++) {
            EngineLink link = pair.link(client, server, HOST, PORT);
            link.server().engine().setNeedClientAuth(true);
            link.handshake().assertCarriesData();
            assertThat(link.server().engine().getSession().getPeerCertificates())
                    .containsExactly(JsseContexts.AUTHORITY.client().certificate());
            link.close();
        }
        assertThat(trust.calls()).isEqualTo(1);
    }

    @Test
    void aResumedSessionOfAServerKnowsTheClient() throws SSLException {
        Credential chained = JsseContexts.AUTHORITY.issue(
                CertificateRequest.named("client-resumed").viaIntermediate());
        client = pair.client().context(JsseContexts.keys(chained), new TrustManager[] {trust});
        for (int i = 0; i < 2; i++) {
            EngineLink link = pair.link(client, server, HOST, PORT);
            link.server().engine().setNeedClientAuth(true);
            link.handshake().assertCarriesData();
            Certificate[] seen = link.server().engine().getSession().getPeerCertificates();
            assertThat(seen[0]).isEqualTo(chained.certificate());
            if (i > 0) {
                Difference.CHAIN_OF_A_RESUMED_CLIENT.check(
                        pair.server(), seen.length == chained.chain().size() ? "the chain" : "one certificate");
            }
            link.close();
        }
        assertThat(trust.calls()).isEqualTo(1);
    }

    @Test
    void valuesSurviveResumption() throws SSLException {
        EngineLink first = open();
        session(first).putValue("key", "value");
        first.assertCarriesData();
        first.close();
        EngineLink second = open();
        assertThat(trust.calls()).isEqualTo(1);
        assertThat(session(second).getValue("key")).isEqualTo("value");
    }

    @Test
    void concurrentHandshakesOfOnePeerSucceed() throws SSLException {
        connect();
        EngineLink one = pair.link(client, server, HOST, PORT);
        EngineLink two = pair.link(client, server, HOST, PORT);
        SSLEngine engine = two.client().engine();
        engine.beginHandshake();
        one.handshake().assertCarriesData();
        two.handshake().assertCarriesData();
    }
}
