package dev.sluice.cli.transfer;

import dev.sluice.config.read.StateDirectory;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that names the file with the keys of known peers. */
final class AllowedKeysOption {
    private static final String FILE = "allowed-keys";

    @Option(
            names = "--allowed-keys",
            paramLabel = "FILE",
            description = "The keys that peers may have: one fingerprint and name per line. Default: allowed-keys in "
                    + "SLUICE_STATE_DIR or ~/.local/state/sluice.")
    private @Nullable Path file;

    /** Returns the file, which may be absent. */
    Path path() {
        return file == null ? StateDirectory.find().resolve(FILE) : file;
    }
}
