package dev.sluice.ffi.openssl;

/**
 * Whom to trust ({@code X509_STORE}): authorities, and lists of what they have revoked. Contexts that use it hold it
 * themselves. Set up by one thread; afterwards several may use it, and take turns: give each event loop its own.
 */
public final class X509Store extends NativeHandle {
    private X509Store() {
        super(LibCryptoTrust.X509_STORE_new(), "X509_STORE_new", "X509_STORE");
    }

    /** Makes one that trusts nobody. */
    public static X509Store empty() {
        ErrorQueue.clear();
        return new X509Store();
    }

    /** Trusts an authority, which stays the caller's. */
    public void add(X509 authority) {
        ErrorQueue.clear();
        require(LibCrypto.X509_STORE_add_cert(address(), authority.address()), "X509_STORE_add_cert");
    }

    /** Knows what is revoked, by a list that stays the caller's. */
    public void add(X509Crl list) {
        ErrorQueue.clear();
        require(LibCryptoTrust.X509_STORE_add_crl(address(), list.address()), "X509_STORE_add_crl");
    }

    /**
     * From now on no certificate of a chain is taken unless a list of its issuer is there, is valid, and does not name it:
     * see X509_VERIFY_PARAM_set_flags(3).
     */
    public void requireLists() {
        long flags = OpenSslConstants.X509_V_FLAG_CRL_CHECK | OpenSslConstants.X509_V_FLAG_CRL_CHECK_ALL;
        require(LibCryptoTrust.X509_STORE_set_flags(address(), flags), "X509_STORE_set_flags");
    }

    /** How many intermediate authorities may stand between a peer's certificate and a trusted one. */
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
