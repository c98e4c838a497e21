package dev.sluice.ffi.openssl.ocsp;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.ErrorQueue;
import dev.sluice.ffi.openssl.OpenSslException;
import dev.sluice.ffi.openssl.X509;
import dev.sluice.ffi.openssl.X509Store;
import dev.sluice.ffi.openssl.raw.LibCrypto;
import dev.sluice.ffi.openssl.raw.LibCryptoOcsp;
import dev.sluice.ffi.openssl.raw.LibCryptoPkcs12;
import dev.sluice.ffi.openssl.raw.OpenSslConstants;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * A question to an OCSP responder about one certificate, without a nonce, so that responders can answer from a cache.
 * Confined to one thread. Owns native memory until {@link #close()}; the certificates stay the caller's.
 */
public final class OcspQuestion implements AutoCloseable {
    /** The difference that our clock and a responder's may have. */
    private static final int CLOCK_TOLERANCE_SECONDS = 300;

    private static final int SECONDS_PER_DAY = 86_400;
    private static final long ANY_AGE = -1;

    private final X509 issuer;
    private final long id;

    private OcspQuestion(X509 issuer, long id) {
        this.issuer = issuer;
        this.id = id;
    }

    /**
     * Creates a question.
     *
     * @param issuer the certificate's issuer; both must stay open until the close
     */
    public static OcspQuestion about(X509 certificate, X509 issuer) {
        ErrorQueue.clear();
        long id = LibCryptoOcsp.OCSP_cert_to_id(0, certificate.address(), issuer.address());
        return new OcspQuestion(issuer, required(id, "OCSP_cert_to_id"));
    }

    /** Returns the addresses of responders that a certificate names, by the extension authorityInfoAccess. */
    public static List<String> responders(X509 certificate) {
        long found = LibCryptoOcsp.X509_get1_ocsp(certificate.address());
        List<String> addresses = new ArrayList<>();
        for (int i = 0; i < LibCryptoPkcs12.OPENSSL_sk_num(found); i++) { // -1 for null
            addresses.add(RawMemory.getString(LibCryptoPkcs12.OPENSSL_sk_value(found, i)));
        }
        LibCryptoOcsp.X509_email_free(found);
        ErrorQueue.clear();
        return addresses;
    }

    /** Returns the request in DER. */
    public byte[] request() {
        long request = required(LibCryptoOcsp.OCSP_REQUEST_new(), "OCSP_REQUEST_new");
        try {
            long copy = required(LibCryptoOcsp.OCSP_CERTID_dup(id), "OCSP_CERTID_dup");
            if (LibCryptoOcsp.OCSP_request_add0_id(request, copy) == 0) {
                LibCryptoOcsp.OCSP_CERTID_free(copy);
                throw OpenSslException.drained("OCSP_request_add0_id failed");
            }
            return X509.encoded(out -> LibCryptoOcsp.i2d_OCSP_REQUEST(request, out));
        } finally {
            LibCryptoOcsp.OCSP_REQUEST_free(request);
        }
    }

    /**
     * Checks an answer: status, signature, certificate and validity.
     *
     * @param response in DER
     * @return the seconds for which it stays valid; {@link Long#MAX_VALUE} if it does not tell
     * @throws OpenSslException when it is no valid answer to this question
     */
    public long checked(byte[] response) {
        ErrorQueue.clear();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment der = arena.allocateFrom(ValueLayout.JAVA_BYTE, response);
            MemorySegment pointer = arena.allocateFrom(ValueLayout.JAVA_LONG, der.address());
            long parsed = required(
                    LibCryptoOcsp.d2i_OCSP_RESPONSE(0, pointer.address(), response.length), "d2i_OCSP_RESPONSE");
            try {
                int status = LibCryptoOcsp.OCSP_response_status(parsed);
                if (status != OpenSslConstants.OCSP_RESPONSE_STATUS_SUCCESSFUL) {
                    throw OpenSslException.drained("the responder has no answer, OCSPResponseStatus=" + status);
                }
                return basic(required(LibCryptoOcsp.OCSP_response_get1_basic(parsed), "OCSP_response_get1_basic"));
            } finally {
                LibCryptoOcsp.OCSP_RESPONSE_free(parsed);
            }
        }
    }

    /** Checks a BasicOCSPResponse, and frees it. */
    private long basic(long basic) {
        try (Arena arena = Arena.ofConfined()) {
            verify(basic);
            MemorySegment times = arena.allocate(ValueLayout.JAVA_LONG, 2);
            MemorySegment status = arena.allocate(ValueLayout.JAVA_INT);
            long nextUpdate = times.address() + Long.BYTES;
            if (LibCryptoOcsp.OCSP_resp_find_status(basic, id, status.address(), 0, 0, times.address(), nextUpdate)
                    != 1) {
                throw OpenSslException.drained("the response is about another certificate");
            }
            long begins = times.getAtIndex(ValueLayout.JAVA_LONG, 0);
            long ends = times.getAtIndex(ValueLayout.JAVA_LONG, 1);
            if (LibCryptoOcsp.OCSP_check_validity(begins, ends, CLOCK_TOLERANCE_SECONDS, ANY_AGE) != 1) {
                throw OpenSslException.drained("the response is not valid now");
            }
            return ends == 0 ? Long.MAX_VALUE : secondsUntil(ends, arena);
        } finally {
            LibCryptoOcsp.OCSP_BASICRESP_free(basic);
        }
    }

    /** Verifies the signature: the issuer's, or that of a certificate for OCSP that the issuer has signed. */
    private void verify(long basic) {
        long issuers = required(LibCrypto.OPENSSL_sk_new_null(), "OPENSSL_sk_new_null");
        try (X509Store store = X509Store.empty()) {
            LibCrypto.OPENSSL_sk_push(issuers, issuer.address());
            store.add(issuer);
            store.trustIntermediates();
            if (LibCryptoOcsp.OCSP_basic_verify(basic, issuers, store.address(), OpenSslConstants.OCSP_TRUSTOTHER)
                    != 1) {
                throw OpenSslException.drained("the response is not signed for the certificate's issuer");
            }
        } finally {
            LibCrypto.OPENSSL_sk_free(issuers);
        }
    }

    private static long secondsUntil(long time, Arena arena) {
        MemorySegment difference = arena.allocate(ValueLayout.JAVA_INT, 2);
        long seconds = difference.address() + Integer.BYTES;
        if (LibCryptoOcsp.ASN1_TIME_diff(difference.address(), seconds, 0, time) != 1) {
            throw OpenSslException.drained("ASN1_TIME_diff failed");
        }
        return (long) difference.getAtIndex(ValueLayout.JAVA_INT, 0) * SECONDS_PER_DAY
                + difference.getAtIndex(ValueLayout.JAVA_INT, 1);
    }

    private static long required(long address, String maker) {
        if (address == 0) {
            throw OpenSslException.drained(maker + " failed");
        }
        return address;
    }

    @Override
    public void close() {
        LibCryptoOcsp.OCSP_CERTID_free(id);
    }
}
