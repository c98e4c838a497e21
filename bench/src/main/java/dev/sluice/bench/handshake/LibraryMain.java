package dev.sluice.bench.handshake;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.tls.context.ProtocolVersion;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.engine.EngineStatus;
import dev.sluice.tls.engine.MemoryEngine;
import dev.sluice.tls.engine.TlsSession;
import dev.sluice.tls.ticket.TicketKeyRing;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The process that makes handshakes in memory, without sockets: libssl's part of a server's cost. Prints {@code ok
 * library=…} first, then answers each input line with a line.
 *
 * <ul>
 *   <li>{@code handshakes VERSION CHAIN KEY RESUME COUNT}: {@code ok server_nanos=…}, CPU time of one, from the
 *       creation of the server's {@code SSL} to its end
 * </ul>
 */
public final class LibraryMain {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final Duration HOURS = Duration.ofHours(12);

    private LibraryMain() {}

    /** Serves until the end of input. */
    public static void main(String[] arguments) throws IOException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        out.println("ok library=libssl");
        String line;
        while ((line = in.readLine()) != null) {
            out.println(answer(line.split(" ", -1)));
        }
    }

    private static String answer(String[] words) {
        try (TicketKeyRing keys = new TicketKeyRing(HOURS, HOURS, InstantSource.system());
                TlsContext server = TlsContext.server()
                        .certificate(Path.of(words[2]), Path.of(words[3]))
                        .ticketKeys(keys)
                        .build();
                Handshakes handshakes = new Handshakes(server, ProtocolVersion.valueOf(words[1]))) {
            double nanos = handshakes.play(Boolean.parseBoolean(words[4]), Integer.parseInt(words[5]));
            return "ok server_nanos=" + nanos;
        } catch (RuntimeException e) {
            return "error " + String.valueOf(e.getMessage()).replace('\n', ' ');
        }
    }

    /** Consecutive handshakes with the server's time measured. */
    private static final class Handshakes implements AutoCloseable {
        private final TlsContext serverContext;
        private final TlsContext clientContext;
        private final Arena arena = Arena.ofConfined();
        private final long scratch = arena.allocate(1 << 16).address();
        private @Nullable TlsSession session;
        private long serverNanos;

        Handshakes(TlsContext serverContext, ProtocolVersion version) {
            this.serverContext = serverContext;
            this.clientContext = TlsContext.client()
                    .versions(version, version)
                    .groups(List.of("X25519", "P-256"))
                    .dangerouslyTrustAnyone()
                    .build();
        }

        double play(boolean resume, int count) {
            if (resume) {
                one(null);
            }
            serverNanos = 0;
            for (int i = 0; i < count; i++) {
                one(resume ? Objects.requireNonNull(session) : null);
            }
            return (double) serverNanos / count;
        }

        private void one(@Nullable TlsSession offered) {
            long before = cpuNanos();
            MemoryEngine server = MemoryEngine.server(serverContext);
            serverNanos += cpuNanos() - before;
            try (MemoryEngine client = offered == null
                    ? MemoryEngine.client(clientContext, "")
                    : MemoryEngine.client(clientContext, "", offered)) {
                while (client.handshakeInfo() == null || server.handshakeInfo() == null || server.sendLength() > 0) {
                    requireIntact(client.handshake());
                    carry(client, server);
                    before = cpuNanos();
                    requireIntact(server.handshake());
                    serverNanos += cpuNanos() - before;
                    carry(server, client);
                }
                requireAsAsked(server, offered != null);
                takeTickets(client);
            } finally {
                before = cpuNanos();
                server.close();
                serverNanos += cpuNanos() - before;
            }
        }

        private static long cpuNanos() {
            return THREADS.getCurrentThreadCpuTime();
        }

        private static void requireIntact(int status) {
            if (status == EngineStatus.FAILED) {
                throw new IllegalStateException("a handshake failed");
            }
        }

        private static void requireAsAsked(MemoryEngine server, boolean resumed) {
            if (Objects.requireNonNull(server.handshakeInfo()).resumed() != resumed) {
                throw new IllegalStateException("a handshake was " + (resumed ? "full" : "resumed") + " unexpectedly");
            }
        }

        /** Reads the tickets; a ticket is used once. */
        private void takeTickets(MemoryEngine client) {
            client.read(scratch, 1 << 14);
            TlsSession next = client.session();
            if (next != null) {
                if (session != null) {
                    session.close();
                }
                session = next;
            }
        }

        private static void carry(MemoryEngine from, MemoryEngine to) {
            for (int length = from.sendLength(); length > 0; length = from.sendLength()) {
                int count = Math.min(length, to.receiveCapacity());
                RawMemory.copy(from.sendAddress(), to.receiveAddress(), count);
                from.sent(count);
                to.received(count);
            }
        }

        @Override
        public void close() {
            if (session != null) {
                session.close();
            }
            clientContext.close();
            arena.close();
        }
    }
}
