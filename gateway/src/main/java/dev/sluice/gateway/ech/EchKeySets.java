package dev.sluice.gateway.ech;

import dev.sluice.config.model.EchConfig;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.gateway.outcome.GatewayStartException;
import dev.sluice.tls.ech.EchKeyRing;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The keys for Encrypted ClientHello of a gateway's listeners, one set for each directory. Thread-safe. */
public final class EchKeySets implements AutoCloseable {
    /** The interval at which the directories are read. */
    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private final InstantSource clock;
    private final EchLog log;
    private final Map<EchConfig, EchKeySet> sets = new LinkedHashMap<>();
    private @Nullable Thread refresher;
    private boolean closed;

    /** Creates an object without keys. */
    public EchKeySets(InstantSource clock, EchLog log) {
        this.clock = clock;
        this.log = log;
    }

    /**
     * Returns the newest configuration in a directory.
     *
     * @param directory of key files
     * @throws IOException when it holds none, or one that cannot be read
     */
    public static EchStatus newest(Path directory) throws IOException {
        List<Path> files = new EchDirectory(directory).files();
        if (files.isEmpty()) {
            throw new IOException(directory + " holds no file *.pem");
        }
        EchKeyFile key = EchKeyFile.read(files.getLast());
        key.wipe();
        return new EchStatus(
                directory, key.publicName(), key.configuration(), EchDirectory.time(key.file()), files.size());
    }

    /**
     * Loads the keys of a configuration, and reads those again that are loaded.
     *
     * @throws GatewayStartException when a directory holds none that can be used
     */
    public synchronized void prepare(GatewayConfig config) {
        for (EchConfig each : wanted(config)) {
            EchKeySet keys = sets.computeIfAbsent(each, wanted -> new EchKeySet(wanted, clock, log));
            keys.refresh();
            if (keys.status() == null) {
                throw keys.notStarted();
            }
        }
        if (refresher == null && !sets.isEmpty()) {
            refresher = Thread.ofPlatform().daemon().name("ech-keys").start(this::run);
        }
    }

    /** Drops the keys that a configuration does not have. */
    public synchronized void keep(GatewayConfig config) {
        Set<EchConfig> wanted = wanted(config);
        sets.entrySet().removeIf(entry -> {
            boolean dropped = !wanted.contains(entry.getKey());
            if (dropped) {
                entry.getValue().close();
            }
            return dropped;
        });
    }

    private static Set<EchConfig> wanted(GatewayConfig config) {
        return config.listeners().stream()
                .map(listener -> listener.tls().ech())
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
    }

    /** Returns the keys of a listener, which {@link #prepare} has loaded. */
    public synchronized EchKeyRing ring(EchConfig config) {
        return Objects.requireNonNull(sets.get(config)).ring();
    }

    /** Returns the status of each set. */
    public synchronized List<EchStatus> statuses() {
        return sets.values().stream()
                .map(EchKeySet::status)
                .filter(Objects::nonNull)
                .toList();
    }

    /** Returns the number of failed refreshes of the current sets. */
    public synchronized long failures() {
        return sets.values().stream().mapToLong(EchKeySet::failures).sum();
    }

    private void run() {
        while (await()) {
            List<EchKeySet> all;
            synchronized (this) {
                all = new ArrayList<>(sets.values());
            }
            all.forEach(EchKeySet::refresh); // may wait for a file system
        }
    }

    /** Waits for the next refresh; false: it is over. */
    private synchronized boolean await() {
        long end = System.nanoTime() + INTERVAL.toNanos();
        try {
            for (long left = INTERVAL.toMillis(); !closed && left > 0; ) {
                wait(left);
                left = Duration.ofNanos(end - System.nanoTime()).toMillis();
            }
            return !closed;
        } catch (InterruptedException e) {
            return false;
        }
    }

    /** Ends the thread and frees the keys. */
    @Override
    public synchronized void close() {
        closed = true;
        notifyAll();
        sets.values().forEach(EchKeySet::close);
        sets.clear();
    }
}
