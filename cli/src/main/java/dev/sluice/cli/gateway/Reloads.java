package dev.sluice.cli.gateway;

import dev.sluice.cli.command.RefusedException;
import dev.sluice.config.certificate.UnusableCertificate;
import dev.sluice.config.log.LogLevel;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.read.ConfigFile;
import dev.sluice.config.read.ConfigSource;
import dev.sluice.config.read.RememberedHosts;
import dev.sluice.config.yaml.ConfigException;
import dev.sluice.config.yaml.HostLookup;
import dev.sluice.config.yaml.ProblemKind;
import dev.sluice.gateway.Gateway;
import dev.sluice.gateway.certificate.OpenSslCheck;
import dev.sluice.gateway.log.ProcessLog;
import dev.sluice.gateway.reload.ReloadRequest;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
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
 * The reloads of a running gateway, on a thread of their own: of the configuration file on SIGHUP or a request over the
 * admin socket; of certificates, keys, authorities and revocation lists also automatically, when their files have
 * changed and then stayed the same from one check to the next. An invalid configuration is rejected as a whole, and the
 * previous one stays active.
 *
 * <p>Reloads without a waiting client are retried: one by SIGHUP that failed for a temporary reason, and failed reloads
 * of certificates, see {@link Retry}. Names are no reason to fail: servers and listeners keep their addresses.
 *
 * <p>The configuration file is not reloaded automatically, since it may be in the process of editing: a reload of
 * certificates uses the configuration as last read.
 */
final class Reloads {
    /** A file that has changed is read at the second look that finds it the same. Tests make the pause shorter. */
    private static final long LOOK_MILLIS = Long.getLong("sluice.reload.look.millis", 1_000);

    /** Checking thousands of files takes a while: checks take at most a hundredth of the time. */
    private static final long PAUSES_PER_LOOK = 100;

    private final UnaryOperator<GatewayConfig> options;
    private final ProcessLog log;
    private final Gateway gateway;
    private final ServiceManager manager;
    private final ExpiryWatch expiry;
    private final BlockingQueue<Asked> asked = new LinkedBlockingQueue<>();

    /** The addresses of listeners whose names do not resolve now. */
    private final RememberedHosts hosts;

    /** A configuration that failed to load; null for none. */
    private @Nullable Retry configuration;

    /** Certificates that failed to load; null for none. */
    private @Nullable Retry certificates;

    /** The active configuration; changed by this class's thread only. */
    private volatile ConfigSource source;

    private FileStamps seen;
    private FileStamps lookedAt;
    /** The files changed since they were read for the active configuration, including those of a rejected reload. */
    private final Set<Path> unread = new HashSet<>();
    /** The holder of the active certificates. */
    private OpenSslCheck served;

    private volatile boolean ended;

    /**
     * A request to reload the configuration.
     *
     * @param who for the log
     * @param waits true if a client waits for the answer and may retry
     * @param answer completed with the active configuration, or with the reason of a rejection
     */
    private record Asked(String who, boolean waits, CompletableFuture<String> answer) {}

    private Reloads(
            ConfigSource source,
            FileStamps loaded,
            OpenSslCheck checked,
            UnaryOperator<GatewayConfig> options,
            RememberedHosts hosts,
            Gateway gateway,
            ServiceManager manager,
            ProcessLog log) {
        this.hosts = hosts;
        this.manager = manager;
        this.served = checked;
        this.source = source;
        this.options = options;
        this.gateway = gateway;
        this.log = log;
        this.expiry = new ExpiryWatch(InstantSource.system(), log);
        this.seen = loaded;
        this.lookedAt = loaded;
    }

    /**
     * Starts checking files and reloading on signals.
     *
     * @param hangups the signals, from the process's start on
     * @param source the gateway's initial configuration
     * @param loaded stamps of its files from before the gateway read them, so that later changes are found
     * @param checked holder of the initial certificates; closed here when replaced
     * @param options the command line's changes to a configuration
     * @param hosts the addresses of the listeners' names at start
     * @param manager notified of reloads by signal
     */
    static void start(
            Hangups hangups,
            ConfigSource source,
            FileStamps loaded,
            OpenSslCheck checked,
            UnaryOperator<GatewayConfig> options,
            RememberedHosts hosts,
            Gateway gateway,
            ServiceManager manager,
            ProcessLog log) {
        Reloads reloads = new Reloads(source, loaded, checked, options, hosts, gateway, manager, log);
        hangups.run(() -> {
            gateway.reopenAccessLog(); // whatever the result of the reload
            reloads.asked.add(new Asked("SIGHUP", false, new CompletableFuture<>()));
        });
        if (!hangups.areHeard()) {
            log.warn("SIGHUP is ignored, as nohup has it, and will reload nothing; start the gateway without nohup, "
                    + "or use sluice reload with an admin socket");
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
        Asked mine = new Asked("sluice reload", true, new CompletableFuture<>());
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

    /** Returns the active configuration as text; the file may have changed by now. */
    private String effective() throws ReloadRequest.RefusedException {
        try (OpenSslCheck check = new OpenSslCheck()) {
            return ConfigFile.parseWithPlaces(source, check, hosts::remembered).effective();
        } catch (ConfigException e) {
            throw new ReloadRequest.RefusedException(
                    "the active configuration cannot be shown now, since files that it names have changed:\n"
                            + e.getMessage());
        }
    }

    private void work() {
        long pause = LOOK_MILLIS;
        try {
            expiry.toldAll(gateway.config());
            while (!gateway.isEnding()) {
                Asked next = asked.poll(pause, TimeUnit.MILLISECONDS);
                if (next == null) {
                    pause = look();
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

    /** Checks the files; after any failure, certificates are checked again. */
    private long look() {
        try {
            long pause = lookAtFiles();
            tryAgain();
            expiry.look(gateway.config());
            return pause;
        } catch (RuntimeException e) {
            log.line(LogLevel.ERROR, "file check failed (" + e + "); internal error, please report it");
            return LOOK_MILLIS;
        }
    }

    private void refuseAll() {
        for (Asked each = asked.poll(); each != null; each = asked.poll()) {
            each.answer().completeExceptionally(new IllegalStateException("the gateway has begun to drain"));
        }
    }

    /** Runs one reload for all pending requests. */
    private void reloadFor(Asked first) {
        List<Asked> all = new ArrayList<>(List.of(first));
        asked.drainTo(all);
        manager.reloading();
        ConfigSource read = null;
        try {
            read = ConfigSource.read(source.path());
            String told = reloadAll(read, first.who());
            all.forEach(each -> each.answer().complete(told));
        } catch (ConfigException | RuntimeException e) {
            boolean again = all.stream().anyMatch(each -> !each.waits()) && passes(e);
            refused(first.who(), e, again);
            configuration = again ? retry(first.who(), e) : null;
            if (configuration != null) {
                configuration.source(read);
            }
            manager.ready("serving; not reloaded, see the log");
            all.forEach(each -> each.answer().completeExceptionally(e));
        }
    }

    private String reloadAll(ConfigSource read, String why) throws ConfigException {
        String told = reload(read, why, OpenSslCheck.ofReload(served), hosts::refreshed);
        configuration = null;
        certificates = null;
        manager.ready("serving the configuration of " + source.path());
        return told;
    }

    private static boolean passes(Exception e) {
        return ProblemReport.kindOf(e) == ProblemKind.TRANSIENT;
    }

    private static Retry retry(String why, Exception e) {
        return new Retry(why, String.valueOf(e.getMessage()), System.nanoTime());
    }

    /** Retries the failed reloads without a waiting client. */
    private void tryAgain() {
        Retry all = configuration;
        if (all != null && all.isDue(System.nanoTime())) {
            tryConfigurationAgain(all);
        }
        Retry some = certificates;
        if (some != null && some.isDue(System.nanoTime())) {
            tryCertificatesAgain(some);
        }
    }

    private void tryConfigurationAgain(Retry again) {
        try {
            ConfigSource known = again.source();
            ConfigSource read = known == null ? ConfigSource.read(source.path()) : known;
            again.source(read);
            reloadAll(read, again.why() + ", tried again");
        } catch (ConfigException | RuntimeException e) {
            if (again.failedAgain(String.valueOf(e.getMessage()), System.nanoTime())) {
                log.warn(refusal(again.why() + ", tried again", e, passes(e)));
            }
            configuration = passes(e) ? again : null;
        }
    }

    private void tryCertificatesAgain(Retry again) {
        try {
            reload(source, again.why(), rereadingOnly(again.files()), hosts::remembered);
            certificates = null;
        } catch (ConfigException | RuntimeException e) {
            if (again.failedAgain(String.valueOf(e.getMessage()), System.nanoTime())) {
                log.warn(refusal(again.why(), e, true));
            }
        }
    }

    /**
     * Checks the files; a file being written differs at each check.
     *
     * @return milliseconds until the next check
     */
    private long lookAtFiles() {
        long began = System.nanoTime();
        FileStamps now = FileStamps.of(gateway.config().files());
        long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
        List<Path> changed = now.changedSince(seen);
        if (!changed.isEmpty() && now.equals(lookedAt)) {
            takeUp(changed);
        }
        lookedAt = now;
        return Math.max(LOOK_MILLIS, took * PAUSES_PER_LOOK);
    }

    /** Reloads renewed certificates, independent of the configuration file and of DNS. */
    private void takeUp(List<Path> changed) {
        String why = named(changed) + " changed";
        try {
            reload(source, why, rereadingOnly(changed), hosts::remembered);
            if (certificates != null && certificates.servedNow(changed)) {
                certificates = null;
            }
        } catch (ConfigException | RuntimeException e) {
            refused(why, e, true);
            Retry pending = retry(why, e);
            pending.add(changed);
            if (certificates != null) {
                pending.add(certificates.files());
            }
            certificates = pending;
        }
    }

    private static String named(List<Path> files) {
        int most = 5;
        return files.stream().limit(most).map(Path::toString).collect(Collectors.joining(", "))
                + (files.size() > most ? " and " + (files.size() - most) + " more" : "");
    }

    /**
     * Rereads only changed certificates: of thousands, a few are renewed each day. A requested reload rereads
     * everything.
     */
    private OpenSslCheck rereadingOnly(Collection<Path> changed) {
        unread.addAll(changed);
        Set<Path> read = Set.copyOf(unread);
        return OpenSslCheck.ofRenewal(served, file -> !read.contains(file));
    }

    /**
     * Activates a configuration.
     *
     * @param check closed here, immediately or when replaced
     */
    private String reload(ConfigSource newSource, String why, OpenSslCheck check, HostLookup lookup)
            throws ConfigException {
        // From before the files are read: changes meanwhile are found at the next check.
        FileStamps before = seen;
        seen = FileStamps.of(gateway.config().files());
        unread.addAll(seen.changedSince(before));
        GatewayConfig next;
        List<String> notes;
        try {
            next = options.apply(
                    ConfigFile.parseWithPlaces(newSource, check, lookup).config());
            seen = FileStamps.of(next.files(), seen);
            notes = gateway.reload(next, check);
        } catch (ConfigException | RuntimeException e) {
            check.close();
            throw e;
        }
        log.apply(next.operation().log());
        unread.clear();
        served.close();
        served = check;
        source = newSource;
        expiry.toldAll(next);
        String told = "reloaded " + source.path() + " (" + why + "): " + counted(next);
        log.info(told);
        notes.forEach(log::warn);
        return Stream.concat(Stream.of(told), notes.stream()).collect(Collectors.joining("\n", "", "\n"));
    }

    private static String counted(GatewayConfig config) {
        List<UnusableCertificate> unusable = config.sources().unusable();
        return count(config.listeners(), "listener") + ", " + count(config.certificates(), "certificate") + ", "
                + count(config.backends(), "backend")
                + (unusable.isEmpty() ? "" : "; not usable: " + count(unusable, "certificate file"));
    }

    private static String count(List<?> things, String name) {
        return things.size() + " " + name + (things.size() == 1 ? "" : "s");
    }

    private void refused(String why, Exception cause, boolean again) {
        gateway.reloadRefused();
        log.warn(refusal(why, cause, again));
    }

    private static String refusal(String why, Exception cause, boolean again) {
        return "reload rejected (" + why + (again ? "; retrying" : "") + "); the previous configuration stays active: "
                + (cause.getMessage() == null ? cause : cause.getMessage());
    }
}
