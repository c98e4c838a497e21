package dev.sluice.ffi.openssl;

import dev.sluice.ffi.RawMemory;
import dev.sluice.ffi.internal.NativeLibrary;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The OpenSSL that this process runs on: one, found at the first call of {@link #require()}, open as long as the process
 * lives. Thread-safe.
 */
public final class OpenSsl {
    /** System property that names a directory with {@code libcrypto.so.3} and {@code libssl.so.3}. */
    public static final String PROPERTY = "sluice.openssl";

    /** Environment variable of the same meaning, for where no property is set. */
    public static final String ENVIRONMENT = "SLUICE_OPENSSL";

    private static final long OLDEST_VERSION_NUMBER = 0x3000_0000L;

    private static @Nullable OpenSsl loaded;

    private final OpenSslLibraries libraries;
    private final long versionNumber;
    private final Map<String, Boolean> groups = new ConcurrentHashMap<>();

    private OpenSsl(OpenSslLibraries libraries, long versionNumber) {
        this.libraries = libraries;
        this.versionNumber = versionNumber;
    }

    /**
     * Finds and opens OpenSSL, the first time.
     *
     * @throws OpenSslNotFoundException when none is found, or one older than 3.0; the next call looks again
     */
    public static synchronized OpenSsl require() {
        OpenSsl result = loaded;
        if (result == null) {
            result = load();
            loaded = result;
        }
        return result;
    }

    static OpenSsl load() {
        OpenSslLibraries found = OpenSslLibraries.find();
        return new OpenSsl(found, requireVersion(found.libcrypto()));
    }

    /** OpenSSL's own text, such as {@code OpenSSL 3.5.4 30 Sep 2025}. */
    public String version() {
        return RawMemory.getString(LibCrypto.OpenSSL_version(OpenSslConstants.OPENSSL_VERSION));
    }

    /** What the processor can do of what OpenSSL uses, in its own notation, see OPENSSL_ia32cap(3); "" where it does not tell. */
    public String cpuInfo() {
        return RawMemory.getString(LibCrypto.OpenSSL_version(OpenSslConstants.OPENSSL_CPU_INFO));
    }

    /** Major, minor and patch as {@code 0xMNN00PP0}, see OpenSSL_version_num(3). */
    public long versionNumber() {
        return versionNumber;
    }

    /** Whether the version is at least this one. */
    public boolean isAtLeast(int major, int minor) {
        return versionNumber >= ((long) major << 28 | (long) minor << 20);
    }

    /** The file that libssl was loaded from; "" where the system does not tell. */
    public String libraryFile() {
        try (Stream<String> mappings = Files.lines(Path.of("/proc/self/maps"))) {
            return mappings.filter(line -> line.endsWith(OpenSslLibraries.LIBSSL_FILE))
                    .map(line -> line.substring(line.indexOf('/')))
                    .findFirst()
                    .orElse("");
        } catch (IOException e) {
            return "";
        }
    }

    /** Whether libssl can negotiate a key-exchange group; tried once per name, on a scratch context. */
    public boolean supportsGroup(String name) {
        return groups.computeIfAbsent(name, OpenSsl::tryGroup);
    }

    /**
     * True where a client can say which groups it sends key shares of (3.5 or later); else it sends the first one's.
     */
    public boolean supportsKeyShareMarks() {
        return supportsGroup("*P-256");
    }

    /** Whether the name of a connection's group can be asked for (3.2 or later); else a table of numbers serves. */
    public boolean supportsGroupNames() {
        return libraries.libssl().has("SSL_get0_group_name");
    }

    /** One line for the log: version, file, and what a newer version would bring. */
    public String describe() {
        String hint = supportsGroup("X25519MLKEM768")
                ? ""
                : "; without X25519MLKEM768 and fast AES-GCM, which OpenSSL 3.5 or later has";
        return version() + " from " + libraryFile() + hint;
    }

    NativeLibrary libcrypto() {
        return libraries.libcrypto();
    }

    NativeLibrary libssl() {
        return libraries.libssl();
    }

    /** Asked before {@link LibCrypto} is touched: an old library would lack its symbols, which tells nobody the cause. */
    private static long requireVersion(NativeLibrary libcrypto) {
        if (!libcrypto.has("OpenSSL_version_num")) {
            throw new OpenSslNotFoundException("not OpenSSL: " + libcrypto.name() + " lacks OpenSSL_version_num; set "
                    + PROPERTY + " to a directory that holds OpenSSL 3.0 or later");
        }
        long version;
        try {
            MethodHandle versionNumber = libcrypto.function("OpenSSL_version_num", NativeLibrary.LONG);
            version = (long) versionNumber.invokeExact();
        } catch (Throwable t) {
            throw NativeLibrary.impossible("OpenSSL_version_num", t);
        }
        if (version < OLDEST_VERSION_NUMBER) {
            throw new OpenSslNotFoundException(String.format(
                    Locale.ROOT,
                    "OpenSSL is too old: version number 0x%x, 3.0 (0x%x) is the oldest that works;"
                            + " install libssl3, or set %s to a directory that holds a newer one",
                    version,
                    OLDEST_VERSION_NUMBER,
                    PROPERTY));
        }
        return version;
    }

    private static boolean tryGroup(String name) {
        try (SslCtx scratch = SslCtx.client();
                Arena arena = Arena.ofConfined()) {
            return LibSsl.SSL_CTX_ctrl(
                            scratch.address(),
                            OpenSslConstants.SSL_CTRL_SET_GROUPS_LIST,
                            0,
                            arena.allocateFrom(name).address())
                    == 1;
        } finally {
            LibCrypto.ERR_clear_error();
        }
    }
}
