package dev.sluice.jsse.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.sluice.testkit.Waiting;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionBindingEvent;
import javax.net.ssl.SSLSessionBindingListener;
import javax.net.ssl.SSLSessionContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sessions and their contexts on one provider: values, listeners, limits and times. */
@ParameterizedClass
@EnumSource(JsseProvider.class)
final class EngineSessionTest {
    private static final int DAY_SECONDS = 86_400;

    private final JsseProvider provider;

    private EngineLink established(JsseVersion version) {
        return new ProviderPair(provider, provider, version).established();
    }

    EngineSessionTest(JsseProvider provider) {
        this.provider = provider;
    }

    @ParameterizedTest
    @EnumSource(JsseVersion.class)
    void keepsValues(JsseVersion version) {
        SSLSession session = established(version).client().engine().getSession();
        assertThat(session.getValueNames()).isEmpty();
        assertThat(session.getValue("a")).isNull();
        session.putValue("a", 1);
        session.putValue("b", "two");
        session.putValue("a", 3);
        assertThat(session.getValue("a")).isEqualTo(3);
        assertThat(session.getValueNames()).containsExactlyInAnyOrder("a", "b");
        session.removeValue("a");
        session.removeValue("missing");
        assertThat(session.getValue("a")).isNull();
        assertThat(session.getValueNames()).containsExactly("b");
    }

    @Test
    void valuesBelongToTheSession() {
        EngineLink link = established(JsseVersion.TLS_13);
        link.client().engine().getSession().putValue("a", 1);
        assertThat(link.client().engine().getSession().getValue("a")).isEqualTo(1);
        assertThat(link.server().engine().getSession().getValue("a")).isNull();
        assertThat(established(JsseVersion.TLS_13)
                        .client()
                        .engine()
                        .getSession()
                        .getValue("a"))
                .isNull();
    }

    @Test
    void theSessionOfAnEngineIsOne() {
        EngineLink link = established(JsseVersion.TLS_13);
        SSLSession session = link.client().engine().getSession();
        assertThat(link.client().engine().getSession()).isEqualTo(session).hasSameHashCodeAs(session);
        assertThat(session)
                .isNotEqualTo(established(JsseVersion.TLS_13).client().engine().getSession());
    }

    @Test
    @SuppressWarnings("NullAway") // What a wrong call gets.
    void rejectsNull() {
        SSLSession session = established(JsseVersion.TLS_13).client().engine().getSession();
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> session.putValue(null, 1));
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> session.putValue("a", null));
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> session.getValue(null));
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> session.removeValue(null));
    }

    @Test
    void listenersAreTold() {
        SSLSession session = established(JsseVersion.TLS_13).client().engine().getSession();
        List<String> events = new ArrayList<>();
        Listener first = new Listener("first", events);
        session.putValue("a", first);
        session.putValue("a", new Listener("second", events));
        session.removeValue("a");
        session.removeValue("a");
        assertThat(events).containsExactly("first bound a", "first unbound a", "second bound a", "second unbound a");
        assertThat(first.sessions()).hasSize(2).containsOnly(session);
    }

    /** A value that keeps the events of its binding. */
    private static final class Listener implements SSLSessionBindingListener {
        private final String name;
        private final List<String> events;
        private final List<SSLSession> sessions = new ArrayList<>();

        Listener(String name, List<String> events) {
            this.name = name;
            this.events = events;
        }

        List<SSLSession> sessions() {
            return sessions;
        }

        @Override
        public void valueBound(SSLSessionBindingEvent event) {
            events.add(name + " bound " + event.getName());
            sessions.add(event.getSession());
        }

        @Override
        public void valueUnbound(SSLSessionBindingEvent event) {
            events.add(name + " unbound " + event.getName());
            sessions.add(event.getSession());
        }
    }

    @ParameterizedTest
    @EnumSource(JsseVersion.class)
    void knowsItsTimes(JsseVersion version) {
        long before = System.currentTimeMillis();
        SSLSession session = established(version).client().engine().getSession();
        assertThat(session.getCreationTime()).isBetween(before, System.currentTimeMillis());
        assertThat(session.getLastAccessedTime()).isBetween(session.getCreationTime(), System.currentTimeMillis());
    }

    @ParameterizedTest
    @EnumSource(JsseVersion.class)
    void knowsNoPeerWithoutAHost(JsseVersion version) {
        EngineLink link = established(version);
        for (EnginePeer peer : List.of(link.client(), link.server())) {
            assertThat(peer.engine().getSession().getPeerHost()).isNull();
            assertThat(peer.engine().getSession().getPeerPort()).isEqualTo(-1);
        }
    }

    @Test
    void givesCopiesOfItsId() {
        SSLSession session = established(JsseVersion.TLS_12).client().engine().getSession();
        byte[] id = session.getId();
        assertThat(id).hasSizeBetween(1, 32);
        id[0]++;
        assertThat(session.getId()).isNotEqualTo(id);
    }

    @Test
    void invalidSessionsStayReadable() throws SSLException {
        EngineLink link = established(JsseVersion.TLS_13);
        SSLSession session = link.client().engine().getSession();
        session.invalidate();
        session.invalidate();
        assertThat(session.isValid()).isFalse();
        assertThat(session.getPeerCertificates()).isNotEmpty();
        assertThat(session.getProtocol()).isEqualTo("TLSv1.3");
        link.assertCarriesData();
    }

    @Test
    void contextsHaveTheLimitsOfTheJdk() {
        SSLContext context = JsseContexts.newClient(provider);
        for (SSLSessionContext each : List.of(context.getClientSessionContext(), context.getServerSessionContext())) {
            assertThat(each.getSessionTimeout()).isEqualTo(DAY_SECONDS);
            assertThat(each.getSessionCacheSize()).isEqualTo(20_480);
            each.setSessionTimeout(7);
            each.setSessionCacheSize(9);
            assertThat(each.getSessionTimeout()).isEqualTo(7);
            assertThat(each.getSessionCacheSize()).isEqualTo(9);
            each.setSessionTimeout(0);
            each.setSessionCacheSize(0);
            assertThat(each.getSessionTimeout()).isZero();
            assertThat(each.getSessionCacheSize()).isZero();
        }
    }

    @Test
    void contextsRejectNegativeLimits() {
        SSLSessionContext sessions = JsseContexts.newClient(provider).getServerSessionContext();
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> sessions.setSessionTimeout(-1));
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> sessions.setSessionCacheSize(-1));
        assertThat(sessions.getSessionTimeout()).isEqualTo(DAY_SECONDS);
    }

    @Test
    @SuppressWarnings("NullAway") // What a wrong call gets.
    void contextsRejectNullIds() {
        SSLSessionContext sessions = JsseContexts.newClient(provider).getClientSessionContext();
        assertThatExceptionOfType(NullPointerException.class).isThrownBy(() -> sessions.getSession(null));
    }

    @Test
    void theContextOfClientsIsNotThatOfServers() {
        SSLContext context = JsseContexts.newClient(provider);
        assertThat(context.getClientSessionContext())
                .isNotSameAs(context.getServerSessionContext())
                .isSameAs(context.getClientSessionContext());
    }

    @Test
    void sessionsExpire() {
        SSLContext client = JsseContexts.newClient(provider);
        SSLSessionContext sessions = client.getClientSessionContext();
        sessions.setSessionTimeout(1);
        ProviderPair pair = new ProviderPair(provider, provider, JsseVersion.TLS_13);
        pair.link(client, JsseContexts.newServer(provider), "localhost", 443).handshake();
        Waiting.until(
                Waiting.LIMIT,
                () -> Collections.list(sessions.getIds()).isEmpty(),
                () -> "sessions are left after their timeout");
    }
}
