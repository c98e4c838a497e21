package dev.sluice.ffi.openssl;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.raw.LibCrypto;
import dev.sluice.ffi.openssl.raw.LibCryptoTrust;
import dev.sluice.ffi.openssl.raw.OpenSslConstants;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** A certificate revocation list ({@code X509_CRL}). */
public final class X509Crl extends NativeHandle {
    private X509Crl(long address) {
        super(address, "PEM_read_bio_X509_CRL", "X509_CRL");
    }

    /**
     * Reads all lists of a PEM text in order; ignores other blocks.
     *
     * @return at least one; the caller closes them
     * @throws OpenSslException when there is none, or one is damaged
     */
    public static List<X509Crl> allFromPem(MemorySegment pem) {
        ErrorQueue.clear();
        List<X509Crl> lists = new ArrayList<>();
        try (MemoryBio bio = MemoryBio.over(pem)) {
            long next = LibCryptoTrust.PEM_read_bio_X509_CRL(bio.address(), 0, 0, 0);
            while (next != 0) {
                lists.add(new X509Crl(next));
                next = LibCryptoTrust.PEM_read_bio_X509_CRL(bio.address(), 0, 0, 0);
            }
        }
        OpenSslException end = OpenSslException.drained("PEM_read_bio_X509_CRL failed");
        if (lists.isEmpty() || !end.has(OpenSslConstants.ERR_LIB_PEM, OpenSslConstants.PEM_R_NO_START_LINE)) {
            lists.forEach(X509Crl::close);
            throw end;
        }
        return lists;
    }

    /** Returns the issuer of the revoked certificates, as RFC 2253 text. */
    public String issuer() {
        try (MemoryBio text = MemoryBio.empty()) {
            long name = LibCryptoTrust.X509_CRL_get_issuer(address());
            LibCrypto.X509_NAME_print_ex(text.address(), name, 0, OpenSslConstants.XN_FLAG_RFC2253);
            return text.writtenText();
        }
    }

    /** Returns the nextUpdate of the list, such as {@code Nov 21 06:11:00 2026 GMT}; "" where absent. */
    public String nextUpdate() {
        long end = LibCryptoTrust.X509_CRL_get0_nextUpdate(address());
        if (end == 0) {
            return "";
        }
        try (MemoryBio text = MemoryBio.empty()) {
            LibCrypto.ASN1_TIME_print(text.address(), end);
            return text.writtenText();
        }
    }

    /** Returns the SHA-256 digest of the DER encoding: 32 bytes. */
    public byte[] sha256() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(OpenSslConstants.EVP_MAX_MD_SIZE);
            MemorySegment length = arena.allocate(ValueLayout.JAVA_INT);
            if (LibCryptoTrust.X509_CRL_digest(address(), LibCrypto.EVP_sha256(), out.address(), length.address())
                    != 1) {
                throw OpenSslException.drained("X509_CRL_digest failed");
            }
            byte[] digest = new byte[length.get(ValueLayout.JAVA_INT, 0)];
            RawMemory.copy(out.address(), digest, 0, digest.length);
            return digest;
        }
    }

    @Override
    void free(long nativeAddress) {
        LibCryptoTrust.X509_CRL_free(nativeAddress);
    }
}
