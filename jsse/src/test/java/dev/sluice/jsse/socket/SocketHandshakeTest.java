package dev.sluice.jsse.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.HandshakeCompletedEvent;
import javax.net.ssl.HandshakeCompletedListener;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Handshakes, their settings, and their failures. */
@ParameterizedClass
@MethodSource("dev.sluice.jsse.socket.SocketCase#all")
final class SocketHandshakeTest extends SocketConformance {
    /** A name with a dot: others are not sent. */
    private static final String NAME = "name.example";

    private static final String NO_SUITE = "SSL_NULL_WITH_NULL_NULL";

    SocketHandshakeTest(SocketCase testCase) {
        super(testCase);
    }

    @Test
    void completesWhenStarted() throws Exception {
        establish();
        SSLSession session = subject().getSession();
        assertThat(session.isValid()).isTrue();
        assertThat(session.getProtocol()).isEqualTo(testCase.version());
        assertThat(session.getCipherSuite()).isEqualTo(peer().getSession().getCipherSuite());
        assertThat(client().getSession().getPeerCertificates())
                .contains(AUTHORITY.server().certificate());
        assertThat(server().getSession().getLocalCertificates())
                .contains(AUTHORITY.server().certificate());
        assertUsable();
    }

    @Test
    void completesAtTheFirstReadAndWrite() throws Exception {
        connect();
        assertUsable();
    }

    @Test
    void completesWhenTheSessionIsRequested() throws Exception {
        connect();
        Future<SSLSession> atPeer = async(() -> peer().getSession());
        assertThat(subject().getSession().getProtocol()).isEqualTo(testCase.version());
        assertThat(await(atPeer).isValid()).isTrue();
        assertUsable();
    }

    @Test
    void completesOnceForSeveralThreads() throws Exception {
        connect();
        List<Future<SSLSession>> sessions = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            sessions.add(async(() -> subject().getSession()));
        }
        peer().startHandshake();
        for (Future<SSLSession> each : sessions) {
            assertThat(await(each).isValid()).isTrue();
        }
        assertUsable();
    }

    @Test
    void updatesKeysOrRenegotiatesWhenStartedAgain() throws Exception {
        establish();
        if (testCase.kind() == SocketKind.SLUICE && !testCase.isTls13()) {
            assertThatThrownBy(subject()::startHandshake).isInstanceOf(SSLHandshakeException.class);
            assertUsable();
            return;
        }
        subject().startHandshake();
        Future<String> atSubject = async(() -> read(subject(), 5));
        Future<String> atPeer = async(() -> read(peer(), 5));
        write(subject(), "hello");
        assertThat(await(atPeer)).isEqualTo("hello");
        write(peer(), "hello");
        assertThat(await(atSubject)).isEqualTo("hello");
        assertThat(subject().getSession().isValid()).isTrue();
    }

    @Test
    void answersKeyUpdatesOfThePeer() throws Exception {
        if (!testCase.isTls13()) {
            return;
        }
        establish();
        for (int i = 0; i < 3; i++) {
            peer().startHandshake();
            assertUsable();
        }
    }

    @Test
    void failsWithSocketExceptionWhenNotConnectedOrClosed() throws Exception {
        SSLSocket unconnected =
                track((SSLSocket) testCase.kind().clients(subjectContext).createSocket());
        assertThatThrownBy(unconnected::startHandshake).isInstanceOf(SocketException.class);
        connect();
        subject().close();
        assertThatThrownBy(subject()::startHandshake).isInstanceOf(SocketException.class);
    }

    @Test
    void fixesTheModeOnceItHasBegun() throws Exception {
        establish();
        assertThatThrownBy(() -> subject().setUseClientMode(!testCase.isClient()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void reversesRolesByTheMode() throws Exception {
        serverHas(AUTHORITY.server());
        clientHas(AUTHORITY.server());
        connect();
        subject().setUseClientMode(!testCase.isClient());
        peer().setUseClientMode(testCase.isClient());
        handshake();
        assertThat(subject().getUseClientMode()).isNotEqualTo(testCase.isClient());
        assertUsable();
    }

    // ---- sessions and listeners

    @Test
    void returnsAnInvalidSessionWithoutAConnection() throws Exception {
        SSLSocket unconnected =
                track((SSLSocket) testCase.kind().clients(subjectContext).createSocket());
        assertThat(unconnected.getSession().getCipherSuite()).isEqualTo(NO_SUITE);
        assertThat(unconnected.getSession().isValid()).isFalse();
        assertThat(unconnected.getHandshakeSession()).isNull();
    }

    @Test
    void returnsAnInvalidSessionAfterAFailure() throws Exception {
        connectToPlainPeer();
        peerTransport().close();
        assertThat(subject().getSession().getCipherSuite()).isEqualTo(NO_SUITE);
        assertThat(subject().getSession().isValid()).isFalse();
        assertThatThrownBy(subject()::startHandshake).isInstanceOf(SocketException.class);
    }

    @Test
    void failsForGoodWhenARequestForTheSessionTimesOut() throws Exception {
        connectToPlainPeer();
        subject().setSoTimeout(TIMEOUT_MILLIS);
        assertThat(subject().getSession().isValid()).isFalse();
        assertThatThrownBy(subject()::startHandshake).isInstanceOf(SocketException.class);
    }

    @Test
    void continuesAfterATimeout() throws Exception {
        connect();
        subject().setSoTimeout(TIMEOUT_MILLIS);
        assertThatThrownBy(subject()::startHandshake).isInstanceOf(SocketTimeoutException.class);
        assertThatThrownBy(() -> subject().getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        assertThat(subject().isClosed()).isFalse();
        subject().setSoTimeout(0);
        handshake();
        assertUsable();
    }

    @Test
    void notifiesListeners() throws Exception {
        connect();
        BlockingQueue<HandshakeCompletedEvent> events = new LinkedBlockingQueue<>();
        BlockingQueue<HandshakeCompletedEvent> notExpected = new LinkedBlockingQueue<>();
        HandshakeCompletedListener removed = notExpected::add;
        subject().addHandshakeCompletedListener(events::add);
        subject().addHandshakeCompletedListener(removed);
        subject().removeHandshakeCompletedListener(removed);
        handshake();
        HandshakeCompletedEvent event = events.poll(Waiting.LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertThat(event).isNotNull();
        assertThat(event.getSocket()).isSameAs(subject());
        assertThat(event.getCipherSuite()).isEqualTo(subject().getSession().getCipherSuite());
        assertUsable();
        assertThat(events).isEmpty();
        assertThat(notExpected).isEmpty();
    }

    @Test
    void rejectsListenersThatAreNullOrUnknown() throws Exception {
        connect();
        assertThatThrownBy(() -> subject().addHandshakeCompletedListener(null))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> subject().removeHandshakeCompletedListener(null))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> subject().removeHandshakeCompletedListener(event -> {}))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void resumesSessions() throws Exception {
        CountingTrust trust = new CountingTrust();
        SocketKind clientKind = testCase.isClient() ? testCase.kind() : SocketKind.SUN_JSSE;
        SSLContext clientContext = SocketContexts.fresh(clientKind, null, trust.managers());
        ServerSocket listener = listen(testCase.isClient() ? SocketKind.SUN_JSSE : testCase.kind(), serverContext());
        for (int i = 0; i < 3; i++) {
            Future<SSLSocket> accepted = async(() -> (SSLSocket) listener.accept());
            SSLSocket client =
                    track((SSLSocket) clientKind.clients(clientContext).createSocket(HOST, listener.getLocalPort()));
            client.setEnabledProtocols(new String[] {testCase.version()});
            SSLSocket server = track(await(accepted));
            Future<?> atServer = async(() -> write(server, "hello"));
            assertThat(read(client, 5)).isEqualTo("hello"); // With the ticket of TLS 1.3 before it.
            await(atServer);
            client.close();
            server.close();
        }
        assertThat(trust.checks()).isEqualTo(1);
    }

    private SSLContext serverContext() {
        return testCase.isClient() ? peerContext : subjectContext;
    }

    // ---- application protocols

    @Test
    void negotiatesAnApplicationProtocol() throws Exception {
        connect();
        change(client(), parameters -> parameters.setApplicationProtocols(new String[] {"h2", "http/1.1"}));
        change(server(), parameters -> parameters.setApplicationProtocols(new String[] {"http/1.1"}));
        assertThat(subject().getApplicationProtocol()).isNull();
        assertThat(subject().getHandshakeApplicationProtocol()).isNull();
        handshake();
        assertThat(subject().getApplicationProtocol()).isEqualTo("http/1.1");
        assertThat(subject().getHandshakeApplicationProtocol()).isNull();
    }

    @Test
    void reportsThatNoApplicationProtocolWasNegotiated() throws Exception {
        establish();
        assertThat(subject().getApplicationProtocol()).isEmpty();
    }

    @Test
    void failsWithoutACommonApplicationProtocol() throws Exception {
        connect();
        change(client(), parameters -> parameters.setApplicationProtocols(new String[] {"h2"}));
        change(server(), parameters -> parameters.setApplicationProtocols(new String[] {"http/1.1"}));
        assertHandshakeFailsAt(server());
    }

    @Test
    void selectsTheApplicationProtocolByACallback() throws Exception {
        connect();
        change(client(), parameters -> parameters.setApplicationProtocols(new String[] {"h2", "http/1.1"}));
        AtomicReference<SSLSocket> called = new AtomicReference<>();
        server().setHandshakeApplicationProtocolSelector((socket, offered) -> {
            called.set(socket);
            return offered.getLast();
        });
        assertThat(server().getHandshakeApplicationProtocolSelector()).isNotNull();
        handshake();
        assertThat(called.get()).isSameAs(server());
        assertThat(subject().getApplicationProtocol()).isEqualTo("http/1.1");
    }

    @Test
    void failsWhenTheCallbackRejectsAllApplicationProtocols() throws Exception {
        connect();
        change(client(), parameters -> parameters.setApplicationProtocols(new String[] {"h2"}));
        server().setHandshakeApplicationProtocolSelector((socket, offered) -> null);
        assertHandshakeFailsAt(server());
    }

    // ---- names and certificates

    @Test
    void sendsTheHostAsServerName() throws Exception {
        host = NAME;
        establish();
        ExtendedSSLSession session = (ExtendedSSLSession) server().getSession();
        assertThat(session.getRequestedServerNames()).containsExactly(new SNIHostName(NAME));
        assertThat(client().getSession().getPeerHost()).isEqualTo(NAME);
    }

    @Test
    void sendsAnotherServerNameWhenTold() throws Exception {
        connect();
        change(client(), parameters -> parameters.setServerNames(List.of(new SNIHostName("other.example"))));
        handshake();
        ExtendedSSLSession session = (ExtendedSSLSession) server().getSession();
        assertThat(session.getRequestedServerNames()).containsExactly(new SNIHostName("other.example"));
    }

    @Test
    void failsWhenNoMatcherAcceptsTheServerName() throws Exception {
        host = NAME;
        connect();
        change(
                server(),
                parameters -> parameters.setSNIMatchers(List.of(SNIHostName.createSNIMatcher("other\\.example"))));
        assertHandshakeFailsAt(server());
    }

    @Test
    void identifiesTheEndpoint() throws Exception {
        connect();
        change(client(), parameters -> parameters.setEndpointIdentificationAlgorithm("HTTPS"));
        handshake();
        assertUsable();
    }

    @Test
    void rejectsAnotherHost() throws Exception {
        serverHas(AUTHORITY.wrongHostServer());
        connect();
        change(client(), parameters -> parameters.setEndpointIdentificationAlgorithm("HTTPS"));
        assertHandshakeFailsAt(client());
    }

    @Test
    void rejectsAnExpiredCertificate() throws Exception {
        serverHas(AUTHORITY.expiredServer());
        connect();
        assertHandshakeFailsAt(client());
    }

    @Test
    void rejectsAnUnknownAuthority() throws Exception {
        if (testCase.isClient()) {
            subjectContext = SocketContexts.distrusting(testCase.kind(), null);
        } else {
            peerContext = SocketContexts.distrusting(SocketKind.SUN_JSSE, null);
        }
        connect();
        assertHandshakeFailsAt(client());
    }

    // ---- client authentication

    @Test
    void authenticatesTheClient() throws Exception {
        clientHas(AUTHORITY.client());
        connect();
        server().setNeedClientAuth(true);
        assertThat(server().getNeedClientAuth()).isTrue();
        handshake();
        X509Certificate certificate = AUTHORITY.client().certificate();
        assertThat(server().getSession().getPeerCertificates()).contains(certificate);
        assertThat(client().getSession().getLocalPrincipal()).isEqualTo(certificate.getSubjectX500Principal());
        assertUsable();
    }

    @Test
    void rejectsAClientWithoutTheRequiredCertificate() throws Exception {
        connect();
        server().setNeedClientAuth(true);
        Future<Throwable> atClient =
                async(() -> failure(() -> client().getInputStream().read()));
        assertThatThrownBy(server()::startHandshake).isInstanceOf(SSLHandshakeException.class);
        assertThat(await(atClient)).isInstanceOfAny(SSLException.class, SocketException.class);
    }

    @Test
    void acceptsAClientWithoutTheWantedCertificate() throws Exception {
        connect();
        server().setWantClientAuth(true);
        assertThat(server().getWantClientAuth()).isTrue();
        handshake();
        assertThatThrownBy(() -> server().getSession().getPeerCertificates())
                .isInstanceOf(SSLPeerUnverifiedException.class);
        assertUsable();
    }

    // ---- what cannot be agreed on

    @Test
    void failsWithoutACommonVersion() throws Exception {
        connect();
        String other = testCase.isTls13() ? "TLSv1.2" : "TLSv1.3";
        peer().setEnabledProtocols(new String[] {other});
        assertHandshakeFailsAt(server());
    }

    @Test
    void failsWithoutACommonCipherSuite() throws Exception {
        connect();
        boolean tls13 = testCase.isTls13();
        subject()
                .setEnabledCipherSuites(
                        new String[] {tls13 ? "TLS_AES_128_GCM_SHA256" : "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"});
        peer().setEnabledCipherSuites(
                        new String[] {tls13 ? "TLS_AES_256_GCM_SHA384" : "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"});
        assertHandshakeFailsAt(server());
    }

    @Test
    void rejectsSettingsThatDoNotExist() throws Exception {
        connect();
        assertThatThrownBy(() -> subject().setEnabledProtocols(new String[] {"TLSv9"}))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> subject().setEnabledProtocols(null)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> subject().setEnabledCipherSuites(new String[] {"TLS_NONE"}))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> subject().setEnabledCipherSuites(null)).isInstanceOf(IllegalArgumentException.class);
    }

    /**
     * Asserts that the handshake fails on both sides, and what the subject does after that. The side that finds the
     * fault closes at once, so that the other may fail to write before it reads the alert.
     */
    private void assertHandshakeFailsAt(SSLSocket finder) throws Exception {
        Future<Throwable> atPeer = async(() -> failure(() -> peer().startHandshake()));
        Throwable atSubject = failure(() -> subject().startHandshake());
        boolean foundBySubject = finder.equals(subject());
        Throwable found = foundBySubject ? atSubject : await(atPeer);
        Throwable reported = foundBySubject ? await(atPeer) : atSubject;
        assertThat(found).isInstanceOf(SSLHandshakeException.class);
        // OpenSSL's clients protect alerts from their first flight on, and SunJSSE wants them protected before.
        boolean unprotected =
                foundBySubject && testCase.kind() == SocketKind.SLUICE && testCase.isClient() && testCase.isTls13();
        assertThat(reported)
                .isInstanceOfAny(unprotected ? SSLException.class : SSLHandshakeException.class, SocketException.class);
        assertThat(subject().isClosed()).isTrue();
        assertThatThrownBy(() -> subject().startHandshake()).isInstanceOf(SocketException.class);
        assertThatThrownBy(() -> subject().getInputStream()).isInstanceOf(IOException.class);
        assertThat(subject().getSession().isValid()).isFalse();
    }
}
