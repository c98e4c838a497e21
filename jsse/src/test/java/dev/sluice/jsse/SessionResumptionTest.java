package dev.sluice.jsse;

import static dev.sluice.jsse.ProviderContexts.client;
import static dev.sluice.jsse.ProviderContexts.server;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.jsse.ProviderContexts.Tls;
import dev.sluice.testkit.TestCertificates;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class SessionResumptionTest {
    private static final TestCertificates CERTIFICATES = TestCertificates.shared();

    static Stream<Arguments> pairs() {
        List<Arguments> pairs = new ArrayList<>();
        for (String protocol : List.of("TLSv1.3", "TLSv1.2")) {
            pairs.add(Arguments.of(Tls.SLUICE, Tls.JDK, protocol));
            pairs.add(Arguments.of(Tls.JDK, Tls.SLUICE, protocol));
            pairs.add(Arguments.of(Tls.SLUICE, Tls.SLUICE, protocol));
        }
        return pairs.stream();
    }

    private static SSLSession connect(SSLContext from, SSLContext to, String protocol) throws SSLException {
        SSLEngine starting = client(from);
        starting.setEnabledProtocols(new String[] {protocol});
        try (EngineConversation talk = new EngineConversation(starting, server(to))) {
            talk.handshake();
            talk.sendToClient(new byte[] {1});
            talk.sendToServer(new byte[] {1});
            talk.shutDown();
            return starting.getSession();
        }
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void resumesASessionAndItsValues(Tls from, Tls to, String protocol) throws SSLException {
        SSLContext clients = from.context(null);
        SSLContext servers = to.context(CERTIFICATES.server());

        SSLSession first = connect(clients, servers, protocol);
        first.putValue("user", "anna");
        SSLSession second = connect(clients, servers, protocol);

        assertThat(second.getCreationTime()).isEqualTo(first.getCreationTime());
        assertThat(second.getPeerCertificates()).isEqualTo(first.getPeerCertificates());
        assertThat(clients.getClientSessionContext().getIds().hasMoreElements()).isTrue();
        if (from == Tls.SLUICE) {
            assertThat(second.getValue("user")).isEqualTo("anna");
            assertThat(second.getId()).isEqualTo(first.getId());
        }
    }

    @ParameterizedTest
    @CsvSource({"JDK, TLSv1.3", "JDK, TLSv1.2", "SLUICE, TLSv1.3", "SLUICE, TLSv1.2"})
    void makesANewSessionOnceTheFirstIsInvalid(Tls to, String protocol) throws SSLException {
        SSLContext clients = Tls.SLUICE.context(null);
        SSLContext servers = to.context(CERTIFICATES.server());

        SSLSession first = connect(clients, servers, protocol);
        for (byte[] id : Collections.list(clients.getClientSessionContext().getIds())) {
            clients.getClientSessionContext().getSession(id).invalidate();
        }
        SSLSession second = connect(clients, servers, protocol);

        assertThat(second.getId()).isNotEqualTo(first.getId());
    }
}
