package dev.sluice.gateway.backend;

import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.ServerConfig;
import dev.sluice.gateway.backend.BackendHealth.Newcomers;
import dev.sluice.tls.context.TlsContext;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The part of a backend that all loops share: its servers with their health, as DNS has them now, and the TLS context
 * of connections to them. A client's context is only read once it is made, and TLS sessions belong to the loops, so
 * that sharing it costs nothing. Thread-safe.
 *
 * <p>Its maker and each loop's {@link BackendPool} hold it; the last holder to let go frees the context.
 */
public final class BackendTarget implements BackendNames.Listener {
    private final BackendConfig config;
    private final BackendNames names;
    private final BackendHealth.Log log;
    private final @Nullable TlsContext tls;
    private final AtomicInteger holders = new AtomicInteger(1);
    private final List<Runnable> followers = new CopyOnWriteArrayList<>();
    private volatile ServerGroup group;
    private volatile Newcomers newcomers = Newcomers.AT_ONCE;

    /**
     * Makes one.
     *
     * @param names this object's from now on, not started
     * @param before what was found out under an older configuration of this backend; null: nothing
     * @param tls this object's from now on; null without TLS
     */
    BackendTarget(
            BackendConfig config,
            BackendNames names,
            @Nullable BackendHealth before,
            BackendHealth.Log log,
            @Nullable TlsContext tls) {
        this.config = config;
        this.names = names;
        this.log = log;
        this.tls = tls;
        BackendConfig now = config.withServers(names.servers());
        this.group = new ServerGroup(now, new BackendHealth(now, before, log));
    }

    /** Returns the configuration, with names as it writes them. */
    public BackendConfig config() {
        return config;
    }

    /** Returns the servers as they are now. */
    ServerGroup group() {
        return group;
    }

    BackendNames names() {
        return names;
    }

    BackendHealth health() {
        return group.health();
    }

    /** Returns the context of client engines, valid for holders of this object; null without TLS. */
    @Nullable
    TlsContext tls() {
        return tls;
    }

    // --- names ------------------------------------------------------------------------------------------------------

    /**
     * Waits until each name was looked up once, if it has no servers yet. Those that come later get their share slowly.
     *
     * @param deadlineNanos as of {@link System#nanoTime()}
     */
    void awaitAnswers(long deadlineNanos) {
        names.awaitAnswers(deadlineNanos);
        newcomers = Newcomers.SLOWLY;
    }

    @Override
    public void onServers(List<ServerConfig> servers) {
        synchronized (this) {
            BackendConfig now = config.withServers(servers);
            BackendHealth before = group.health();
            BackendHealth after = new BackendHealth(now, before, newcomers, log);
            after.departedFrom(before);
            group = new ServerGroup(now, after);
        }
        followers.forEach(Runnable::run);
    }

    @Override
    public synchronized void onUnresolved(SocketAddress name, String why) {
        int server = group.config().addresses().indexOf(name);
        if (server >= 0) {
            group.health().unresolved(server, System.nanoTime(), why);
        }
    }

    /**
     * Makes a change of the servers that are called so.
     *
     * @return whether there are any
     */
    synchronized boolean change(String server, Backends.Change change) {
        List<ServerConfig> servers = group.config().servers();
        int[] called = IntStream.range(0, servers.size())
                .filter(index -> servers.get(index).isCalled(server))
                .toArray();
        for (int index : called) {
            change.of(group.health(), index);
        }
        return called.length > 0;
    }

    /** Runs a task, on any thread, each time that the servers have changed. */
    void follow(Runnable task) {
        followers.add(task);
    }

    void unfollow(Runnable task) {
        followers.remove(task);
    }

    // --- its life ---------------------------------------------------------------------------------------------------

    void hold() {
        holders.incrementAndGet();
    }

    /** Returns true until the last holder has let go. */
    boolean isHeld() {
        return holders.get() > 0;
    }

    void release() {
        if (holders.decrementAndGet() > 0) {
            return;
        }
        names.close();
        if (tls != null) {
            tls.close();
        }
    }
}
