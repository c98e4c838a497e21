package dev.sluice.ffi.openssl.raw;

import static dev.sluice.ffi.internal.NativeLibrary.INT;
import static dev.sluice.ffi.internal.NativeLibrary.LONG;
import static dev.sluice.ffi.internal.NativeLibrary.VOID;

import dev.sluice.ffi.internal.NativeLibrary;
import java.lang.invoke.MethodHandle;

/**
 * The functions of {@code libcrypto} that open PKCS #12 files, one method handle per C function, named after it. Raw
 * calls: pointers are {@code long} addresses, nothing is checked. Linked on first use.
 */
@SuppressWarnings("MemberName") // named after the C symbols
public final class LibCryptoPkcs12 {
    private static final NativeLibrary LIBCRYPTO = OpenSsl.require().libcrypto();

    private LibCryptoPkcs12() {}

    private static final MethodHandle d2i_PKCS12_bio = LIBCRYPTO.function("d2i_PKCS12_bio", LONG, LONG, LONG);
    /** Calls {@code PKCS12 *d2i_PKCS12_bio(BIO *bio, PKCS12 **out)}. */
    public static long d2i_PKCS12_bio(long bio, long out) {
        try {
            return (long) d2i_PKCS12_bio.invokeExact(bio, out);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("d2i_PKCS12_bio", t);
        }
    }

    private static final MethodHandle PKCS12_parse =
            LIBCRYPTO.function("PKCS12_parse", INT, LONG, LONG, LONG, LONG, LONG);
    /**
     * Calls {@code int PKCS12_parse(PKCS12 *store, const char *passphrase, EVP_PKEY **key, X509 **certificate,
     * STACK_OF(X509) **others)}.
     */
    public static int PKCS12_parse(long store, long passphrase, long key, long certificate, long others) {
        try {
            return (int) (long) PKCS12_parse.invokeExact(store, passphrase, key, certificate, others);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("PKCS12_parse", t);
        }
    }

    private static final MethodHandle PKCS12_free = LIBCRYPTO.function("PKCS12_free", VOID, LONG);
    /** Calls {@code void PKCS12_free(PKCS12 *store)}. */
    public static void PKCS12_free(long store) {
        try {
            long _ = (long) PKCS12_free.invokeExact(store);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("PKCS12_free", t);
        }
    }

    private static final MethodHandle OPENSSL_sk_num = LIBCRYPTO.function("OPENSSL_sk_num", INT, LONG);
    /** Calls {@code int OPENSSL_sk_num(const OPENSSL_STACK *stack)}. */
    public static int OPENSSL_sk_num(long stack) {
        try {
            return (int) (long) OPENSSL_sk_num.invokeExact(stack);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("OPENSSL_sk_num", t);
        }
    }

    private static final MethodHandle OPENSSL_sk_value = LIBCRYPTO.function("OPENSSL_sk_value", LONG, LONG, INT);
    /** Calls {@code void *OPENSSL_sk_value(const OPENSSL_STACK *stack, int index)}. */
    public static long OPENSSL_sk_value(long stack, int index) {
        try {
            return (long) OPENSSL_sk_value.invokeExact(stack, (long) index);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("OPENSSL_sk_value", t);
        }
    }
}
