package dev.sluice.ffi.openssl.raw;

import static dev.sluice.ffi.internal.NativeLibrary.LONG;

import dev.sluice.ffi.internal.NativeLibrary;
import java.lang.invoke.MethodHandle;

/**
 * The functions of {@code libcrypto} that copy certificates and keys, one method handle per C function, named after it.
 * Raw calls: pointers are {@code long} addresses, nothing is checked.
 */
@SuppressWarnings("MemberName") // named after the C symbols
public final class LibCryptoCopies {
    private static final NativeLibrary LIBCRYPTO = OpenSsl.require().libcrypto();

    private LibCryptoCopies() {}

    private static final MethodHandle X509_dup = LIBCRYPTO.function("X509_dup", LONG, LONG);
    /** Calls {@code X509 *X509_dup(const X509 *certificate)}. */
    public static long X509_dup(long certificate) {
        try {
            return (long) X509_dup.invokeExact(certificate);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_dup", t);
        }
    }

    private static final MethodHandle EVP_PKEY_dup = LIBCRYPTO.function("EVP_PKEY_dup", LONG, LONG);
    /** Calls {@code EVP_PKEY *EVP_PKEY_dup(EVP_PKEY *key)}. */
    public static long EVP_PKEY_dup(long key) {
        try {
            return (long) EVP_PKEY_dup.invokeExact(key);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_PKEY_dup", t);
        }
    }
}
