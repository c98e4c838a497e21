package dev.sluice.ffi.x25519;

import dev.sluice.ffi.internal.NativeLibrary;
import dev.sluice.ffi.openssl.OpenSslException;
import dev.sluice.ffi.openssl.raw.OpenSsl;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The library that computes X25519 for this process in OpenSSL's place: searched once, when it is first needed, and
 * open for the lifetime of the process. Immutable; may be used from any thread.
 *
 * <p>The system's loader finds lib25519 by its name, unless the system property {@value #PROPERTY} names a file of
 * lib25519 or of AWS-LC's libcrypto, or is {@value #OPENSSL}. A library that fails the {@link KnownAnswers} is not
 * used, and none is where OpenSSL's configuration requires its FIPS provider.
 *
 * @param standing the result of the search
 * @param function the implementation; null unless one is used
 * @param description one line for the log and {@code sluice version}
 */
public record X25519Library(Standing standing, @Nullable X25519Function function, String description) {
    /** The system property that names the library's file, or {@value #OPENSSL}. */
    public static final String PROPERTY = "sluice.x25519";

    /** The value of {@link #PROPERTY} for no library. */
    public static final String OPENSSL = "openssl";

    private static final String LIBRARY_NAME = "lib25519.so.1";

    /** The results of the search. */
    public enum Standing {
        /** A library is used. */
        USED,
        /** None is installed, or wanted, or allowed: OpenSSL computes X25519. */
        UNUSED,
        /** There is one that must not be used, or the one that was named is not there: worth a warning. */
        REFUSED
    }

    /** The library of this process. */
    private static final class Holder {
        private static final X25519Library FOUND = find(System.getProperty(PROPERTY), LIBRARY_NAME);
    }

    /** Returns the library of this process; the first call searches and tests it. */
    public static X25519Library ofProcess() {
        return Holder.FOUND;
    }

    /** Searches a library: the file that a setting names or, without one, what the system's loader finds by a name. */
    static X25519Library find(@Nullable String setting, String name) {
        String file = setting == null ? "" : setting;
        if (file.toLowerCase(Locale.ROOT).equals(OPENSSL)) {
            return unused(PROPERTY + " says so");
        }
        if (OpenSsl.require().requiresFips()) {
            return unused("its configuration requires the FIPS provider");
        }
        NativeLibrary library;
        try {
            library = file.isEmpty() ? NativeLibrary.openByName(name) : NativeLibrary.open(Path.of(file));
        } catch (IllegalArgumentException e) {
            return file.isEmpty()
                    ? unused(name + " is not installed")
                    : refused(PROPERTY + " names " + file + ", which is no library of this platform");
        }
        return tested(library);
    }

    private static X25519Library tested(NativeLibrary library) {
        X25519Function function = bind(library);
        if (function == null) {
            return refused(library.name() + " lacks functions of X25519; name a file of lib25519 or AWS-LC");
        }
        try {
            return KnownAnswers.hold(function)
                    ? new X25519Library(Standing.USED, function, "X25519 by " + library.name())
                    : refused(library.name() + " fails the known answers of RFC 7748; replace it");
        } catch (OpenSslException e) {
            return refused(library.name() + " cannot be tested: " + e.getMessage());
        }
    }

    private static @Nullable X25519Function bind(NativeLibrary library) {
        try {
            if (library.has(Lib25519.KEY_PAIR)) {
                return new Lib25519(library);
            }
            return library.has(AwsLc.PUBLIC_KEY) ? new AwsLc(library) : null;
        } catch (UnsatisfiedLinkError e) {
            return null; // half of the functions
        }
    }

    private static X25519Library unused(String cause) {
        return new X25519Library(Standing.UNUSED, null, "X25519 by OpenSSL (" + cause + ")");
    }

    private static X25519Library refused(String cause) {
        return new X25519Library(Standing.REFUSED, null, "X25519 by OpenSSL (" + cause + ")");
    }
}
