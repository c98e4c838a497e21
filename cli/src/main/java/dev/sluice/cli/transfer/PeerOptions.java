package dev.sluice.cli.transfer;

import dev.sluice.cli.command.RefusedException;
import dev.sluice.transfer.identity.AllowedKeys;
import dev.sluice.transfer.identity.KeyFingerprint;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that name known peers. */
final class PeerOptions {
    @Option(
            names = "--peer",
            paramLabel = "FINGERPRINT",
            description = "The key that the peer must have, as sluice keys shows it there; may be repeated. Default: "
                    + "one of the allowed keys.")
    private List<String> peers = new ArrayList<>();

    @Mixin
    private final AllowedKeysOption file = new AllowedKeysOption();

    /** Returns the keys of --peer, or else of the file. */
    AllowedKeys allowed() {
        if (!peers.isEmpty()) {
            return AllowedKeys.of(peers.stream().map(PeerOptions::fingerprint).toArray(KeyFingerprint[]::new));
        }
        Path path = file.path();
        if (Files.notExists(path)) {
            throw new RefusedException("no known peers: " + path + " does not exist; use --peer FINGERPRINT, or run "
                    + "sluice keys --allow FINGERPRINT");
        }
        AllowedKeys keys = AllowedKeys.read(path);
        if (keys.keys().isEmpty()) {
            throw new RefusedException("no known peers: " + path + " has no key; run sluice keys --allow FINGERPRINT");
        }
        return keys;
    }

    /** Reads a fingerprint. */
    static KeyFingerprint fingerprint(String text) {
        try {
            return KeyFingerprint.parse(text);
        } catch (IllegalArgumentException bad) {
            throw new RefusedException(String.valueOf(bad.getMessage()));
        }
    }
}
