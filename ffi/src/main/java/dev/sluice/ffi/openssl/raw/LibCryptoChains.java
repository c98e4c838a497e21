package dev.sluice.ffi.openssl.raw;

import static dev.sluice.ffi.internal.NativeLibrary.INT;
import static dev.sluice.ffi.internal.NativeLibrary.LONG;

import dev.sluice.ffi.internal.NativeLibrary;
import java.lang.invoke.MethodHandle;

/**
 * The functions of {@code libcrypto} that check the issuer of a certificate, one method handle per C function, named
 * after it. Raw calls: pointers are {@code long} addresses, nothing is checked. Linked when the first chain is sorted.
 */
@SuppressWarnings("MemberName") // named after the C symbols
public final class LibCryptoChains {
    private static final NativeLibrary LIBCRYPTO = OpenSsl.require().libcrypto();

    private LibCryptoChains() {}

    private static final MethodHandle X509_check_issued = LIBCRYPTO.function("X509_check_issued", INT, LONG, LONG);
    /** Calls {@code int X509_check_issued(X509 *issuer, X509 *subject)}. */
    public static int X509_check_issued(long issuer, long subject) {
        try {
            return (int) (long) X509_check_issued.invokeExact(issuer, subject);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_check_issued", t);
        }
    }

    private static final MethodHandle X509_verify = LIBCRYPTO.function("X509_verify", INT, LONG, LONG);
    /** Calls {@code int X509_verify(X509 *certificate, EVP_PKEY *key)}. */
    public static int X509_verify(long certificate, long key) {
        try {
            return (int) (long) X509_verify.invokeExact(certificate, key);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_verify", t);
        }
    }

    private static final MethodHandle X509_get0_pubkey = LIBCRYPTO.function("X509_get0_pubkey", LONG, LONG);
    /** Calls {@code EVP_PKEY *X509_get0_pubkey(const X509 *certificate)}. */
    public static long X509_get0_pubkey(long certificate) {
        try {
            return (long) X509_get0_pubkey.invokeExact(certificate);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_get0_pubkey", t);
        }
    }

    private static final MethodHandle X509_self_signed = LIBCRYPTO.function("X509_self_signed", INT, LONG, INT);
    /** Calls {@code int X509_self_signed(X509 *certificate, int verify_signature)}. */
    public static int X509_self_signed(long certificate, int verifySignature) {
        try {
            return (int) (long) X509_self_signed.invokeExact(certificate, (long) verifySignature);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_self_signed", t);
        }
    }
}
