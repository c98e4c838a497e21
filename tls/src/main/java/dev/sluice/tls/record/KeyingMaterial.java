package dev.sluice.tls.record;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.EvpKdfCtx;
import dev.sluice.ffi.openssl.OpenSslException;
import dev.sluice.ffi.openssl.OsslParam;
import dev.sluice.ffi.openssl.Ssl;
import dev.sluice.ffi.openssl.raw.LibCryptoAead;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/**
 * Exported keying material of a connection outside libssl: RFC 8446 section 7.5 for TLS 1.3, RFC 5705 for TLS 1.2. Only
 * the material itself reaches the Java heap. Called rarely; allocates.
 */
public final class KeyingMaterial {
    private static final int MAX_PARAMS = 5;
    private static final int HALF_OF_RANDOMS = Ssl.RANDOMS_BYTES / 2;

    private KeyingMaterial() {}

    /**
     * Returns keying material.
     *
     * @param keys the connection's {@link ConnectionKeys}
     * @param context null for none, which TLS 1.2 distinguishes from an empty one
     * @throws IllegalStateException when the connection has kept no secret for it
     */
    public static byte[] export(CipherSuite suite, long keys, byte[] label, byte @Nullable [] context, int length) {
        if (!ConnectionKeys.isExporting(keys) || !ConnectionKeys.has(keys, ConnectionKeys.EXPORTER_SECRET)) {
            throw new IllegalStateException("the connection has kept no secret to export keying material from");
        }
        try (Arena arena = Arena.ofConfined()) {
            Hash hash = suite.hash();
            MemorySegment secret = arena.allocate(hash.bytes());
            MemorySegment out = arena.allocate(length);
            try {
                long own = ConnectionKeys.exporterSecret(keys);
                if (suite.isTls13()) {
                    byte[] given = context == null ? new byte[0] : context;
                    expand(arena, hash, own, info(label, digest(hash, new byte[0]), hash.bytes()), secret);
                    byte[] exporter = "exporter".getBytes(StandardCharsets.US_ASCII);
                    expand(arena, hash, secret.address(), info(exporter, digest(hash, given), length), out);
                } else {
                    prf(arena, hash, own, seed(keys, label, context), out);
                }
                return out.toArray(ValueLayout.JAVA_BYTE);
            } finally {
                out.fill((byte) 0);
                secret.fill((byte) 0);
            }
        }
    }

    private static byte[] digest(Hash hash, byte[] data) {
        try {
            return MessageDigest.getInstance(hash == Hash.SHA_256 ? "SHA-256" : "SHA-384")
                    .digest(data);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-2 is missing in this JDK", e);
        }
    }

    /** Returns the HkdfLabel structure of RFC 8446 section 7.1. */
    private static byte[] info(byte[] label, byte[] context, int length) {
        byte[] prefix = "tls13 ".getBytes(StandardCharsets.US_ASCII);
        byte[] info = new byte[2 + 1 + prefix.length + label.length + 1 + context.length];
        info[0] = (byte) (length >> Byte.SIZE);
        info[1] = (byte) length;
        info[2] = (byte) (prefix.length + label.length);
        System.arraycopy(prefix, 0, info, 3, prefix.length);
        System.arraycopy(label, 0, info, 3 + prefix.length, label.length);
        int end = 3 + prefix.length + label.length;
        info[end] = (byte) context.length;
        System.arraycopy(context, 0, info, end + 1, context.length);
        return info;
    }

    /** Returns label, client_random, server_random and, if there is one, the context with its length. */
    private static byte[] seed(long keys, byte[] label, byte @Nullable [] context) {
        int contextBytes = context == null ? 0 : Short.BYTES + context.length;
        byte[] seed = new byte[label.length + Ssl.RANDOMS_BYTES + contextBytes];
        System.arraycopy(label, 0, seed, 0, label.length);
        long randoms = ConnectionKeys.exporterRandoms(keys);
        RawMemory.copy(randoms + HALF_OF_RANDOMS, seed, label.length, HALF_OF_RANDOMS);
        RawMemory.copy(randoms, seed, label.length + HALF_OF_RANDOMS, HALF_OF_RANDOMS);
        if (context != null) {
            int at = label.length + Ssl.RANDOMS_BYTES;
            seed[at] = (byte) (context.length >> Byte.SIZE);
            seed[at + 1] = (byte) context.length;
            System.arraycopy(context, 0, seed, at + Short.BYTES, context.length);
        }
        return seed;
    }

    private static void expand(Arena arena, Hash hash, long key, byte[] info, MemorySegment out) {
        Params params = new Params(arena);
        params.text("mode", "EXPAND_ONLY");
        params.text("digest", hash.opensslName());
        params.bytes("key", key, hash.bytes());
        params.bytes("info", arena.allocateFrom(ValueLayout.JAVA_BYTE, info).address(), info.length);
        derive("HKDF", params.end(), out);
    }

    private static void prf(Arena arena, Hash hash, long master, byte[] seed, MemorySegment out) {
        Params params = new Params(arena);
        params.text("digest", hash.opensslName());
        params.bytes("secret", master, ConnectionKeys.MASTER_SECRET_BYTES);
        params.bytes("seed", arena.allocateFrom(ValueLayout.JAVA_BYTE, seed).address(), seed.length);
        derive("TLS1-PRF", params.end(), out);
    }

    private static void derive(String function, long params, MemorySegment out) {
        try (EvpKdfCtx kdf = EvpKdfCtx.fetch(function)) {
            if (LibCryptoAead.EVP_KDF_derive(kdf.address(), out.address(), out.byteSize(), params) != 1) {
                throw OpenSslException.drained(function + " failed");
            }
        }
    }

    /** An {@code OSSL_PARAM} array under construction. */
    private static final class Params {
        private final Arena arena;
        private final long array;
        private int count;

        Params(Arena arena) {
            this.arena = arena;
            this.array = arena.allocate((long) MAX_PARAMS * OsslParam.BYTES, Long.BYTES)
                    .address();
        }

        void text(String name, String value) {
            set(name, OsslParam.UTF8_STRING, arena.allocateFrom(value).address(), value.length());
        }

        void bytes(String name, long value, long size) {
            set(name, OsslParam.OCTET_STRING, value, size);
        }

        private void set(String name, int type, long value, long size) {
            OsslParam.set(at(count++), arena.allocateFrom(name).address(), type, value, size);
        }

        private long at(int index) {
            return array + (long) index * OsslParam.BYTES;
        }

        long end() {
            OsslParam.end(at(count));
            return array;
        }
    }
}
