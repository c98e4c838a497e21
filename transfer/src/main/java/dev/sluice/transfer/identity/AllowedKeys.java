package dev.sluice.transfer.identity;

import dev.sluice.tls.failure.TlsConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The keys that a peer may have, each with a name for people. Immutable.
 *
 * <p>Its file has one key per line, a fingerprint and an optional name; blank lines and lines that begin with # are
 * ignored:
 *
 * <pre>
 * # the laptops of the house
 * sha256:47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU  anna's laptop
 * </pre>
 */
public final class AllowedKeys {
    private static final String COMMENT = "#";

    private final Map<KeyFingerprint, String> names;

    private AllowedKeys(Map<KeyFingerprint, String> names) {
        this.names = Map.copyOf(names);
    }

    /** Creates a set without names. */
    public static AllowedKeys of(KeyFingerprint... keys) {
        Map<KeyFingerprint, String> names = new LinkedHashMap<>();
        for (KeyFingerprint key : keys) {
            names.put(key, "");
        }
        return new AllowedKeys(names);
    }

    /**
     * Reads a file, which only its owner may write.
     *
     * @throws TlsConfigurationException with file, line, value and remedy
     */
    public static AllowedKeys read(Path file) {
        try {
            requireOwnerWrites(file);
            return parse(file.toString(), Files.readAllLines(file));
        } catch (IOException e) {
            throw new TlsConfigurationException(
                    "allowed keys not readable: " + file + " (" + e + "); check the path and that it is UTF-8", e);
        }
    }

    private static void requireOwnerWrites(Path file) throws IOException {
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
        if (permissions.contains(PosixFilePermission.GROUP_WRITE)
                || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new TlsConfigurationException("allowed keys can be changed by others: " + file
                    + " has the permissions " + PosixFilePermissions.toString(permissions)
                    + "; check each line, and run chmod go-w");
        }
    }

    /**
     * Parses the lines of a file.
     *
     * @param source the name in messages
     */
    public static AllowedKeys parse(String source, List<String> lines) {
        Map<KeyFingerprint, String> names = new LinkedHashMap<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith(COMMENT)) {
                String[] parts = line.split("\\s+", 2);
                names.put(fingerprint(source, i + 1, parts[0]), parts.length > 1 ? parts[1] : "");
            }
        }
        return new AllowedKeys(names);
    }

    private static KeyFingerprint fingerprint(String source, int line, String text) {
        try {
            return KeyFingerprint.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TlsConfigurationException(source + ":" + line + ": " + e.getMessage(), e);
        }
    }

    /** Returns the keys. */
    public Set<KeyFingerprint> keys() {
        return names.keySet();
    }

    /** Returns whether a key is allowed. */
    public boolean contains(KeyFingerprint key) {
        return names.containsKey(key);
    }

    /** Returns the name of an allowed key; "" for none. */
    public String nameOf(KeyFingerprint key) {
        return names.getOrDefault(key, "");
    }
}
