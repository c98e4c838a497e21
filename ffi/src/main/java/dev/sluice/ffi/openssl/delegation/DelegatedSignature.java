package dev.sluice.ffi.openssl.delegation;

import static dev.sluice.ffi.openssl.raw.OpenSslConstants.OSSL_FUNC_SIGNATURE_DIGEST_SIGN;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.OSSL_FUNC_SIGNATURE_DIGEST_SIGN_INIT;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.OSSL_FUNC_SIGNATURE_FREECTX;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.OSSL_FUNC_SIGNATURE_NEWCTX;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.OSSL_FUNC_SIGNATURE_SETTABLE_CTX_PARAMS;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.OSSL_FUNC_SIGNATURE_SET_CTX_PARAMS;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.RSA_PKCS1_PSS_PADDING;

import dev.sluice.ffi.libc.LibC;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.HandshakeCallbacks;
import dev.sluice.ffi.openssl.OsslParam;
import dev.sluice.ffi.openssl.delegation.OsslDispatch.Function;
import dev.sluice.memory.Ledger;
import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The signatures of {@link SigningProvider}, see provider-signature(7): of a whole message, as TLS makes them. A
 * signature under way is this record in native memory, which OpenSSL frees:
 *
 * <pre>
 *   0     8         12      16                     80
 *   +-----+---------+-------+----------------------+
 *   | key | padding | (pad) | digest's name, NUL   |
 *   +-----+---------+-------+----------------------+
 * </pre>
 *
 * <p>Exceptions do not escape; an exception fails the handshake.
 */
@SuppressWarnings({"UnusedMethod", "UnusedVariable"}) // called by libcrypto, with parameters of its choice
final class DelegatedSignature {
    private static final int BYTES = 80;
    private static final int KEY_OFFSET = 0;
    private static final int PADDING_OFFSET = 8;
    private static final int DIGEST_OFFSET = 16;
    private static final int MAX_DIGEST_BYTES = BYTES - DIGEST_OFFSET - 1;

    /** {@code OSSL_SIGNATURE_PARAM_PAD_MODE} and a value of it, {@code <openssl/core_names.h>}. */
    private static final String PAD_MODE = "pad-mode";

    private static final String PAD_MODE_PSS = "pss";

    /** {@code OSSL_SIGNATURE_PARAM_PSS_SALTLEN}. */
    private static final String SALT_LENGTH = "saltlen";

    private static final int OK = 1;
    private static final int FAILED = 0;

    private static final MethodHandles.Lookup HERE = MethodHandles.lookup();
    private static final Ledger.Account ACCOUNT = Ledger.process().account("delegated signature");
    private static final long SETTABLE = settable();

    private DelegatedSignature() {}

    /** Returns the address of the functions. */
    static long functions() {
        return OsslDispatch.array(
                new Function(OSSL_FUNC_SIGNATURE_NEWCTX, Upcall.to(HERE, "create", long.class, long.class, long.class)),
                new Function(OSSL_FUNC_SIGNATURE_FREECTX, Upcall.to(HERE, "free", void.class, long.class)),
                new Function(
                        OSSL_FUNC_SIGNATURE_DIGEST_SIGN_INIT,
                        Upcall.to(HERE, "init", int.class, long.class, long.class, long.class, long.class)),
                new Function(
                        OSSL_FUNC_SIGNATURE_DIGEST_SIGN,
                        Upcall.to(
                                HERE,
                                "sign",
                                int.class,
                                long.class,
                                long.class,
                                long.class,
                                long.class,
                                long.class,
                                long.class)),
                new Function(
                        OSSL_FUNC_SIGNATURE_SET_CTX_PARAMS,
                        Upcall.to(HERE, "setParams", int.class, long.class, long.class)),
                new Function(
                        OSSL_FUNC_SIGNATURE_SETTABLE_CTX_PARAMS,
                        Upcall.to(HERE, "settable", long.class, long.class, long.class)));
    }

    private static long settable() {
        Arena arena = Arena.global();
        long array = arena.allocate(3L * OsslParam.BYTES, Long.BYTES).address();
        OsslParam.set(array, arena.allocateFrom(PAD_MODE).address(), OsslParam.UTF8_STRING, 0, 0);
        OsslParam.set(array + OsslParam.BYTES, arena.allocateFrom(SALT_LENGTH).address(), OsslParam.UTF8_STRING, 0, 0);
        OsslParam.end(array + 2L * OsslParam.BYTES);
        return array;
    }

    private static long settable(long signature, long provider) {
        return SETTABLE;
    }

    private static long create(long provider, long properties) {
        try {
            long signature = LibC.calloc(1, BYTES);
            if (signature != 0) {
                ACCOUNT.acquired(BYTES);
            }
            return signature;
        } catch (Throwable t) {
            return 0;
        }
    }

    private static void free(long signature) {
        try {
            if (signature != 0) {
                LibC.free(signature);
                ACCOUNT.released(BYTES);
            }
        } catch (Throwable ignored) {
            // It would end the process; OpenSSL cannot be told.
        }
    }

    private static int init(long signature, long digest, long key, long parameters) {
        try {
            byte[] name = RawMemory.getString(digest).getBytes(StandardCharsets.US_ASCII);
            if (key == 0 || name.length > MAX_DIGEST_BYTES) {
                return FAILED;
            }
            RawMemory.zero(signature, BYTES);
            RawMemory.putLong(signature + KEY_OFFSET, key);
            RawMemory.copy(name, 0, signature + DIGEST_OFFSET, name.length);
            return setParams(signature, parameters);
        } catch (Throwable t) {
            return FAILED;
        }
    }

    /** Sets the padding. The salt of PSS is as long as the digest in TLS: RFC 8446 section 4.2.3. */
    private static int setParams(long signature, long parameters) {
        try {
            long mode = OsslParam.find(parameters, PAD_MODE);
            if (mode != 0) {
                RawMemory.putInt(signature + PADDING_OFFSET, isPss(mode) ? RSA_PKCS1_PSS_PADDING : 0);
            }
            return OK;
        } catch (Throwable t) {
            return FAILED;
        }
    }

    /** Returns whether a padding mode, which versions pass as a number or as a name, is PSS. */
    private static boolean isPss(long mode) {
        return OsslParam.type(mode) == OsslParam.UTF8_STRING
                ? PAD_MODE_PSS.equals(RawMemory.getString(OsslParam.data(mode)))
                : RawMemory.getInt(OsslParam.data(mode)) == RSA_PKCS1_PSS_PADDING;
    }

    /**
     * Signs a message, or tells the size of a signature.
     *
     * @param out where the signature goes; 0 for a question about its size
     * @param outLength where its length goes
     */
    private static int sign(long signature, long out, long outLength, long capacity, long message, long length) {
        HandshakeCallbacks.@Nullable Target target = HandshakeCallbacks.current();
        try {
            long key = RawMemory.getLong(signature + KEY_OFFSET);
            if (out == 0) {
                RawMemory.putLong(outLength, DelegatedKey.signatureBytes(key));
                return OK;
            }
            byte[] signed = target == null
                    ? null
                    : target.onSign(
                            DelegatedKey.number(key),
                            RawMemory.getString(signature + DIGEST_OFFSET),
                            RawMemory.getInt(signature + PADDING_OFFSET),
                            copy(message, length));
            if (signed == null || signed.length > capacity) {
                return FAILED;
            }
            RawMemory.copy(signed, 0, out, signed.length);
            RawMemory.putLong(outLength, signed.length);
            return OK;
        } catch (Throwable t) {
            DelegationCallbacks.report(target, t);
            return FAILED;
        }
    }

    private static byte[] copy(long address, long length) {
        byte[] bytes = new byte[Math.toIntExact(length)];
        RawMemory.copy(address, bytes, 0, bytes.length);
        return bytes;
    }
}
