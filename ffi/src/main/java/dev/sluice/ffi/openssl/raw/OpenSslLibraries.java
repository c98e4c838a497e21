package dev.sluice.ffi.openssl.raw;

import dev.sluice.ffi.internal.NativeLibrary;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
 * <p>In each place the newest {@link #MAJORS major version} of which both libraries are there is used.
 *
 * <p>libcrypto is opened first and by its path, so that libssl, which needs it by name, uses the same one.
 */
record OpenSslLibraries(NativeLibrary libcrypto, NativeLibrary libssl) {
    /** The supported major versions, which number the library files: the preferred one first. */
    static final List<Integer> MAJORS = List.of(4, 3);

    /**
     * Finds and opens both libraries.
     *
     * @throws OpenSslNotFoundException with the names searched for and the places
     */
    static OpenSslLibraries find() {
        String directory = configuredDirectory();
        return directory == null
                ? openFromSystem()
                : openFrom(Path.of(directory).toAbsolutePath());
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

    private static OpenSslLibraries openFrom(Path directory) {
        for (int major : MAJORS) {
            Path libcrypto = directory.resolve(libcryptoFile(major));
            Path libssl = directory.resolve(libsslFile(major));
            if (Files.isRegularFile(libcrypto) && Files.isRegularFile(libssl)) {
                return new OpenSslLibraries(open(libcrypto), open(libssl));
            }
        }
        throw new OpenSslNotFoundException("OpenSSL not found: " + directory + " holds no " + pairs() + "; "
                + OpenSsl.PROPERTY + " (or the environment variable " + OpenSsl.ENVIRONMENT
                + ") must name a directory with both");
    }

    private static NativeLibrary open(Path file) {
        try {
            return NativeLibrary.open(file);
        } catch (IllegalArgumentException e) {
            throw new OpenSslNotFoundException("OpenSSL cannot be loaded: " + file + ", cause: " + e.getMessage()
                    + "; check that it is built for this processor and that its dependencies are installed (see ldd)");
        }
    }

    private static OpenSslLibraries openFromSystem() {
        return MAJORS.stream()
                .flatMap(major -> openFromSystem(major).stream())
                .findFirst()
                .orElseThrow(() -> new OpenSslNotFoundException(
                        "OpenSSL not found: the system's loader finds no " + pairs() + "; install the package libssl3"
                                + " (Debian, Ubuntu: libssl4, libssl3t64 or libssl3; Fedora, RHEL: openssl-libs;"
                                + " Alpine: libssl3), or set " + OpenSsl.PROPERTY + " or the environment variable "
                                + OpenSsl.ENVIRONMENT + " to a directory that holds both"));
    }

    private static Optional<OpenSslLibraries> openFromSystem(int major) {
        try {
            NativeLibrary libcrypto = NativeLibrary.openByName(libcryptoFile(major));
            return Optional.of(new OpenSslLibraries(libcrypto, NativeLibrary.openByName(libsslFile(major))));
        } catch (IllegalArgumentException absent) {
            return Optional.empty();
        }
    }

    /** Returns the names of the files searched for, such as {@code libcrypto.so.3 with libssl.so.3}. */
    private static String pairs() {
        List<String> pairs = new ArrayList<>();
        for (int major : MAJORS) {
            pairs.add(libcryptoFile(major) + " with " + libsslFile(major));
        }
        return String.join(", and no ", pairs);
    }

    private static String libcryptoFile(int major) {
        return "libcrypto.so." + major;
    }

    private static String libsslFile(int major) {
        return "libssl.so." + major;
    }
}
