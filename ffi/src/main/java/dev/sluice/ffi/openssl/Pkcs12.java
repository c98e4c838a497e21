package dev.sluice.ffi.openssl;

import dev.sluice.ffi.openssl.raw.LibCrypto;
import dev.sluice.ffi.openssl.raw.LibCryptoPkcs12;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * The contents of a PKCS #12 file. The caller owns all of it.
 *
 * @param key the private key
 * @param certificates all certificates, unordered; may be empty
 */
public record Pkcs12(EvpPkey key, List<X509> certificates) {
    // Output pointers of PKCS12_parse, eight bytes each.
    private static final int KEY = 0;
    private static final int LEAF = 1;
    private static final int OTHERS = 2;
    private static final int PARTS = 3;

    /**
     * Opens a PKCS #12 file.
     *
     * @param der the file's bytes, in native memory
     * @param passphrase NUL-terminated; empty for none
     * @throws OpenSslException when the file is malformed, the passphrase is wrong, or there is no key
     */
    public static Pkcs12 open(MemorySegment der, MemorySegment passphrase) {
        ErrorQueue.clear();
        try (MemoryBio bio = MemoryBio.over(der);
                Arena arena = Arena.ofConfined()) {
            long store = LibCryptoPkcs12.d2i_PKCS12_bio(bio.address(), 0);
            if (store == 0) {
                throw OpenSslException.drained("d2i_PKCS12_bio failed");
            }
            MemorySegment parts = arena.allocate(ValueLayout.JAVA_LONG, PARTS);
            int done = LibCryptoPkcs12.PKCS12_parse(
                    store, passphrase.address(), at(parts, KEY), at(parts, LEAF), at(parts, OTHERS));
            LibCryptoPkcs12.PKCS12_free(store);
            if (done != 1) {
                throw OpenSslException.drained("PKCS12_parse failed");
            }
            return taken(parts);
        }
    }

    private static long at(MemorySegment parts, int part) {
        return parts.address() + (long) part * Long.BYTES;
    }

    private static Pkcs12 taken(MemorySegment parts) {
        List<X509> certificates = new ArrayList<>();
        long leaf = parts.getAtIndex(ValueLayout.JAVA_LONG, LEAF);
        if (leaf != 0) {
            certificates.add(new X509(leaf, "PKCS12_parse"));
        }
        long others = parts.getAtIndex(ValueLayout.JAVA_LONG, OTHERS);
        for (int i = 0; i < LibCryptoPkcs12.OPENSSL_sk_num(others); i++) { // -1 for null
            certificates.add(new X509(LibCryptoPkcs12.OPENSSL_sk_value(others, i), "PKCS12_parse"));
        }
        LibCrypto.OPENSSL_sk_free(others);
        try {
            return new Pkcs12(
                    new EvpPkey(parts.getAtIndex(ValueLayout.JAVA_LONG, KEY), "PKCS12_parse for a key"), certificates);
        } catch (OpenSslException noKey) {
            certificates.forEach(X509::close);
            throw noKey;
        }
    }
}
