package dev.sluice.cli.gateway;

import dev.sluice.cli.demo.DemoGateway;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.ListenerConfig;
import dev.sluice.config.model.TransportChoice;
import dev.sluice.ffi.libc.ProcessClock;
import dev.sluice.ffi.libc.ThreadPriority;
import dev.sluice.gateway.Gateway;
import dev.sluice.gateway.certificate.OpenSslCheck;
import dev.sluice.gateway.log.GatewayLog;
import dev.sluice.tls.context.HandshakePath;
import dev.sluice.tls.context.ProtocolVersion;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * The warm-up of this process: a private gateway with one loop, on a certificate made for it, serves pages to clients
 * in the same process until the JVM has compiled the code of handshakes and transfers.
 *
 * <p>It runs in the calling thread and in threads that this one starts, all at the lowest priority, and leaves nothing
 * behind: no connection, no key, no file, no metric of the real gateway. Ends at the first of its limits.
 */
final class WarmUpLoad {
    /** The bounds: connections, CPU time of the whole process, and time. */
    record Limits(int connections, Duration cpu, Duration time) {
        /** Enough for the compilers to be done with the code of handshakes. */
        static final Limits DEFAULT = new Limits(8_000, Duration.ofSeconds(8), Duration.ofSeconds(20));
    }

    private static final Path MEMORY = Path.of("/dev/shm");
    private static final String PREFIX = "sluice-warm-up";
    private static final String PAGE = "/bytes/1000";
    private static final String DOWNLOAD = "/bytes/300000";

    /** Of so many connections one uses TLS 1.2, one downloads, half resume. */
    private static final int ROUND = 16;

    /** Connections open at a time, so that a loop finds several events when it looks, as under load. */
    private static final int AT_ONCE = 8;

    /** Connections between looks at the clock of the process. */
    private static final int CONNECTIONS_PER_LOOK = 32;

    /** Pages that may fail, as on a machine so busy that the private gateway refuses a client that waited. */
    static final int FAILURES_MAX = 16;

    private final Limits limits;
    private final BooleanSupplier isUnwanted;
    private final Setbacks setbacks = new Setbacks();
    private final long beginNanos = System.nanoTime();
    private final int pid = Math.toIntExact(ProcessHandle.current().pid());
    private final long beginCpuNanos = ProcessClock.cpuNanos(pid);

    private WarmUpLoad(Limits limits, BooleanSupplier isUnwanted) {
        this.limits = limits;
        this.isUnwanted = isUnwanted;
    }

    /**
     * Runs the warm-up in the calling thread, whose priority stays lowered.
     *
     * @param real configuration whose transport and way of handshakes are warmed
     * @param isUnwanted asked between connections: true to end at once
     * @return number of connections
     * @throws IOException when there is no free port, descriptor or room for a temporary file
     */
    static int run(GatewayConfig real, Limits limits, BooleanSupplier isUnwanted) throws IOException {
        ThreadPriority.lower();
        WarmUpLoad load = new WarmUpLoad(limits, isUnwanted);
        Path directory = directory();
        try (DemoGateway demo = DemoGateway.onOwnThreads(directory);
                OpenSslCheck check = new OpenSslCheck();
                Gateway gateway = Gateway.start(config(real, demo.config()), GatewayLog.NONE, check);
                PageClient newer = PageClient.open(demo.trusted(), ProtocolVersion.TLS_1_3);
                PageClient older = PageClient.open(demo.trusted(), ProtocolVersion.TLS_1_2)) {
            delete(directory); // all have read the certificate, and from here a signal may end the process
            return load.visit(newer, older, gateway.addresses());
        } finally {
            delete(directory);
        }
    }

    /** Returns a new directory, for its owner only, in memory where there is one: a container may have no other. */
    private static Path directory() throws IOException {
        return Files.isWritable(MEMORY) ? Files.createTempDirectory(MEMORY, PREFIX) : Files.createTempDirectory(PREFIX);
    }

    /** Returns the demo's configuration with one loop on the real transport, and a listener for each way in use. */
    private static GatewayConfig config(GatewayConfig real, GatewayConfig demo) {
        ListenerConfig plain = demo.listeners().getFirst();
        List<ListenerConfig> listeners = new ArrayList<>();
        for (HandshakePath path : HandshakePath.values()) {
            if (real.listeners().stream().anyMatch(listener -> listener.tls().handshake() == path)) {
                listeners.add(plain.withTls(plain.tls().withHandshake(path)));
            }
        }
        TransportChoice transport = real.transport();
        return demo.forWarmUp(listeners, transport);
    }

    private int visit(PageClient newer, PageClient older, List<InetSocketAddress> addresses) {
        Queue<Future<Long>> open = new ArrayDeque<>();
        int begun = 0;
        while (!isOver(begun)) {
            if (open.size() == AT_ONCE) {
                settle(open.remove());
            }
            InetSocketAddress address = addresses.get(begun % addresses.size());
            int step = begun / addresses.size() % ROUND;
            PageClient client = step == 0 ? older : newer;
            boolean resuming = step % 2 == 1;
            open.add(client.begin(address, step == 2 ? DOWNLOAD : PAGE, resuming));
            begun++;
        }
        open.forEach(this::settle);
        return begun;
    }

    private void settle(Future<Long> page) {
        try {
            PageClient.await(page);
        } catch (IllegalStateException e) {
            setbacks.bear(e);
        }
    }

    /** The failures that the warm-up survives. */
    static final class Setbacks {
        private int left = FAILURES_MAX;

        /** Returns when another failure may come; throws it when there were too many, or the thread is interrupted. */
        void bear(IllegalStateException failure) {
            if (left == 0 || Thread.currentThread().isInterrupted()) {
                throw failure;
            }
            left--;
        }
    }

    private boolean isOver(int done) {
        return done >= limits.connections()
                || isUnwanted.getAsBoolean()
                || System.nanoTime() - beginNanos >= limits.time().toNanos()
                || (done % CONNECTIONS_PER_LOOK == 0
                        && usedCpuNanos() >= limits.cpu().toNanos());
    }

    private long usedCpuNanos() {
        return ProcessClock.cpuNanos(pid) - beginCpuNanos;
    }

    /** Deletes a directory and what is in it; does nothing when it is gone. */
    static void delete(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
