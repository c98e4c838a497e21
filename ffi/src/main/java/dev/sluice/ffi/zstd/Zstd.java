package dev.sluice.ffi.zstd;

import dev.sluice.ffi.internal.NativeLibrary;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The libzstd of this process: found when it is first needed, and open for the lifetime of the process. Thread-safe.
 *
 * <p>The system's loader finds it by name, unless the system property {@value #PROPERTY} names a file; nothing is
 * searched in its place then.
 */
public final class Zstd {
    /** The system property that names the library's file. */
    public static final String PROPERTY = "sluice.zstd";

    private static final String LIBRARY_NAME = "libzstd.so.1";

    private static @Nullable NativeLibrary loaded;

    private Zstd() {}

    /**
     * Finds and opens the library, unless it is open.
     *
     * @throws ZstdNotFoundException when there is none; the next call searches again
     */
    public static void require() {
        NativeLibrary _ = library();
    }

    /** Returns whether the library is there. */
    public static boolean isAvailable() {
        try {
            require();
            return true;
        } catch (ZstdNotFoundException e) {
            return false;
        }
    }

    static synchronized NativeLibrary library() {
        NativeLibrary result = loaded;
        if (result == null) {
            result = find(System.getProperty(PROPERTY), LIBRARY_NAME);
            loaded = result;
        }
        return result;
    }

    /** Opens a file or, without one, the library that the system's loader finds by a name. */
    static NativeLibrary find(@Nullable String file, String name) {
        try {
            return file == null || file.isEmpty() ? NativeLibrary.openByName(name) : NativeLibrary.open(Path.of(file));
        } catch (IllegalArgumentException e) {
            String place = file == null || file.isEmpty()
                    ? "the system's loader finds no " + name
                    : PROPERTY + " names " + file + ", which is no library of this platform";
            throw new ZstdNotFoundException("zstd not found: " + place + "; install the package libzstd1 (Debian, "
                    + "Ubuntu; Fedora, RHEL: libzstd; Alpine: zstd-libs), or do not compress");
        }
    }
}
