package dev.sluice.cli;

import dev.sluice.gateway.Gateway;
import dev.sluice.gateway.GatewayLog;
import dev.sluice.gateway.GatewayStartException;
import dev.sluice.gateway.OpenSslCheck;
import dev.sluice.gateway.config.ConfigException;
import dev.sluice.gateway.config.ConfigFile;
import dev.sluice.gateway.config.ConfigSource;
import dev.sluice.gateway.config.GatewayConfig;
import dev.sluice.tls.TlsConfigurationException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Has a running gateway take up changes, on a thread of its own: the configuration file when SIGHUP asks for it; certificates,
 * keys and authorities also by itself, when their files have changed and then stayed the same for a second. A configuration
 * that cannot be served is refused as a whole, and the old one stays.
 *
 * <p>The configuration file is not taken up by itself, since somebody may be about to edit it: while only a certificate has
 * changed, it counts as it was read before.
 */
final class Reloads {
    private static final long LOOK_MILLIS = 1_000;

    private final UnaryOperator<GatewayConfig> options;
    private final GatewayLog log;
    private final Gateway gateway;
    private final ServiceManager manager;
    /** As many as signals have come and were not seen to. */
    private final Semaphore asked = new Semaphore(0);

    private ConfigSource source;
    private FileStamps seen;
    private FileStamps lookedAt;

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
        Signals.onHangUp(reloads.asked::release);
        Thread.ofPlatform().daemon().name("reload").start(reloads::work);
    }

    private void work() {
        try {
            while (!gateway.isEnding()) {
                if (asked.tryAcquire(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                    asked.drainPermits();
                    reloadAll();
                } else {
                    lookAtFiles();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void reloadAll() {
        manager.reloading();
        manager.ready(
                reloadedAll() ? "serving the configuration of " + source.path() : "serving; not reloaded, see the log");
    }

    private boolean reloadedAll() {
        try {
            return reload(ConfigSource.read(source.path()), "SIGHUP");
        } catch (ConfigException unreadable) {
            refused("SIGHUP", unreadable);
            return false;
        }
    }

    /** A file that is being written looks different at each look. */
    private void lookAtFiles() {
        FileStamps now = FileStamps.of(gateway.config().files());
        List<Path> changed = now.changedSince(seen);
        if (!changed.isEmpty() && now.equals(lookedAt)) {
            reload(source, changed.stream().map(Path::toString).collect(Collectors.joining(", ")) + " changed");
        }
        lookedAt = now;
    }

    /** Whether it could be done. */
    private boolean reload(ConfigSource newSource, String why) {
        // From before the files are read: what changes meanwhile shows at the next look.
        seen = FileStamps.of(gateway.config().files());
        try {
            GatewayConfig next = options.apply(ConfigFile.parse(newSource, new OpenSslCheck()));
            seen = FileStamps.of(next.files());
            List<String> notes = gateway.reload(next);
            source = newSource;
            log.info("reloaded " + source.path() + " (" + why + "): " + counted(next));
            notes.forEach(log::warn);
            return true;
        } catch (ConfigException | GatewayStartException | TlsConfigurationException | IllegalStateException e) {
            refused(why, e);
            return false;
        }
    }

    private static String counted(GatewayConfig config) {
        return count(config.listeners(), "listener") + ", " + count(config.certificates(), "certificate") + ", "
                + count(config.backends(), "backend");
    }

    private static String count(List<?> things, String name) {
        return things.size() + " " + name + (things.size() == 1 ? "" : "s");
    }

    private void refused(String why, Exception cause) {
        log.warn("not reloaded (" + why + "), what was served goes on: " + cause.getMessage());
    }
}
