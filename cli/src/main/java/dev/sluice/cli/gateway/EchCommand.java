package dev.sluice.cli.gateway;

import dev.sluice.cli.command.ExitCode;
import dev.sluice.cli.command.RefusedException;
import dev.sluice.cli.command.StandardOptions;
import dev.sluice.config.model.EchConfig;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.read.ConfigFile;
import dev.sluice.config.yaml.ConfigException;
import dev.sluice.gateway.certificate.OpenSslCheck;
import dev.sluice.gateway.ech.EchKeySets;
import dev.sluice.gateway.ech.EchStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command that prints what to publish in DNS for Encrypted ClientHello. */
@Command(
        name = "ech",
        description = {
            "Prints the ech parameter for HTTPS records in DNS: for each key directory one line with the public name "
                    + "and the newest configuration, such as \"gateway.example.com ech=AEX+DQBB…\".",
            "Exit code: 0 on success, 2 when a directory holds no key."
        })
public final class EchCommand implements Callable<Integer> {
    @Parameters(paramLabel = "PATH", description = "Configuration in YAML, or a directory of key files.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path path;

    @Mixin
    private final StandardOptions standard = new StandardOptions();

    @Override
    public Integer call() {
        for (Path directory : Files.isDirectory(path) ? List.of(path) : configured()) {
            EchStatus newest = newest(directory);
            standard.out().println(newest.publicName() + " ech=" + newest.configuration());
        }
        standard.out().flush();
        return ExitCode.OK;
    }

    private static EchStatus newest(Path directory) {
        try {
            return EchKeySets.newest(directory);
        } catch (IOException e) {
            throw new RefusedException("no ECH key in " + directory + " (" + e.getMessage()
                    + "); start the gateway, which makes one, or use openssl ech");
        }
    }

    private List<Path> configured() {
        GatewayConfig config;
        try (OpenSslCheck check = new OpenSslCheck()) {
            config = ConfigFile.read(path, check);
        } catch (ConfigException refused) {
            throw new RefusedException(String.valueOf(refused.getMessage()));
        }
        List<Path> directories = config.listeners().stream()
                .map(listener -> listener.tls().ech())
                .filter(Objects::nonNull)
                .map(EchConfig::directory)
                .distinct()
                .toList();
        if (directories.isEmpty()) {
            throw new RefusedException("no listener of " + path + " has ech; add for example ech: {public-name:"
                    + " gateway.example.com, directory: ech}");
        }
        return directories;
    }
}
