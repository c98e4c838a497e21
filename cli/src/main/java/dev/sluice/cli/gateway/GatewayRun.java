package dev.sluice.cli.gateway;

import dev.sluice.cli.command.ExitCode;
import dev.sluice.cli.command.RefusedException;
import dev.sluice.cli.command.Signals;
import dev.sluice.cli.demo.DemoGateway;
import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.OcspConfig;
import dev.sluice.config.model.TransportChoice;
import dev.sluice.config.read.ConfigFile;
import dev.sluice.config.read.ConfigSource;
import dev.sluice.config.read.RememberedHosts;
import dev.sluice.config.read.StateDirectory;
import dev.sluice.config.yaml.ConfigException;
import dev.sluice.config.yaml.HostLookup;
import dev.sluice.ffi.libc.LibC;
import dev.sluice.ffi.openssl.raw.OpenSsl;
import dev.sluice.ffi.x25519.X25519Library;
import dev.sluice.gateway.Gateway;
import dev.sluice.gateway.certificate.OpenSslCheck;
import dev.sluice.gateway.log.GatewayLog;
import dev.sluice.gateway.log.ProcessLog;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The run of {@code sluice gateway} with parsed arguments, from {@link GatewayCommand}, or from {@link #ofPlain} for
 * the simple arguments of production. Parsing them there avoids loading picocli at start, whose class-file format is
 * too old for the AOT cache.
 *
 * @param config the configuration; null for the demo
 * @param listen the demo's listening address; null for the default
 * @param transport auto, io_uring or epoll; null for the configured one
 * @param replace true to replace a running gateway
 */
public record GatewayRun(
        @Nullable Path config,
        @Nullable String listen,
        @Nullable String transport,
        boolean replace) {
    private static final String NAME = "gateway";

    /** The demo without options. */
    private static final GatewayRun DEFAULT = new GatewayRun(null, null, null, false);

    /**
     * Parses arguments that are only {@code gateway} and pairs of option and value, each option once.
     *
     * @return null for all others, valid or not, which picocli parses and reports
     */
    public static @Nullable GatewayRun ofPlain(String[] arguments) {
        if (arguments.length % 2 == 0 || !arguments[0].equals(NAME)) {
            return null;
        }
        GatewayRun read = DEFAULT;
        for (int i = 1; read != null && i < arguments.length; i += 2) {
            read = read.with(arguments[i], arguments[i + 1]);
        }
        return read;
    }

    private @Nullable GatewayRun with(String option, String value) {
        if (value.isEmpty() || value.startsWith("-")) {
            return null;
        }
        return switch (option) {
            case "--config", "-c" -> config != null ? null : new GatewayRun(Path.of(value), listen, transport, false);
            case "--listen" -> listen != null ? null : new GatewayRun(config, value, transport, false);
            case "--transport" -> transport != null ? null : new GatewayRun(config, listen, value, false);
            default -> null;
        };
    }

    /**
     * Serves until a signal ends it.
     *
     * @param out destination of the demo's commands
     * @return the exit code, see {@link ExitCode}
     */
    public int run(PrintWriter out) throws ConfigException, IOException, InterruptedException {
        Signals.onReopen(() -> {}); // until there are log files, the signal must not end the process
        linkSystemCalls();
        NameCache.turnOff();
        try (ProcessLog log = new ProcessLog(new FileOutputStream(FileDescriptor.err))) {
            if (config == null) {
                serveDemo(out, log);
            } else if (listen == null) {
                serveFile(config, log);
            } else {
                throw new RefusedException("--listen is for the demo; with --config the listeners are in the file");
            }
        }
        return ExitCode.OK;
    }

    private void serveDemo(PrintWriter out, ProcessLog log) throws IOException, InterruptedException {
        String where = listen == null ? DemoGateway.DEFAULT_ADDRESS : listen;
        try (DemoGateway demo = DemoGateway.prepare(where, StateDirectory.find());
                OpenSslCheck nothing = new OpenSslCheck()) {
            GatewayConfig config = withTransport(demo.config());
            Life life = Life.of(config, ServiceManager.NONE, log);
            serve(config, nothing, Succession.none(log), life, log, gateway -> {
                log.flush();
                demo.printCommands(out, gateway.addresses().getFirst());
                life.warmUp().runBeside(gateway, "");
            });
        }
    }

    private void serveFile(Path file, ProcessLog log) throws ConfigException, InterruptedException {
        Hangups hangups = new Hangups();
        ConfigSource source = UserChange.read(file, log);
        RememberedHosts hosts = new RememberedHosts(HostLookup.SYSTEM);
        OpenSslCheck check = new OpenSslCheck();
        AtomicBoolean isHandedOver = new AtomicBoolean();
        try {
            GatewayConfig read = withOptions(
                    ConfigFile.parseWithPlaces(source, check, hosts::refreshed).config());
            FileStamps loaded = FileStamps.of(read.files());
            log.apply(read.operation().log());
            serveFile(hangups, source, read, loaded, hosts, check, isHandedOver, log);
        } finally {
            if (!isHandedOver.get()) {
                check.close();
            }
        }
    }

    private void serveFile(
            Hangups hangups,
            ConfigSource source,
            GatewayConfig read,
            FileStamps loaded,
            RememberedHosts hosts,
            OpenSslCheck check,
            AtomicBoolean isHandedOver,
            ProcessLog log)
            throws InterruptedException {
        ServiceManager manager = ServiceManager.ofProcess();
        Life life = Life.of(read, manager, log);
        if (replace && Succession.hasPredecessor(read)) {
            log.info("warming up; the running gateway serves meanwhile");
            life.warmUp().run();
            if (life.drain().isRequested()) {
                log.info("ended by a signal while warming up; the running gateway was not replaced");
                return;
            }
        }
        try (Succession succession = Succession.of(read, replace, log)) {
            serve(read, check, succession, life, log, gateway -> {
                isHandedOver.set(true); // to the reload thread, which closes it when it has a new one
                Reloads.start(hangups, source, loaded, check, this::withOptions, hosts, gateway, manager, log);
                succession.complete(gateway);
                life.warmUp().runBeside(gateway, "serving the configuration of " + source.path());
                manager.watch(gateway, log);
            });
        }
    }

    /**
     * The parts of a process's life besides its gateway.
     *
     * @param manager notified of each step
     * @param drain its end
     * @param warmUp its warm-up
     */
    private record Life(ServiceManager manager, Drain drain, WarmUpPhase warmUp) {
        static Life of(GatewayConfig config, ServiceManager manager, ProcessLog log) {
            Drain drain = new Drain(log);
            return new Life(manager, drain, new WarmUpPhase(config, manager, drain::isRequested, log));
        }
    }

    /**
     * Links the system calls in a thread of its own, while this one links OpenSSL: linking dominates the start time.
     */
    private static void linkSystemCalls() {
        Thread.ofPlatform().name("linking").daemon().start(() -> new LibC().close());
    }

    /** Serves until a signal ends it, without a warm-up; passes the gateway on once it is listening. */
    static void serve(GatewayConfig config, OpenSslCheck checked, ProcessLog log, Consumer<Gateway> whenListening)
            throws InterruptedException {
        Life life = Life.of(config, ServiceManager.NONE, log);
        serve(config, checked, Succession.none(log), life, log, whenListening);
    }

    private static void logX25519(GatewayLog log) {
        X25519Library library = X25519Library.ofProcess();
        if (library.standing() == X25519Library.Standing.REFUSED) {
            log.warn(library.description());
        } else {
            log.info(library.description());
        }
    }

    private static void serve(
            GatewayConfig config,
            OpenSslCheck checked,
            Succession succession,
            Life life,
            ProcessLog log,
            Consumer<Gateway> whenListening)
            throws InterruptedException {
        try (Gateway gateway = Gateway.start(config, log, succession.sockets(), checked)) {
            log.info(OpenSsl.require().describe());
            logX25519(log);
            log.info(config.loops() + (config.loops() == 1 ? " loop on " : " loops on ") + gateway.transport());
            gateway.addresses().forEach(address -> log.info("listening on " + BackendConfig.text(address)));
            gateway.onDrainRequest(life.drain()::request);
            gateway.onLogControl(log);
            Signals.onReopen(() -> reopen(gateway, log));
            whenListening.accept(gateway);
            awaitSignal(life.drain());
            life.warmUp().end(); // first: an ending gateway is not reported as ready any more
            life.drain().run(gateway, life.manager());
        } finally {
            life.warmUp().end();
        }
    }

    private static void reopen(Gateway gateway, GatewayLog log) {
        gateway.reopenAccessLog();
        log.info("log files reopened (SIGUSR1)");
    }

    private static void awaitSignal(Drain drain) throws InterruptedException {
        if (drain.awaitSignal(HeapWatch.INTERVAL)) {
            return;
        }
        HeapWatch heap = HeapWatch.ofProcess();
        do {
            heap.look();
        } while (!drain.awaitSignal(HeapWatch.INTERVAL));
    }

    /** Returns a configuration with the additions of the command line and the environment. */
    private GatewayConfig withOptions(GatewayConfig from) {
        OcspConfig ocsp = from.ocsp();
        Path responses = StateDirectory.find().resolve("ocsp");
        return withTransport(ocsp == null ? from : from.withOcsp(ocsp.orIn(responses)));
    }

    private GatewayConfig withTransport(GatewayConfig from) {
        return switch (transport) {
            case null -> from;
            case "auto" -> from.withTransport(TransportChoice.AUTO);
            case "io_uring" -> from.withTransport(TransportChoice.IO_URING);
            case "epoll" -> from.withTransport(TransportChoice.EPOLL);
            default ->
                throw new RefusedException("--transport is \"" + transport + "\"; write one of auto, io_uring, epoll");
        };
    }
}
