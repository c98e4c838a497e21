package dev.sluice.ffi.openssl.raw;

import dev.sluice.ffi.internal.NativeLibrary;
import dev.sluice.ffi.libc.RawMemory;
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
 * The OpenSSL of this process: found at the first call of {@link #require()}, and open for the lifetime of the process.
 * Thread-safe.
 */
public final class OpenSsl {
    /** The system property that names a directory with libcrypto and libssl, as {@link OpenSslLibraries} says. */
    public static final String PROPERTY = "sluice.openssl";

    /** The environment variable with the same meaning, used when the property is not set. */
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
     * Returns OpenSSL; the first call finds and opens it.
     *
     * @throws OpenSslNotFoundException when none is found, or one older than 3.0; the next call searches again
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

    /** Returns OpenSSL's version text, such as {@code OpenSSL 3.5.4 30 Sep 2025}. */
    public String version() {
        return RawMemory.getString(LibCrypto.OpenSSL_version(OpenSslConstants.OPENSSL_VERSION));
    }

    /**
     * Returns the processor features that OpenSSL uses, in the notation of OPENSSL_ia32cap(3); "" where it does not
     * report them.
     */
    public String cpuInfo() {
        return RawMemory.getString(LibCrypto.OpenSSL_version(OpenSslConstants.OPENSSL_CPU_INFO));
    }

    /**
     * Returns whether OpenSSL's configuration requires validated algorithms: {@code default_properties = fips=yes}, see
     * fips_config(5).
     */
    public boolean requiresFips() {
        return LibCrypto.EVP_default_properties_is_fips_enabled(0) != 0;
    }

    /** Returns whether the version is at least this one. */
    public boolean isAtLeast(int major, int minor) {
        return versionNumber >= ((long) major << 28 | (long) minor << 20);
    }

    /** Returns the file that libssl was loaded from; "" where the system does not report it. */
    public String libraryFile() {
        return fileOf(libraries.libssl().address("SSL_new"));
    }

    /** Returns the file that libcrypto was loaded from; "" where the system does not report it. */
    public String libcryptoFile() {
        return fileOf(libraries.libcrypto().address("OpenSSL_version"));
    }

    /** Returns whether libssl supports a key-exchange group; tried once per name, on a scratch context. */
    public boolean supportsGroup(String name) {
        return groups.computeIfAbsent(name, OpenSsl::tryGroup);
    }

    /**
     * Returns whether a client can choose the groups of its key shares (3.5 or later); older versions send a share of
     * the first group only.
     */
    public boolean supportsKeyShareMarks() {
        return supportsGroup("*P-256");
    }

    /**
     * Returns whether libssl reports the name of a connection's group (3.2 or later); otherwise a table of numbers is
     * used.
     */
    public boolean supportsGroupNames() {
        return libraries.libssl().has("SSL_get0_group_name");
    }

    /** Returns whether servers can open Encrypted ClientHello (4.0 or later, unless built without it). */
    public boolean supportsEncryptedHello() {
        return libraries.libssl().has("SSL_CTX_set1_echstore");
    }

    /** Returns one line for the log: version, file, and the benefits of a newer version. */
    public String describe() {
        String hint = supportsGroup("X25519MLKEM768")
                ? ""
                : "; without X25519MLKEM768 and fast AES-GCM, available in OpenSSL 3.5 or later";
        return version() + " from " + libraryFile() + hint;
    }

    NativeLibrary libcrypto() {
        return libraries.libcrypto();
    }

    NativeLibrary libssl() {
        return libraries.libssl();
    }

    /**
     * Checks the version before {@link LibCrypto} is initialized: with an old library, initialization would fail for
     * missing symbols without naming the cause.
     */
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
                    "OpenSSL is too old: version number 0x%x, 3.0 (0x%x) is the oldest supported;"
                            + " install libssl3, or set %s to a directory that holds a newer one",
                    version,
                    OLDEST_VERSION_NUMBER,
                    PROPERTY));
        }
        return version;
    }

    /** Returns the file that the code at an address was loaded from, links resolved; "" where it is not known. */
    private static String fileOf(long code) {
        try (Stream<String> mappings = Files.lines(Path.of("/proc/self/maps"))) {
            return mappings.filter(line -> line.indexOf('/') >= 0 && covers(line, code))
                    .map(line -> line.substring(line.indexOf('/')))
                    .findFirst()
                    .orElse("");
        } catch (IOException e) {
            return "";
        }
    }

    /** Returns whether a line of /proc/self/maps, which starts with its range in hexadecimal, covers an address. */
    private static boolean covers(String mapping, long address) {
        int dash = mapping.indexOf('-');
        long from = Long.parseUnsignedLong(mapping, 0, dash, 16);
        long to = Long.parseUnsignedLong(mapping, dash + 1, mapping.indexOf(' '), 16);
        return Long.compareUnsigned(from, address) <= 0 && Long.compareUnsigned(address, to) < 0;
    }

    private static boolean tryGroup(String name) {
        long scratch = LibSsl.SSL_CTX_new(LibSsl.TLS_client_method());
        if (scratch == 0) {
            return false;
        }
        try (Arena arena = Arena.ofConfined()) {
            return LibSsl.SSL_CTX_ctrl(
                            scratch,
                            OpenSslConstants.SSL_CTRL_SET_GROUPS_LIST,
                            0,
                            arena.allocateFrom(name).address())
                    == 1;
        } finally {
            LibSsl.SSL_CTX_free(scratch);
            LibCrypto.ERR_clear_error();
        }
    }
}
