package dev.sluice.jsse;

import static dev.sluice.jsse.ProviderContexts.client;
import static dev.sluice.jsse.ProviderContexts.server;

import dev.sluice.jsse.ProviderContexts.Tls;
import dev.sluice.memory.Ledger;
import dev.sluice.testkit.NativeBalance;
import dev.sluice.testkit.TestCertificates;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EngineBalanceTest {
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void freesEverythingWhenBothDirectionsAreClosed(String protocol) throws SSLException {
        SSLContext clients = Tls.SLUICE.context(TestCertificates.shared().client());
        SSLContext servers = Tls.SLUICE.context(TestCertificates.shared().server());
        NativeBalance<Map<String, Ledger.Balance>> balance =
                NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);
        connect(clients, servers, protocol); // makes what the contexts keep
        connect(clients, servers, protocol);
        balance.mark();

        connect(clients, servers, protocol);
        abandonHandshake(clients, servers, protocol);

        balance.verify();
    }

    private static EngineConversation conversation(SSLContext clients, SSLContext servers, String protocol) {
        SSLEngine from = client(clients);
        from.setEnabledProtocols(new String[] {protocol});
        SSLEngine to = server(servers);
        to.setNeedClientAuth(true);
        return new EngineConversation(from, to);
    }

    private static void connect(SSLContext clients, SSLContext servers, String protocol) throws SSLException {
        try (EngineConversation talk = conversation(clients, servers, protocol)) {
            talk.handshake();
            talk.sendToServer(new byte[1_000]);
            talk.sendToClient(new byte[1_000]);
            talk.shutDown();
        }
    }

    private static void abandonHandshake(SSLContext clients, SSLContext servers, String protocol) throws SSLException {
        try (EngineConversation talk = conversation(clients, servers, protocol)) {
            talk.client.beginHandshake();
        }
    }
}
