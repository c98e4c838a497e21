package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.Backend;
import dev.sluice.interop.fixture.GatewayProcess;
import dev.sluice.interop.fixture.GatewayTest;
import dev.sluice.interop.fixture.TlsClient;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;

/**
 * A configuration that is taken up again and again while 200 connections per second come and go. {@code
 * -Dsluice.reloads=1000} does it longer.
 */
class ReloadUnderLoadTest extends GatewayTest {
    private static final int RELOADS = Integer.getInteger("sluice.reloads", 100);
    private static final int CLIENTS = 4;
    private static final long NANOS_PER_CONNECTION = TimeUnit.SECONDS.toNanos(1) * CLIENTS / 200;

    /** The growth allowed for code that is compiled meanwhile and for the heap of the C library. */
    private static final long GROWTH_KIBIBYTES_MAX = 48 * 1024;

    @Test
    void noHandshakeFailsAndNothingIsLeft() throws Exception {
        GatewayProcess gateway = gateway(Backend.echoing());
        AtomicBoolean done = new AtomicBoolean();
        AtomicInteger served = new AtomicInteger();
        try (ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
            List<Future<?>> failures = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                failures.add(clients.submit(() -> comesAndGoes(gateway.port(), done, served)));
            }
            reload(gateway, RELOADS / 4);
            long early = residentKibibytes(gateway);
            reload(gateway, RELOADS);
            long late = residentKibibytes(gateway);
            done.set(true);
            for (Future<?> failure : failures) {
                failure.get();
            }
            System.out.println(transport + ": " + RELOADS + " reloads, " + served + " connections, resident memory "
                    + early + " KiB after a quarter and " + late + " KiB at the end");
            assertThat(late - early).isLessThan(GROWTH_KIBIBYTES_MAX);
            assertThat(served.get()).isGreaterThan(RELOADS / 10);
        } finally {
            done.set(true);
        }
    }

    /** Signals that come while one is seen to are seen to together, so each waits for the one before. */
    private static void reload(GatewayProcess gateway, int upTo) {
        for (int done = reloaded(gateway); done < upTo; done++) {
            int next = done + 1;
            gateway.program().hangUp();
            Waiting.until(LONG, () -> reloaded(gateway) >= next, gateway::log);
        }
    }

    private static int reloaded(GatewayProcess gateway) {
        assertThat(gateway.log()).doesNotContain("not reloaded");
        return gateway.log().split("reloaded ", -1).length - 1;
    }

    private static Object comesAndGoes(int port, AtomicBoolean done, AtomicInteger served)
            throws IOException, InterruptedException {
        long next = System.nanoTime();
        while (!done.get()) {
            try (SSLSocket socket = TlsClient.connect(port)) {
                socket.getOutputStream().write('x');
                assertThat(socket.getInputStream().read()).isEqualTo('x');
            }
            served.incrementAndGet();
            next = Math.max(next + NANOS_PER_CONNECTION, System.nanoTime() - NANOS_PER_CONNECTION);
            TimeUnit.NANOSECONDS.sleep(next - System.nanoTime());
        }
        return served;
    }

    private static long residentKibibytes(GatewayProcess gateway) throws IOException {
        Path status = Path.of("/proc", Long.toString(gateway.program().pid()), "status");
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                .findFirst()
                .orElseThrow();
    }
}
