package dev.sluice.config.certificate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A finder of certificates in a directory, in the layouts of other programs: one file with certificate and key
 * (HAProxy, hitch), {@code NAME.crt} or {@code NAME.pem} beside {@code NAME.key} (a Kubernetes secret), PKCS #12 files,
 * and certbot's directories. Names that start with a dot, and other endings, are ignored.
 */
public final class CertificateDirectory {
    private static final Set<String> PEM = Set.of("pem", "crt", "cer");

    /** The endings of HAProxy's bundles, one for each key type, with the key in the file. */
    private static final Set<String> BUNDLED = Set.of("rsa", "ecdsa", "ed25519");

    private static final Set<String> PKCS12 = Set.of("p12", "pfx");
    private static final String KEY = ".key";

    /** Certbot's file of certificate and intermediates. */
    private static final String CERTBOT_CHAIN = "fullchain.pem";

    private static final String CERTBOT_KEY = "privkey.pem";

    private final @Nullable Path passphrase;
    private final List<CertificateFiles> found = new ArrayList<>();
    private final List<Path> directories = new ArrayList<>();
    private final Map<Path, String> unreadable = new LinkedHashMap<>();

    /** Searches a directory. The first line of the passphrase file decrypts keys; null: no key is encrypted. */
    public CertificateDirectory(Path directory, @Nullable Path passphrase) {
        this.passphrase = passphrase;
        look(directory, true);
    }

    /** Returns the certificates in the order of their names. */
    public List<CertificateFiles> found() {
        return found;
    }

    /** Returns the directories to watch for more. */
    public List<Path> directories() {
        return directories;
    }

    /** Returns the directories that cannot be read, with cause and remedy. */
    public Map<Path, String> unreadable() {
        return unreadable;
    }

    private void look(Path directory, boolean deeper) {
        directories.add(directory);
        try {
            find(directory, deeper);
        } catch (IOException | UncheckedIOException e) {
            unreadable.put(
                    directory,
                    "directory " + directory + " cannot be read (" + e + "); let user "
                            + System.getProperty("user.name") + " read it");
        }
    }

    private void find(Path directory, boolean deeper) throws IOException {
        Path chain = directory.resolve(CERTBOT_CHAIN);
        Path key = directory.resolve(CERTBOT_KEY);
        if (isThere(chain) && isThere(key)) {
            add(chain, key, false);
            return;
        }
        for (Path each : visible(directory)) {
            if (!Files.isDirectory(each)) {
                take(each);
            } else if (deeper) {
                look(each, false);
            }
        }
    }

    /** Returns true for a file or a link: certbot's links are part of a certificate, dangling ones too. */
    private static boolean isThere(Path file) {
        return Files.exists(file, LinkOption.NOFOLLOW_LINKS);
    }

    private static List<Path> visible(Path directory) throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.filter(each -> !name(each).startsWith(".")).sorted().toList();
        }
    }

    private void take(Path file) {
        String name = name(file);
        int dot = name.lastIndexOf('.');
        String ending = name.substring(dot + 1);
        if (PKCS12.contains(ending)) {
            add(file, file, true);
        } else if (BUNDLED.contains(ending)) {
            add(file, file, false);
        } else if (PEM.contains(ending)) {
            Path key = file.resolveSibling(name.substring(0, dot) + KEY);
            Path other = file.resolveSibling(name + KEY);
            add(file, Files.exists(key) ? key : Files.exists(other) ? other : file, false);
        }
    }

    private void add(Path chain, Path key, boolean pkcs12) {
        found.add(new CertificateFiles(chain, key, pkcs12, passphrase));
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName());
    }
}
