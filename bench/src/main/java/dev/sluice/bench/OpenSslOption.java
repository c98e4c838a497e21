package dev.sluice.bench;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that selects the gateway's OpenSSL. */
final class OpenSslOption {
    /** The name of the option. */
    static final String NAME = "--openssl";

    @Option(
            names = NAME,
            paramLabel = "DIR",
            description = "Directory with libssl.so.3 and libcrypto.so.3; without it, the system's.")
    private @Nullable Path openssl;

    /** Returns the directory of the OpenSSL libraries, if set. */
    Optional<Path> directory() {
        return Optional.ofNullable(openssl).map(Path::toAbsolutePath);
    }
}
