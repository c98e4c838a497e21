package dev.sluice.jsse;

import static dev.sluice.jsse.ProviderContexts.client;
import static dev.sluice.jsse.ProviderContexts.server;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.jsse.EngineConversation.Memory;
import dev.sluice.jsse.ProviderContexts.Tls;
import dev.sluice.testkit.AllocatedBytes;
import dev.sluice.testkit.TestCertificates;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EngineAllocationTest {
    private static final int RECORDS = 2_000;
    private static final int MAX_ROUNDS = 400;

    /** The result object of each call, and nothing else. */
    private static final long MOST_BYTES_PER_CALL = 48;

    @ParameterizedTest
    @EnumSource(Memory.class)
    void allocatesOnlyTheResultOfACall(Memory memory) throws SSLException {
        SSLEngine from = client(Tls.SLUICE.context(null));
        SSLEngine to = server(Tls.SLUICE.context(TestCertificates.shared().server()));
        try (EngineConversation talk = new EngineConversation(from, to, memory)) {
            talk.handshake();
            ByteBuffer payload = memory.allocate().limit(1_024);
            ByteBuffer record = memory.allocate();
            ByteBuffer opened = memory.allocate();
            long least = Long.MAX_VALUE;
            for (int round = 0; round < MAX_ROUNDS && perCall(least) > MOST_BYTES_PER_CALL; round++) {
                long bytes = AllocatedBytes.during(() -> exchange(talk, payload, record, opened));
                least = Math.min(least, bytes);
            }

            assertThat(perCall(least)).isPositive().isLessThanOrEqualTo(MOST_BYTES_PER_CALL);
        }
    }

    private static long perCall(long bytes) {
        return bytes / (2L * RECORDS);
    }

    private static void exchange(EngineConversation talk, ByteBuffer payload, ByteBuffer record, ByteBuffer opened) {
        try {
            for (int i = 0; i < RECORDS; i++) {
                talk.server.wrap(payload.rewind(), record.clear());
                talk.client.unwrap(record.flip(), opened.clear());
            }
        } catch (SSLException e) {
            throw new AssertionError("records do not pass", e);
        }
    }
}
