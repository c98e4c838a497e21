package dev.sluice.ffi.openssl.raw;

import static dev.sluice.ffi.internal.NativeLibrary.INT;
import static dev.sluice.ffi.internal.NativeLibrary.LONG;
import static dev.sluice.ffi.internal.NativeLibrary.VOID;

import dev.sluice.ffi.internal.NativeLibrary;
import java.lang.invoke.MethodHandle;

/**
 * The functions of {@code libcrypto} for OCSP (RFC 6960), one method handle per C function, named after it. Raw calls:
 * pointers are {@code long} addresses, nothing is checked. Linked with the first question about a certificate.
 */
@SuppressWarnings("MemberName") // named after the C symbols
public final class LibCryptoOcsp {
    private static final NativeLibrary LIBCRYPTO = OpenSsl.require().libcrypto();

    private LibCryptoOcsp() {}

    private static final MethodHandle OCSP_cert_to_id = LIBCRYPTO.function("OCSP_cert_to_id", LONG, LONG, LONG, LONG);
    /**
     * Calls {@code OCSP_CERTID *OCSP_cert_to_id(const EVP_MD *digest, const X509 *subject, const X509
     * *issuer)}. A null digest is SHA-1.
     */
    public static long OCSP_cert_to_id(long digest, long subject, long issuer) {
        try {
            return (long) OCSP_cert_to_id.invokeExact(digest, subject, issuer);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("OCSP_cert_to_id", t);
        }
    }

    private static final MethodHandle OCSP_CERTID_free = LIBCRYPTO.function("OCSP_CERTID_free", VOID, LONG);
    /** Calls {@code void OCSP_CERTID_free(OCSP_CERTID *id)}. */
    public static void OCSP_CERTID_free(long id) {
        try {
            long _ = (long) OCSP_CERTID_free.invokeExact(id);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("OCSP_CERTID_free", t);
        }
    }

    private static final MethodHandle OCSP_CERTID_dup = LIBCRYPTO.function("OCSP_CERTID_dup", LONG, LONG);
    /** Calls {@code OCSP_CERTID *OCSP_CERTID_dup(const OCSP_CERTID *id)}. */
    public static long OCSP_CERTID_dup(long id) {
        try {
            return (long) OCSP_CERTID_dup.invokeExact(id);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("OCSP_CERTID_dup", t);
        }
    }

    private static final MethodHandle OCSP_REQUEST_new = LIBCRYPTO.function("OCSP_REQUEST_new", LONG);
    /** Calls {@code OCSP_REQUEST *OCSP_REQUEST_new(void)}. */
    public static long OCSP_REQUEST_new() {
        try {
            return (long) OCSP_REQUEST_new.invokeExact();
        } catch (Throwable t) {
            throw NativeLibrary.impossible("OCSP_REQUEST_new", t);
        }
    }

    private static final MethodHandle OCSP_REQUEST_free = LIBCRYPTO.function("OCSP_REQUEST_free", VOID, LONG);
    /** Calls {@code void OCSP_REQUEST_free(OCSP_REQUEST *request)}. */
    public static void OCSP_REQUEST_free(long request) {
        try {
            long _ = (long) OCSP_REQUEST_free.invokeExact(request);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("OCSP_REQUEST_free", t);
        }
    }

    private static final MethodHandle OCSP_request_add0_id =
            LIBCRYPTO.function("OCSP_request_add0_id", LONG, LONG, LONG);
    /**
     * Calls {@code OCSP_ONEREQ *OCSP_request_add0_id(OCSP_REQUEST *request, OCSP_CERTID *id)}. The id changes owner.
     */
    public static long OCSP_request_add0_id(long request, long id) {
        try {
            return (long) OCSP_request_add0_id.invokeExact(request, id);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("OCSP_request_add0_id", t);
        }
    }

    private static final MethodHandle i2d_OCSP_REQUEST = LIBCRYPTO.function("i2d_OCSP_REQUEST", INT, LONG, LONG);
    /** Calls {@code int i2d_OCSP_REQUEST(const OCSP_REQUEST *request, unsigned char **out)}. */
    public static int i2d_OCSP_REQUEST(long request, long out) {
        try {
            return (int) (long) i2d_OCSP_REQUEST.invokeExact(request, out);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("i2d_OCSP_REQUEST", t);
        }
    }

    private static final MethodHandle d2i_OCSP_RESPONSE =
            LIBCRYPTO.function("d2i_OCSP_RESPONSE", LONG, LONG, LONG, LONG);
    /**
     * Calls {@code OCSP_RESPONSE *d2i_OCSP_RESPONSE(OCSP_RESPONSE **response, const unsigned char **der, long
     * length)}.
     */
    public static long d2i_OCSP_RESPONSE(long response, long der, long length) {
        try {
            return (long) d2i_OCSP_RESPONSE.invokeExact(response, der, length);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("d2i_OCSP_RESPONSE", t);
        }
    }

    private static final MethodHandle OCSP_RESPONSE_free = LIBCRYPTO.function("OCSP_RESPONSE_free", VOID, LONG);
    /** Calls {@code void OCSP_RESPONSE_free(OCSP_RESPONSE *response)}. */
    public static void OCSP_RESPONSE_free(long response) {
        try {
            long _ = (long) OCSP_RESPONSE_free.invokeExact(response);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("OCSP_RESPONSE_free", t);
        }
    }

    private static final MethodHandle OCSP_response_status = LIBCRYPTO.function("OCSP_response_status", INT, LONG);
    /** Calls {@code int OCSP_response_status(OCSP_RESPONSE *response)}. */
    public static int OCSP_response_status(long response) {
        try {
            return (int) (long) OCSP_response_status.invokeExact(response);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("OCSP_response_status", t);
        }
    }

    private static final MethodHandle OCSP_response_get1_basic =
            LIBCRYPTO.function("OCSP_response_get1_basic", LONG, LONG);
    /** Calls {@code OCSP_BASICRESP *OCSP_response_get1_basic(OCSP_RESPONSE *response)}. */
    public static long OCSP_response_get1_basic(long response) {
        try {
            return (long) OCSP_response_get1_basic.invokeExact(response);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("OCSP_response_get1_basic", t);
        }
    }

    private static final MethodHandle OCSP_BASICRESP_free = LIBCRYPTO.function("OCSP_BASICRESP_free", VOID, LONG);
    /** Calls {@code void OCSP_BASICRESP_free(OCSP_BASICRESP *basic)}. */
    public static void OCSP_BASICRESP_free(long basic) {
        try {
            long _ = (long) OCSP_BASICRESP_free.invokeExact(basic);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("OCSP_BASICRESP_free", t);
        }
    }

    private static final MethodHandle OCSP_basic_verify =
            LIBCRYPTO.function("OCSP_basic_verify", INT, LONG, LONG, LONG, LONG);
    /**
     * Calls {@code int OCSP_basic_verify(OCSP_BASICRESP *basic, STACK_OF(X509) *certificates, X509_STORE
     * *store, unsigned long flags)}.
     */
    public static int OCSP_basic_verify(long basic, long certificates, long store, long flags) {
        try {
            return (int) (long) OCSP_basic_verify.invokeExact(basic, certificates, store, flags);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("OCSP_basic_verify", t);
        }
    }

    private static final MethodHandle OCSP_resp_find_status =
            LIBCRYPTO.function("OCSP_resp_find_status", INT, LONG, LONG, LONG, LONG, LONG, LONG, LONG);
    /**
     * Calls {@code int OCSP_resp_find_status(OCSP_BASICRESP *basic, OCSP_CERTID *id, int *status, int *reason,
     * ASN1_GENERALIZEDTIME **revoked, ASN1_GENERALIZEDTIME **thisUpdate, ASN1_GENERALIZEDTIME **nextUpdate)}.
     * The times are borrowed.
     */
    public static int OCSP_resp_find_status(
            long basic, long id, long status, long reason, long revoked, long thisUpdate, long nextUpdate) {
        try {
            return (int) (long)
                    OCSP_resp_find_status.invokeExact(basic, id, status, reason, revoked, thisUpdate, nextUpdate);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("OCSP_resp_find_status", t);
        }
    }

    private static final MethodHandle OCSP_check_validity =
            LIBCRYPTO.function("OCSP_check_validity", INT, LONG, LONG, LONG, LONG);
    /**
     * Calls {@code int OCSP_check_validity(ASN1_GENERALIZEDTIME *thisUpdate, ASN1_GENERALIZEDTIME *nextUpdate,
     * long toleranceSeconds, long maximumAge)}.
     */
    public static int OCSP_check_validity(long thisUpdate, long nextUpdate, long toleranceSeconds, long maximumAge) {
        try {
            return (int) (long) OCSP_check_validity.invokeExact(thisUpdate, nextUpdate, toleranceSeconds, maximumAge);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("OCSP_check_validity", t);
        }
    }

    private static final MethodHandle ASN1_TIME_diff =
            LIBCRYPTO.function("ASN1_TIME_diff", INT, LONG, LONG, LONG, LONG);
    /**
     * Calls {@code int ASN1_TIME_diff(int *days, int *seconds, const ASN1_TIME *from, const ASN1_TIME *to)}. A
     * null time is now.
     */
    public static int ASN1_TIME_diff(long days, long seconds, long from, long to) {
        try {
            return (int) (long) ASN1_TIME_diff.invokeExact(days, seconds, from, to);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("ASN1_TIME_diff", t);
        }
    }

    private static final MethodHandle X509_get1_ocsp = LIBCRYPTO.function("X509_get1_ocsp", LONG, LONG);
    /** Calls {@code STACK_OF(OPENSSL_STRING) *X509_get1_ocsp(X509 *certificate)}. */
    public static long X509_get1_ocsp(long certificate) {
        try {
            return (long) X509_get1_ocsp.invokeExact(certificate);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_get1_ocsp", t);
        }
    }

    private static final MethodHandle X509_email_free = LIBCRYPTO.function("X509_email_free", VOID, LONG);
    /** Calls {@code void X509_email_free(STACK_OF(OPENSSL_STRING) *strings)}. */
    public static void X509_email_free(long strings) {
        try {
            long _ = (long) X509_email_free.invokeExact(strings);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_email_free", t);
        }
    }
}
