package dev.sluice.gateway.admin;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsServer;
import dev.sluice.gateway.config.AdminHttpConfig;
import dev.sluice.gateway.config.AdminTlsConfig;
import dev.sluice.gateway.config.BackendConfig;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Serves the admin endpoint: on one thread of its own it begins to listen, takes a sample of the metrics each second, and ends
 * requests that make no progress; requests have virtual threads.
 *
 * <p>Clients are worth more than the endpoint: where its address cannot be had, the gateway serves without it, says so, and the
 * endpoint tries again each second.
 */
public final class AdminEndpoint implements AutoCloseable {
    /** Connections to the endpoint; each costs a descriptor that a client could have. */
    static final int CONNECTIONS_MAX = 128;

    private static final int BACKLOG = 32;
    private static final long SAMPLE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final AdminHttpConfig config;
    private final AdminLog log;
    private final ExchangeWatch watch = new ExchangeWatch();
    private final EventStreams streams = new EventStreams(watch);
    private final Sampler sampler;
    private final Routes routes;
    private final Thread thread;
    private final CountDownLatch listens = new CountDownLatch(1);
    private volatile @Nullable HttpServer server;
    private volatile boolean closed;
    /** What was told of last, so that it is told once. */
    private String trouble = "";

    private AdminEndpoint(AdminHttpConfig config, Administered gateway, AdminLog log) {
        this.config = config;
        this.log = log;
        this.sampler = new Sampler(gateway, streams);
        this.routes = new Routes(gateway, sampler, streams, watch, new Guard(config));
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

    /** Where it listens, once it does; null when it still does not at the end of the wait. */
    public @Nullable InetSocketAddress awaitAddress(long millis) throws InterruptedException {
        boolean listening = listens.await(millis, TimeUnit.MILLISECONDS);
        HttpServer open = server;
        return listening && open != null ? open.getAddress() : null;
    }

    private void run() {
        try {
            long next = System.nanoTime();
            while (!closed) {
                listen();
                sample();
                watch.endOverdue();
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
            HttpServer opened = open();
            opened.createContext("/", routes);
            opened.setExecutor(watch);
            opened.start();
            serveBy(opened);
        } catch (IOException | GeneralSecurityException e) {
            tellOnce(message(e));
        }
    }

    private HttpServer open() throws IOException, GeneralSecurityException {
        limitConnections();
        AdminTlsConfig tls = config.tls();
        if (tls == null) {
            return HttpServer.create(config.address(), BACKLOG);
        }
        AdminTls configurator = AdminTls.of(tls);
        HttpsServer https = HttpsServer.create(config.address(), BACKLOG);
        https.setHttpsConfigurator(configurator);
        return https;
    }

    /** The JDK's server takes these from the process, when the first one is made; what an embedding program has set stays. */
    private static void limitConnections() {
        setIfAbsent("jdk.httpserver.maxConnections", String.valueOf(CONNECTIONS_MAX));
        setIfAbsent("sun.net.httpserver.nodelay", "true");
    }

    private static void setIfAbsent(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }

    private synchronized void serveBy(HttpServer opened) {
        if (closed) {
            opened.stop(0);
            return;
        }
        server = opened;
        listens.countDown();
        log.info("dashboard and metrics at " + (config.tls() == null ? "http://" : "https://")
                + BackendConfig.text(opened.getAddress()) + "/");
        if (config.tokenFile() != null && config.tls() == null && !config.isLoopback()) {
            log.warn("the admin token crosses the network unencrypted; add certificate and key to admin");
        }
    }

    private String message(Exception e) {
        String address = BackendConfig.text(config.address());
        if (e instanceof BindException) {
            return "no dashboard and no metrics for now: admin.address " + address + " cannot be listened on ("
                    + e.getMessage() + "); stop what listens there (ss -ltnp 'sport = :"
                    + config.address().getPort() + "' tells), or name another address. It is tried again each second";
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
     * Stops listening, and cuts off who is connected. When this returns nobody asks the gateway any more, whose counters may be freed
     * then.
     */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        thread.interrupt();
        streams.close();
        HttpServer open = server;
        if (open != null) {
            open.stop(0);
        }
        watch.endAll();
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
}
