package dev.sluice.ffi.openssl;

import dev.sluice.ffi.openssl.raw.LibCrypto;
import dev.sluice.ffi.openssl.raw.LibCryptoTrust;
import dev.sluice.ffi.openssl.raw.OpenSslConstants;

/**
 * A trust store ({@code X509_STORE}): authorities and their revocation lists. Contexts that use a store co-own it.
 * Configured by one thread; afterwards several may use it, but contend for its lock: give each event loop its own.
 */
public final class X509Store extends NativeHandle {
    private X509Store() {
        super(LibCryptoTrust.X509_STORE_new(), "X509_STORE_new", "X509_STORE");
    }

    /** Creates an empty store, which trusts no one. */
    public static X509Store empty() {
        ErrorQueue.clear();
        return new X509Store();
    }

    /** Adds a trusted authority, which the caller keeps. */
    public void add(X509 authority) {
        ErrorQueue.clear();
        require(LibCrypto.X509_STORE_add_cert(address(), authority.address()), "X509_STORE_add_cert");
    }

    /** Adds a revocation list, which the caller keeps. */
    public void add(X509Crl list) {
        ErrorQueue.clear();
        require(LibCryptoTrust.X509_STORE_add_crl(address(), list.address()), "X509_STORE_add_crl");
    }

    /**
     * Requires a valid revocation list of the issuer for every certificate of a chain: see
     * X509_VERIFY_PARAM_set_flags(3).
     */
    public void requireLists() {
        long flags = OpenSslConstants.X509_V_FLAG_CRL_CHECK | OpenSslConstants.X509_V_FLAG_CRL_CHECK_ALL;
        require(LibCryptoTrust.X509_STORE_set_flags(address(), flags), "X509_STORE_set_flags");
    }

    /** Accepts chains that end at an added authority that is no root. */
    public void trustIntermediates() {
        long flags = OpenSslConstants.X509_V_FLAG_PARTIAL_CHAIN;
        require(LibCryptoTrust.X509_STORE_set_flags(address(), flags), "X509_STORE_set_flags");
    }

    /** Sets the maximum number of intermediate authorities between a peer's certificate and a trusted one. */
    public void depth(int intermediates) {
        require(LibCryptoTrust.X509_STORE_set_depth(address(), intermediates), "X509_STORE_set_depth");
    }

    private static void require(int returned, String what) {
        if (returned != 1) {
            throw OpenSslException.drained(what + " failed");
        }
    }

    @Override
    void free(long nativeAddress) {
        LibCryptoTrust.X509_STORE_free(nativeAddress);
    }
}
