package dev.sluice.ffi.openssl.raw;

import static dev.sluice.ffi.internal.NativeLibrary.INT;
import static dev.sluice.ffi.internal.NativeLibrary.LONG;
import static dev.sluice.ffi.internal.NativeLibrary.VOID;

import dev.sluice.ffi.internal.NativeLibrary;
import java.lang.invoke.MethodHandle;

/**
 * The functions of {@code libcrypto} that read the names in a certificate, one method handle per C function, named
 * after it. Raw calls: pointers are {@code long} addresses, nothing is checked. Linked with the first client
 * certificate.
 */
@SuppressWarnings("MemberName") // named after the C symbols
public final class LibCryptoNames {
    private static final NativeLibrary LIBCRYPTO = OpenSsl.require().libcrypto();

    private LibCryptoNames() {}

    private static final MethodHandle X509_get_ext_d2i =
            LIBCRYPTO.function("X509_get_ext_d2i", LONG, LONG, INT, LONG, LONG);
    /** Calls {@code void *X509_get_ext_d2i(const X509 *certificate, int nid, int *critical, int *index)}. */
    public static long X509_get_ext_d2i(long certificate, int nid, long critical, long index) {
        try {
            return (long) X509_get_ext_d2i.invokeExact(certificate, (long) nid, critical, index);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_get_ext_d2i", t);
        }
    }

    private static final MethodHandle GENERAL_NAME_print = LIBCRYPTO.function("GENERAL_NAME_print", INT, LONG, LONG);
    /** Calls {@code int GENERAL_NAME_print(BIO *out, GENERAL_NAME *name)}. */
    public static int GENERAL_NAME_print(long out, long name) {
        try {
            return (int) (long) GENERAL_NAME_print.invokeExact(out, name);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("GENERAL_NAME_print", t);
        }
    }

    private static final MethodHandle GENERAL_NAMES_free = LIBCRYPTO.function("GENERAL_NAMES_free", VOID, LONG);
    /** Calls {@code void GENERAL_NAMES_free(GENERAL_NAMES *names)}. */
    public static void GENERAL_NAMES_free(long names) {
        try {
            long _ = (long) GENERAL_NAMES_free.invokeExact(names);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("GENERAL_NAMES_free", t);
        }
    }

    private static final MethodHandle GENERAL_NAME_get0_value =
            LIBCRYPTO.function("GENERAL_NAME_get0_value", LONG, LONG, LONG);
    /** Calls {@code void *GENERAL_NAME_get0_value(const GENERAL_NAME *name, int *type)}. Borrowed. */
    public static long GENERAL_NAME_get0_value(long name, long type) {
        try {
            return (long) GENERAL_NAME_get0_value.invokeExact(name, type);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("GENERAL_NAME_get0_value", t);
        }
    }

    private static final MethodHandle ASN1_STRING_get0_data = LIBCRYPTO.function("ASN1_STRING_get0_data", LONG, LONG);
    /** Calls {@code const unsigned char *ASN1_STRING_get0_data(const ASN1_STRING *text)}. Borrowed. */
    public static long ASN1_STRING_get0_data(long text) {
        try {
            return (long) ASN1_STRING_get0_data.invokeExact(text);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("ASN1_STRING_get0_data", t);
        }
    }

    private static final MethodHandle ASN1_STRING_length = LIBCRYPTO.function("ASN1_STRING_length", INT, LONG);
    /** Calls {@code int ASN1_STRING_length(const ASN1_STRING *text)}. */
    public static int ASN1_STRING_length(long text) {
        try {
            return (int) (long) ASN1_STRING_length.invokeExact(text);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("ASN1_STRING_length", t);
        }
    }
}
