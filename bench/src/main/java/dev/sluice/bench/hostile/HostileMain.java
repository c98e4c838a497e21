package dev.sluice.bench.hostile;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.ffi.openssl.raw.OpenSsl;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The process of hostile clients. Prints {@code ok library=…} first, then answers each input line with a line, and
 * exits at the end of its input. Its virtual threads must have one carrier ({@link #FLAGS}).
 *
 * <ul>
 *   <li>{@code attack PORT KIND COUNT}: {@code ok nanos=… connected=… handshakes=… unended=…}: duration, numbers of
 *       connections and handshakes, and number of connections that the gateway did not end in time. Ending one earlier
 *       than expected is allowed
 * </ul>
 */
public final class HostileMain {
    /** Required JVM options; without them clients would interfere. */
    public static final List<String> FLAGS =
            List.of("-Djdk.virtualThreadScheduler.parallelism=1", "-Djdk.virtualThreadScheduler.maxPoolSize=1");

    private HostileMain() {}

    /** Serves until the end of input. */
    public static void main(String[] arguments) throws IOException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        out.println("ok library=" + OpenSsl.require().version());
        String line;
        while ((line = in.readLine()) != null) {
            out.println(answer(line.split(" ", -1)));
        }
    }

    private static String answer(String[] words) {
        try {
            if (!words[0].equals("attack")) {
                throw new IllegalArgumentException("unknown command, command=" + words[0]);
            }
            HostileKind kind = HostileKind.valueOf(words[2]);
            try (HostileClients clients = new HostileClients(Integer.parseInt(words[1]))) {
                return "ok " + new Wave(kind, clients, Integer.parseInt(words[3])).run();
            }
        } catch (RuntimeException | InterruptedException e) {
            return "error " + String.valueOf(e.getMessage()).replace('\n', ' ');
        }
    }

    /** Many clients of one kind, some of them concurrent. */
    private static final class Wave {
        private final HostileKind kind;
        private final HostileClients clients;
        private final int count;
        private final AtomicInteger next = new AtomicInteger();
        private final AtomicReference<@Nullable RuntimeException> fault = new AtomicReference<>();
        private final AtomicInteger unended = new AtomicInteger();

        Wave(HostileKind kind, HostileClients clients, int count) {
            this.kind = kind;
            this.clients = clients;
            this.count = count;
        }

        String run() throws InterruptedException {
            long begin = System.nanoTime();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < Math.min(kind.atOnce(), count); i++) {
                threads.add(Thread.ofVirtual().start(this::attackInTurn));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            RuntimeException ours = fault.get();
            if (ours != null) {
                throw new BenchException("a hostile client is faulty: " + ours, ours);
            }
            return "nanos=" + (System.nanoTime() - begin) + " connected=" + clients.connected() + " handshakes="
                    + clients.handshakes() + " unended=" + unended;
        }

        private void attackInTurn() {
            for (int number = next.getAndIncrement(); number < count; number = next.getAndIncrement()) {
                try {
                    kind.attack().by(clients, number);
                } catch (SocketTimeoutException e) {
                    unended.incrementAndGet();
                } catch (IOException endedByTheGateway) {
                    // Allowed.
                } catch (RuntimeException e) {
                    fault.set(e);
                    return;
                } catch (InterruptedException e) {
                    return;
                }
            }
        }
    }
}
