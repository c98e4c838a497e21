package dev.sluice.ffi.openssl.raw;

import dev.sluice.ffi.internal.NativeLibrary;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The loaded {@code libcrypto} and {@code libssl}, open for the lifetime of the process.
 *
 * <p>Searched in this order. A configured directory is never followed by a fallback, which would silently run another
 * library than the operator asked for:
 *
 * <ol>
 *   <li>the directory named by the system property {@value OpenSsl#PROPERTY}
 *   <li>the directory named by the environment variable {@value OpenSsl#ENVIRONMENT}
 *   <li>the search path of the system's loader
 * </ol>
 *
 * <p>libcrypto is opened first and by its path, so that libssl, which needs it by name, uses the same one.
 */
record OpenSslLibraries(NativeLibrary libcrypto, NativeLibrary libssl) {
    static final String LIBCRYPTO_FILE = "libcrypto.so.3";
    static final String LIBSSL_FILE = "libssl.so.3";

    /**
     * Finds and opens both libraries.
     *
     * @throws OpenSslNotFoundException with the names searched for and the places
     */
    static OpenSslLibraries find() {
        String directory = configuredDirectory();
        NativeLibrary libcrypto = open(directory, LIBCRYPTO_FILE);
        return new OpenSslLibraries(libcrypto, open(directory, LIBSSL_FILE));
    }

    /** Returns the configured directory; null for the system's libraries. */
    private static @Nullable String configuredDirectory() {
        String property = System.getProperty(OpenSsl.PROPERTY);
        if (property != null && !property.isEmpty()) {
            return property;
        }
        String environment = System.getenv(OpenSsl.ENVIRONMENT);
        return environment == null || environment.isEmpty() ? null : environment;
    }

    private static NativeLibrary open(@Nullable String directory, String fileName) {
        return directory == null ? openFromSystem(fileName) : openFrom(Path.of(directory), fileName);
    }

    private static NativeLibrary openFrom(Path directory, String fileName) {
        Path file = directory.toAbsolutePath().resolve(fileName);
        if (!Files.isRegularFile(file)) {
            throw new OpenSslNotFoundException("OpenSSL not found: " + file + " does not exist; " + OpenSsl.PROPERTY
                    + " (or the environment variable " + OpenSsl.ENVIRONMENT + ") must name a directory with "
                    + LIBCRYPTO_FILE + " and " + LIBSSL_FILE);
        }
        try {
            return NativeLibrary.open(file);
        } catch (IllegalArgumentException e) {
            throw new OpenSslNotFoundException("OpenSSL cannot be loaded: " + file + ", cause: " + e.getMessage()
                    + "; check that it is built for this processor and that its dependencies are installed (see ldd)");
        }
    }

    private static NativeLibrary openFromSystem(String fileName) {
        try {
            return NativeLibrary.openByName(fileName);
        } catch (IllegalArgumentException e) {
            throw new OpenSslNotFoundException("OpenSSL 3 not found: the system's loader finds no " + fileName
                    + "; install the package libssl3 (Debian, Ubuntu: libssl3 or libssl3t64; Fedora, RHEL:"
                    + " openssl-libs; Alpine: libssl3), or set " + OpenSsl.PROPERTY + " or the environment variable "
                    + OpenSsl.ENVIRONMENT + " to a directory that holds " + LIBCRYPTO_FILE + " and " + LIBSSL_FILE);
        }
    }
}
