package dev.sluice.bench.terminator;

import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Role;
import dev.sluice.bench.process.GatewayYaml;
import dev.sluice.bench.process.JavaCommand;
import dev.sluice.bench.process.ManagedProcess;
import dev.sluice.bench.process.OpenSslVersion;
import dev.sluice.bench.process.Output;
import dev.sluice.bench.process.Site;
import dev.sluice.bench.process.SluiceProgram;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Our gateway with one event loop, in its own JVM. Its CPU time is that of the whole JVM, including compiler and
 * collector.
 *
 * @param identity its identity
 * @param transport its transport, as named in the configuration
 * @param variant what is not as usual
 */
record SluiceTerminator(Identity identity, String transport, Variant variant) implements Terminator {
    /** The launcher makes the JVM trim the C library's heap every 5 s. */
    private static final long SETTLE_MILLIS = 5_500;

    private static final String EPOLL = "epoll";
    private static final String IO_URING = "io_uring";

    /** The variants of a gateway; the text follows the transport in its name. */
    enum Variant {
        /** As configured by default, but for the warm-up. */
        USUAL(""),
        /** All handshakes in libssl. */
        LIBSSL(", libssl"),
        /** With its warm-up, which only a cold start waits for. */
        WARMED_UP(", warmed up"),
        /** Without TLS: what the relay alone costs. */
        PLAIN(", plain TCP");

        private final String text;

        Variant(String text) {
            this.text = text;
        }
    }

    /** Returns the gateway on epoll. */
    static SluiceTerminator onEpoll() {
        return on(EPOLL, Variant.USUAL);
    }

    /** Returns the gateway on io_uring. */
    static SluiceTerminator onIoUring() {
        return on(IO_URING, Variant.USUAL);
    }

    /** Returns the gateway on io_uring with all handshakes in libssl. */
    static SluiceTerminator inLibssl() {
        return on(IO_URING, Variant.LIBSSL);
    }

    /** Returns the gateway on io_uring with its warm-up. */
    static SluiceTerminator warmedUp() {
        return on(IO_URING, Variant.WARMED_UP);
    }

    /** Returns this gateway with its warm-up, which is its default, under the same name. */
    SluiceTerminator asByDefault() {
        return variant == Variant.USUAL ? new SluiceTerminator(identity, transport, Variant.WARMED_UP) : this;
    }

    /** Returns the gateway on io_uring as a plain relay: a terminator with free TLS. */
    static SluiceTerminator relaying() {
        return on(IO_URING, Variant.PLAIN);
    }

    private static SluiceTerminator on(String transport, Variant variant) {
        Role role = variant == Variant.PLAIN ? Role.FLOOR : Role.SUBJECT;
        Identity identity = Identity.of("Sluice, " + transport + variant.text, role);
        return new SluiceTerminator(identity, transport, variant);
    }

    @Override
    public String readyText() {
        return variant == Variant.WARMED_UP ? "warmed up" : "";
    }

    @Override
    public boolean tls() {
        return variant != Variant.PLAIN;
    }

    @Override
    public Terminator again() {
        return new SluiceTerminator(Identity.controlOf(identity.name()), transport, variant);
    }

    @Override
    public Optional<String> unavailable() {
        return SluiceProgram.unavailable();
    }

    @Override
    public String version(Site site) throws InterruptedException {
        String said = Output.of(command(site, List.of("version")), site.environment());
        String version = said.lines().findFirst().orElse("unknown").replaceFirst("sluice\\s+", "");
        return version + " on OpenSSL " + OpenSslVersion.ofSluice(said) + ", JVM options: "
                + String.join(" ", flagsForPeople());
    }

    @Override
    public long settleMillis() {
        return SETTLE_MILLIS;
    }

    @Override
    public ManagedProcess start(Site site, int port, int backendPort) {
        String name = "sluice-" + port;
        Path config = site.write(name + ".yaml", yaml(site, port, backendPort));
        List<String> command = command(site, List.of("gateway", "--config", config.toString()));
        return ManagedProcess.start(
                identity.name(),
                site.cores().onServerCore(command),
                site.environment(),
                site.directory().resolve(name + ".log"));
    }

    private String yaml(Site site, int port, int backendPort) {
        String yaml = GatewayYaml.of(site, transport, port, backendPort);
        return switch (variant) {
            case USUAL -> yaml;
            case LIBSSL -> yaml.replace("    backend: load\n", "    backend: load\n    handshake: libssl\n");
            case WARMED_UP -> yaml.replace("warm-up: off\n", "");
            case PLAIN -> yaml.replace("    certificates: [bench]\n", "    tls: off\n");
        };
    }

    private static List<String> command(Site site, List<String> arguments) {
        return command(site, List.of(), arguments);
    }

    /** Returns the command with more options for the JVM. */
    static List<String> command(Site site, List<String> options, List<String> arguments) {
        return SluiceProgram.command(site, options, arguments);
    }

    /** Returns the options for display, without the directory of the AOT cache. */
    private static List<String> flagsForPeople() {
        return JavaCommand.flagsOfThisProcess().stream()
                .map(flag -> flag.replaceFirst("=/.*/", "="))
                .toList();
    }
}
