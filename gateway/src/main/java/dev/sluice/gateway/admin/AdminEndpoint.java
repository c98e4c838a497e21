package dev.sluice.gateway.admin;

import dev.sluice.config.model.AdminHttpConfig;
import dev.sluice.config.model.AdminTlsConfig;
import dev.sluice.config.model.BackendConfig;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.security.GeneralSecurityException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The admin endpoint. One thread starts the listener, samples the metrics each second and ends requests that make no
 * progress; another accepts connections, and each request runs on a virtual thread.
 *
 * <p>The JDK's own HTTP server is not used, since it closes each connection above a number, whoever holds the others:
 * some hundred half-sent requests would keep health requests out. What is accepted here takes the place of the oldest
 * that has not sent its request yet, see {@link AdminConnections}.
 *
 * <p>Clients are worth more than the endpoint: where its address cannot be had, the gateway serves without it, says so,
 * and the endpoint tries again each second.
 */
public final class AdminEndpoint implements AutoCloseable {
    /**
     * Connections that the kernel keeps until they are accepted, which is soon: more of them would be tried again after
     * 1 s.
     */
    private static final int BACKLOG = 1024;

    private static final long SAMPLE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long ACCEPT_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final AdminHttpConfig config;
    private final AdminLog log;
    private final AdminConnections connections = new AdminConnections();
    private final EventStreams streams = new EventStreams();
    private final Sampler sampler;
    private final Routes routes;
    private final Thread thread;
    private final CountDownLatch listens = new CountDownLatch(1);
    private volatile @Nullable ServerSocket server;
    private volatile boolean closed;
    /** The last problem that was logged, so that it is logged once. */
    private String trouble = "";

    private AdminEndpoint(AdminHttpConfig config, Administered gateway, AdminLog log) {
        this.config = config;
        this.log = log;
        this.sampler = new Sampler(gateway, streams);
        this.routes = new Routes(gateway, sampler, streams, new Guard(config));
        this.thread = Thread.ofPlatform().daemon().name("admin").unstarted(this::run);
    }

    /**
     * Starts, and comes back before it listens.
     *
     * @return the caller closes it
     */
    public static AdminEndpoint start(AdminHttpConfig config, Administered gateway, AdminLog log) {
        AdminEndpoint endpoint = new AdminEndpoint(config, gateway, log);
        endpoint.thread.start();
        return endpoint;
    }

    /** Returns the listening address once there is one; null when there is still none at the end of the wait. */
    @Nullable
    InetSocketAddress awaitAddress(long millis) throws InterruptedException {
        boolean listening = listens.await(millis, TimeUnit.MILLISECONDS);
        ServerSocket open = server;
        return listening && open != null ? (InetSocketAddress) open.getLocalSocketAddress() : null;
    }

    private void run() {
        try {
            long next = System.nanoTime();
            while (!closed) {
                listen();
                sample();
                connections.endOverdue();
                next = Math.max(next + SAMPLE_NANOS, System.nanoTime());
                TimeUnit.NANOSECONDS.sleep(next - System.nanoTime());
            }
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
        }
    }

    private void listen() {
        if (server != null) {
            return;
        }
        try {
            AdminTlsConfig files = config.tls();
            AdminTls tls = files == null ? null : AdminTls.of(files);
            serveBy(open(), tls);
        } catch (IOException | GeneralSecurityException e) {
            tellOnce(message(e));
        }
    }

    private ServerSocket open() throws IOException {
        ServerSocket opened = new ServerSocket();
        try {
            opened.setReuseAddress(true);
            opened.bind(config.address(), BACKLOG);
            return opened;
        } catch (IOException e) {
            opened.close();
            throw e;
        }
    }

    private synchronized void serveBy(ServerSocket opened, @Nullable AdminTls tls) throws IOException {
        if (closed) {
            opened.close();
            return;
        }
        server = opened;
        Thread.ofPlatform().daemon().name("admin-accept").start(() -> acceptAll(opened, tls));
        listens.countDown();
        log.info("dashboard and metrics at " + (tls == null ? "http://" : "https://")
                + BackendConfig.text(opened.getLocalSocketAddress()) + "/");
        if (config.tokenFile() != null && tls == null && !config.isLoopback()) {
            log.warn("the admin token crosses the network unencrypted; add certificate and key to admin");
        }
    }

    private void acceptAll(ServerSocket opened, @Nullable AdminTls tls) {
        while (!opened.isClosed()) {
            try {
                new AdminConnection(opened.accept(), tls, connections, routes).start();
            } catch (IOException | RuntimeException closedOrOutOfDescriptors) {
                LockSupport.parkNanos(ACCEPT_PAUSE_NANOS);
            }
        }
    }

    private String message(Exception e) {
        String address = BackendConfig.text(config.address());
        if (e instanceof BindException) {
            return "no dashboard and no metrics for now: admin.address " + address + " cannot be listened on ("
                    + e.getMessage() + "); stop what listens there (ss -ltnp 'sport = :"
                    + config.address().getPort() + "' shows it), or name another address. Retried each second";
        }
        return "no dashboard and no metrics for now: " + e + "; see certificate, key and client-ca in admin";
    }

    private void sample() {
        try {
            sampler.sample();
        } catch (RuntimeException e) {
            tellOnce("no sample for the dashboard, an error of our own, please report it: " + e);
        }
    }

    private void tellOnce(String message) {
        if (!message.equals(trouble)) {
            trouble = message;
            log.warn(message);
        }
    }

    /**
     * Stops listening, and cuts off who is connected. When this returns nobody asks the gateway any more, whose
     * counters may be freed then.
     */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        thread.interrupt();
        streams.close();
        stopListening();
        connections.close();
        boolean interrupted = Thread.interrupted();
        try {
            thread.join();
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void stopListening() {
        ServerSocket open = server;
        try {
            if (open != null) {
                open.close();
            }
        } catch (IOException closedAlready) {
            // As wanted.
        }
    }
}
