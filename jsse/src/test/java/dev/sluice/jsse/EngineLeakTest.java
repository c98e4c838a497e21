package dev.sluice.jsse;

import static dev.sluice.jsse.ProviderContexts.client;
import static dev.sluice.jsse.ProviderContexts.server;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.jsse.ProviderContexts.Tls;
import dev.sluice.memory.Ledger;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.testkit.Waiting;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;

class EngineLeakTest {
    private static final int ENGINES = 50;

    @Test
    void reclaimsEnginesThatAreDroppedUnclosed() throws SSLException {
        SSLContext clients = Tls.SLUICE.context(null);
        SSLContext servers = Tls.SLUICE.context(TestCertificates.shared().server());
        drop(clients, servers, 1);
        Map<String, Ledger.Balance> before = Ledger.process().balances();
        long leaked = Sluice.leakedEngines();

        drop(clients, servers, ENGINES);

        Waiting.until(
                Waiting.LIMIT, () -> reclaimed(clients, leaked), () -> "engines reclaimed: " + Sluice.leakedEngines());
        assertThat(sslObjects(before)).isEmpty();
    }

    private static void drop(SSLContext clients, SSLContext servers, int count) throws SSLException {
        for (int i = 0; i < count; i++) {
            new EngineConversation(client(clients), server(servers)).handshake();
        }
    }

    /** A new engine's handshake polls the queue. */
    private static boolean reclaimed(SSLContext clients, long before) {
        System.gc();
        try (EngineConversation other = new EngineConversation(client(clients), client(clients))) {
            other.client.beginHandshake();
        } catch (SSLException e) {
            throw new AssertionError("no handshake begins", e);
        }
        return Sluice.leakedEngines() >= before + 2 * ENGINES;
    }

    private static List<String> sslObjects(Map<String, Ledger.Balance> before) {
        return Ledger.process().leaksSince(before).stream()
                .filter(leak -> !leak.contains("SSL_SESSION") && !leak.contains("unused"))
                .toList();
    }
}
