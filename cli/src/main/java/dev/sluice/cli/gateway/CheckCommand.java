package dev.sluice.cli.gateway;

import dev.sluice.cli.command.ExitCode;
import dev.sluice.cli.command.RefusedException;
import dev.sluice.cli.command.StandardOptions;
import dev.sluice.config.certificate.KeyPairFiles;
import dev.sluice.config.lint.AddressLint;
import dev.sluice.config.lint.CostLint;
import dev.sluice.config.lint.HandshakeCosts;
import dev.sluice.config.model.AddressRange;
import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.BackendTlsConfig;
import dev.sluice.config.model.CertificateConfig;
import dev.sluice.config.model.EchConfig;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.HealthConfig;
import dev.sluice.config.model.ListenerConfig;
import dev.sluice.config.model.RouteConfig;
import dev.sluice.config.model.ServerConfig;
import dev.sluice.config.read.ConfigFile;
import dev.sluice.config.read.ConfigSource;
import dev.sluice.config.read.ReadConfig;
import dev.sluice.config.yaml.ConfigException;
import dev.sluice.config.yaml.ConfigProblem;
import dev.sluice.config.yaml.Quantities;
import dev.sluice.cost.figures.CostProfileFile;
import dev.sluice.gateway.backend.NameWarnings;
import dev.sluice.gateway.certificate.CertificateWarnings;
import dev.sluice.gateway.certificate.OpenSslCheck;
import dev.sluice.gateway.log.LogWarnings;
import dev.sluice.gateway.ocsp.OcspWarnings;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command that validates a configuration without serving. */
@Command(
        name = "check",
        description = {
            "Validates a configuration and its files, and reports what would be served, impending problems, and "
                    + "avoidable costs.",
            "Exit code: 0 when it is valid, 2 with all problems otherwise."
        })
public final class CheckCommand implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = "Configuration in YAML.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path file;

    @Option(names = "--strict", description = "Treat warnings as errors, with exit code 2.")
    private boolean strict;

    @Option(
            names = "--effective",
            description = "Print what would run as YAML that the gateway accepts: defaults filled in, includes and"
                    + " variables resolved, passwords left out. Warnings go to standard error.")
    private boolean effective;

    @Option(
            names = "--costs",
            paramLabel = "FILE",
            description = "Estimate costs from a measurement (sluice cost --save FILE, sluice bench handshakes --json "
                    + "FILE). Default: the saved figures of sluice cost, else those of docs/benchmarks/handshakes.md.")
    private @Nullable Path costs;

    @Mixin
    private final StandardOptions standard = new StandardOptions();

    @Override
    public Integer call() {
        ReadConfig read;
        try (OpenSslCheck check = new OpenSslCheck()) {
            read = ConfigFile.parseWithPlaces(ConfigSource.read(file), check);
        } catch (ConfigException refused) {
            standard.err().println(refused.getMessage());
            return ExitCode.REFUSED;
        }
        List<String> warnings = warnings(read);
        PrintWriter out = standard.out();
        if (effective) {
            out.print(read.effective());
            tell(warnings, standard.err());
        } else {
            describe(read.config(), out);
            tell(warnings, out);
        }
        out.flush();
        return strict && !warnings.isEmpty() ? ExitCode.REFUSED : ExitCode.OK;
    }

    private List<String> warnings(ReadConfig read) {
        List<String> warnings = new ArrayList<>();
        read.config().sources().unusable().forEach(unusable -> warnings.add(unusable.line()));
        warnings.addAll(AddressLint.of(read.config()));
        warnings.addAll(LogWarnings.of(read.config().operation().log()));
        warnings.addAll(CertificateWarnings.of(read.config(), Instant.now()));
        warnings.addAll(OcspWarnings.of(read.config()));
        warnings.addAll(OcspWarnings.ofIssuers(read.config()));
        NameWarnings.of(read).forEach(unresolved -> warnings.add(unresolved.toString()));
        List<ConfigProblem> findings = new CostLint(read, measured()).findings();
        findings.forEach(finding -> warnings.add(finding.toString()));
        return warnings;
    }

    private HandshakeCosts measured() {
        if (costs == null) {
            return kept();
        }
        try {
            return HandshakeCosts.read(costs);
        } catch (IllegalArgumentException bad) {
            throw new RefusedException("--costs: " + bad.getMessage());
        }
    }

    /** Returns the saved costs; an unreadable default file is no reason to refuse. */
    private static HandshakeCosts kept() {
        Path file = CostProfileFile.usual();
        try {
            return Files.isReadable(file) ? HandshakeCosts.read(file) : HandshakeCosts.OF_BENCHMARKS;
        } catch (IllegalArgumentException old) {
            return HandshakeCosts.OF_BENCHMARKS;
        }
    }

    private static void tell(List<String> warnings, PrintWriter to) {
        warnings.forEach(warning -> to.println("\nwarning: " + warning));
        to.flush();
    }

    private void describe(GatewayConfig config, PrintWriter out) {
        out.println(file + ": valid");
        config.listeners().forEach(listener -> describe(listener, out));
        config.backends().forEach(backend -> describe(backend, out));
    }

    private static void describe(ListenerConfig listener, PrintWriter out) {
        out.println();
        out.println("listener " + BackendConfig.text(listener.address()) + ", " + protocols(listener));
        for (CertificateConfig certificate : listener.certificates()) {
            out.println("  certificate " + certificate.name() + ": " + names(certificate));
            for (KeyPairFiles pair : certificate.keyPairs()) {
                out.println("    " + pair.keyType() + ", valid until " + pair.notAfter() + ", " + pair.chain());
            }
        }
        if (!listener.acceptPolicy().proxiedFrom().isEmpty()) {
            out.println("  proxy-protocol from "
                    + listener.acceptPolicy().proxiedFrom().stream()
                            .map(AddressRange::text)
                            .collect(Collectors.joining(", ")));
        }
        EchConfig ech = listener.tls().ech();
        if (ech != null) {
            out.println("  encrypted ClientHello for " + ech.publicName() + ", keys in " + ech.directory()
                    + (ech.rotates() ? ", rotated every " + Quantities.text(ech.rotate()) : ""));
        }
        for (RouteConfig route : listener.routes()) {
            out.println("  " + condition(route) + (route.passes() ? ", TLS passed through" : "") + " -> "
                    + route.backend().name());
        }
    }

    private static String protocols(ListenerConfig listener) {
        return switch (listener.kind()) {
            case REDIRECT -> "plain HTTP, redirected to https on port " + listener.redirectPort();
            case PLAIN -> "any protocol, without TLS";
            case TLS ->
                "TLS " + listener.tls().minVersion().text() + " or later"
                        + (listener.alpn().isEmpty() ? "" : ", alpn " + String.join(", ", listener.alpn()));
        };
    }

    private static String names(CertificateConfig certificate) {
        return certificate.serverNames().isEmpty()
                ? "no server name"
                : certificate.serverNames().stream()
                        .map(Object::toString)
                        .sorted()
                        .collect(Collectors.joining(", "));
    }

    private static String condition(RouteConfig route) {
        if (route.matchesAll()) {
            return "every connection";
        }
        return "server name " + route.serverName() + (route.alpn().isEmpty() ? "" : ", alpn " + route.alpn());
    }

    private static void describe(BackendConfig backend, PrintWriter out) {
        out.println();
        out.println("backend " + backend.name() + ", "
                + backend.balance().name().toLowerCase(Locale.ROOT).replace('_', '-') + ", proxy-protocol "
                + backend.proxyProtocol().name().toLowerCase(Locale.ROOT)
                + switch (backend.connect()) {
                    case AT_ONCE -> "";
                    case AT_HELLO -> ", connected at the ClientHello";
                    case ON_DATA -> ", connected on data";
                });
        backend.servers().forEach(server -> out.println("  " + server.text() + use(server) + tls(backend, server)));
        HealthConfig health = backend.health();
        if (health != null) {
            out.println("  checked by " + health.kind().name().toLowerCase(Locale.ROOT)
                    + (health.kind() == HealthConfig.Kind.HTTP ? " GET " + health.path() : "") + " every "
                    + Quantities.text(health.interval()));
        }
    }

    private static String use(ServerConfig server) {
        String weight = server.weight() == ServerConfig.DEFAULT_WEIGHT ? "" : ", weight " + server.weight();
        return weight + (server.isBackup() ? ", backup" : "");
    }

    private static String tls(BackendConfig backend, ServerConfig server) {
        BackendTlsConfig tls = backend.tls();
        if (tls == null) {
            return "";
        }
        String name = tls.nameOf(server.address());
        return !tls.verify()
                ? ", TLS that is not verified"
                : ", TLS verified as " + (name.isEmpty() ? "the host of each record" : name);
    }
}
