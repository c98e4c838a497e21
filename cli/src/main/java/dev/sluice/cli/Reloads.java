package dev.sluice.cli;

import dev.sluice.gateway.Gateway;
import dev.sluice.gateway.GatewayLog;
import dev.sluice.gateway.GatewayStartException;
import dev.sluice.gateway.OpenSslCheck;
import dev.sluice.gateway.ReloadRequest;
import dev.sluice.gateway.config.ConfigException;
import dev.sluice.gateway.config.ConfigFile;
import dev.sluice.gateway.config.ConfigSource;
import dev.sluice.gateway.config.GatewayConfig;
import dev.sluice.tls.TlsConfigurationException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Has a running gateway take up changes, on a thread of its own: the configuration file when SIGHUP or the admin socket asks for
 * it; certificates, keys, authorities and revocation lists also by themselves, when their files have changed and then stayed the
 * same from one look to the next. A configuration that cannot be served is refused as a whole, and the old one stays.
 *
 * <p>The configuration file is not taken up by itself, since somebody may be about to edit it: while only a certificate has
 * changed, it counts as it was read before.
 */
final class Reloads {
    private static final long LOOK_MILLIS = 1_000;

    /** Looking at thousands of files takes a while: it is done for a hundredth of the time at most. */
    private static final long PAUSES_PER_LOOK = 100;

    private final UnaryOperator<GatewayConfig> options;
    private final GatewayLog log;
    private final Gateway gateway;
    private final ServiceManager manager;
    private final ExpiryWatch expiry;
    private final BlockingQueue<Asked> asked = new LinkedBlockingQueue<>();

    /** What is served; changed by this class's thread alone. */
    private volatile ConfigSource source;

    private FileStamps seen;
    private FileStamps lookedAt;
    /** Holds the certificates that are served; null: they were read by somebody else. */
    private @Nullable OpenSslCheck served;

    private volatile boolean ended;

    /**
     * Somebody wants the configuration to be read again.
     *
     * @param who for the log
     * @param answer completed with what is served then, or with why it is not
     */
    private record Asked(String who, CompletableFuture<String> answer) {}

    private Reloads(
            ConfigSource source,
            FileStamps loaded,
            UnaryOperator<GatewayConfig> options,
            Gateway gateway,
            ServiceManager manager,
            GatewayLog log) {
        this.manager = manager;
        this.source = source;
        this.options = options;
        this.gateway = gateway;
        this.log = log;
        this.expiry = new ExpiryWatch(InstantSource.system(), log);
        this.seen = loaded;
        this.lookedAt = loaded;
    }

    /**
     * Starts to look, and to listen for signals.
     *
     * @param source the configuration that the gateway was started with
     * @param loaded its files as they were before the gateway read them: what has changed since is noticed
     * @param options what the command line changes in a configuration
     * @param manager is told when a signal has had the configuration read
     */
    static void start(
            ConfigSource source,
            FileStamps loaded,
            UnaryOperator<GatewayConfig> options,
            Gateway gateway,
            ServiceManager manager,
            GatewayLog log) {
        Reloads reloads = new Reloads(source, loaded, options, gateway, manager, log);
        boolean heard = Signals.onHangUp(() -> {
            gateway.reopenAccessLog(); // whatever comes of the reload
            reloads.asked.add(new Asked("SIGHUP", new CompletableFuture<>()));
        });
        if (!heard) {
            log.warn(
                    "SIGHUP is ignored, as nohup has it, and will reload nothing; start the gateway without nohup, or use"
                            + " sluice reload with an admin socket");
        }
        gateway.onReloadRequest(new ReloadRequest() {
            @Override
            public String reload() throws RefusedException {
                return reloads.reloadAndWait();
            }

            @Override
            public String effective() throws RefusedException {
                return reloads.effective();
            }
        });
        Thread.ofPlatform().daemon().name("reload").start(reloads::work);
    }

    private String reloadAndWait() throws ReloadRequest.RefusedException {
        Asked mine = new Asked("sluice reload", new CompletableFuture<>());
        asked.add(mine);
        if (ended) {
            refuseAll();
        }
        try {
            return mine.answer().get();
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            throw new ReloadRequest.RefusedException(String.valueOf(cause == null ? e : cause.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ReloadRequest.RefusedException("the gateway is about to end");
        }
    }

    /** Of the text that is served: the file may be another one by now. */
    private String effective() throws ReloadRequest.RefusedException {
        try (OpenSslCheck check = new OpenSslCheck()) {
            return ConfigFile.parseWithPlaces(source, check).effective();
        } catch (ConfigException e) {
            throw new ReloadRequest.RefusedException("what is served cannot be told now, since files that it names have"
                    + " changed:\n" + e.getMessage());
        }
    }

    private void work() {
        long pause = LOOK_MILLIS;
        try {
            expiry.toldAll(gateway.config());
            while (!gateway.isEnding()) {
                Asked next = asked.poll(pause, TimeUnit.MILLISECONDS);
                if (next == null) {
                    pause = lookAtFiles();
                    expiry.look(gateway.config());
                } else {
                    reloadFor(next);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            ended = true;
            refuseAll();
        }
    }

    private void refuseAll() {
        for (Asked each = asked.poll(); each != null; each = asked.poll()) {
            each.answer().completeExceptionally(new IllegalStateException("the gateway has begun to drain"));
        }
    }

    /** One reload answers all who have asked by now. */
    private void reloadFor(Asked first) {
        List<Asked> all = new ArrayList<>(List.of(first));
        asked.drainTo(all);
        manager.reloading();
        try {
            String told = reload(ConfigSource.read(source.path()), first.who(), new OpenSslCheck());
            manager.ready("serving the configuration of " + source.path());
            all.forEach(each -> each.answer().complete(told));
        } catch (ConfigException | GatewayStartException | TlsConfigurationException | IllegalStateException e) {
            refused(first.who(), e);
            manager.ready("serving; not reloaded, see the log");
            all.forEach(each -> each.answer().completeExceptionally(e));
        }
    }

    /**
     * A file that is being written looks different at each look.
     *
     * @return how long to wait until the next look, in milliseconds
     */
    private long lookAtFiles() {
        long began = System.nanoTime();
        FileStamps now = FileStamps.of(gateway.config().files());
        long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
        List<Path> changed = now.changedSince(seen);
        if (!changed.isEmpty() && now.equals(lookedAt)) {
            String why = named(changed) + " changed";
            try {
                reload(source, why, rereadingOnly(changed));
            } catch (ConfigException | GatewayStartException | TlsConfigurationException | IllegalStateException e) {
                refused(why, e);
            }
        }
        lookedAt = now;
        return Math.max(LOOK_MILLIS, took * PAUSES_PER_LOOK);
    }

    private static String named(List<Path> files) {
        int most = 5;
        return files.stream().limit(most).map(Path::toString).collect(Collectors.joining(", "))
                + (files.size() > most ? " and " + (files.size() - most) + " more" : "");
    }

    /** Of thousands of certificates a few are renewed each day. Who asks for a reload has everything read again. */
    private OpenSslCheck rereadingOnly(List<Path> changed) {
        OpenSslCheck known = served;
        Set<Path> read = new HashSet<>(changed);
        return known == null ? new OpenSslCheck() : new OpenSslCheck(known, file -> !read.contains(file));
    }

    /** @param check closed here, at once or when another one has taken its place */
    private String reload(ConfigSource newSource, String why, OpenSslCheck check) throws ConfigException {
        // From before the files are read: what changes meanwhile shows at the next look.
        seen = FileStamps.of(gateway.config().files());
        GatewayConfig next;
        List<String> notes;
        try {
            next = options.apply(ConfigFile.parse(newSource, check));
            seen = FileStamps.of(next.files(), seen);
            notes = gateway.reload(next, check);
        } catch (ConfigException | RuntimeException e) {
            check.close();
            throw e;
        }
        if (served != null) {
            served.close();
        }
        served = check;
        source = newSource;
        expiry.toldAll(next);
        String told = "reloaded " + source.path() + " (" + why + "): " + counted(next);
        log.info(told);
        notes.forEach(log::warn);
        return Stream.concat(Stream.of(told), notes.stream()).collect(Collectors.joining("\n", "", "\n"));
    }

    private static String counted(GatewayConfig config) {
        return count(config.listeners(), "listener") + ", " + count(config.certificates(), "certificate") + ", "
                + count(config.backends(), "backend");
    }

    private static String count(List<?> things, String name) {
        return things.size() + " " + name + (things.size() == 1 ? "" : "s");
    }

    private void refused(String why, Exception cause) {
        gateway.reloadRefused();
        log.warn("not reloaded (" + why + "), what was served goes on: " + cause.getMessage());
    }
}
