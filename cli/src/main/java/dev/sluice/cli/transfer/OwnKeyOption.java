package dev.sluice.cli.transfer;

import dev.sluice.config.read.StateDirectory;
import dev.sluice.transfer.identity.OwnKey;
import dev.sluice.transfer.identity.OwnKeyType;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that names this machine's key. */
final class OwnKeyOption {
    private static final String FILE = "transfer-key.pem";

    @Option(
            names = "--key",
            paramLabel = "FILE",
            description = "This machine's private key; created if absent. Default: transfer-key.pem in "
                    + "SLUICE_STATE_DIR or ~/.local/state/sluice.")
    private @Nullable Path key;

    /** Reads or creates the key, which the caller closes. */
    OwnKey open() {
        return OwnKey.loadOrCreate(key == null ? StateDirectory.find().resolve(FILE) : key, OwnKeyType.ED25519);
    }
}
