package dev.sluice.ffi.openssl;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.raw.LibCrypto;
import dev.sluice.ffi.openssl.raw.LibCryptoChains;
import dev.sluice.ffi.openssl.raw.LibCryptoCopies;
import dev.sluice.ffi.openssl.raw.LibCryptoNames;
import dev.sluice.ffi.openssl.raw.LibCryptoOperations;
import dev.sluice.ffi.openssl.raw.LibCryptoPkcs12;
import dev.sluice.ffi.openssl.raw.LibSslStapling;
import dev.sluice.ffi.openssl.raw.OpenSslConstants;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongToIntFunction;

/** A certificate ({@code X509}). */
public final class X509 extends NativeHandle {
    private static final int X509_V_OK = OpenSslConstants.X509_V_OK;

    /** The prefix of an IP address in the output of GENERAL_NAME_print. */
    private static final List<String> TEXT_KINDS = List.of("DNS:", "email:", "URI:");

    private static final String PRINTED_ADDRESS = "IP Address:";

    X509(long address, String maker) {
        super(address, maker, "X509");
    }

    /**
     * Reads all certificates of a PEM text in order; ignores other blocks.
     *
     * @return at least one; the caller closes them
     * @throws OpenSslException when there is none, or one is damaged
     */
    public static List<X509> allFromPem(byte[] pem) {
        ErrorQueue.clear();
        try (MemoryBio bio = MemoryBio.of(pem)) {
            return all(bio);
        }
    }

    /** Reads all certificates of a PEM text in native memory, which may also hold a private key. */
    public static List<X509> allFromPem(MemorySegment pem) {
        ErrorQueue.clear();
        try (MemoryBio bio = MemoryBio.over(pem)) {
            return all(bio);
        }
    }

    private static List<X509> all(MemoryBio bio) {
        List<X509> certificates = new ArrayList<>();
        long next = LibCrypto.PEM_read_bio_X509(bio.address(), 0, 0, 0);
        while (next != 0) {
            certificates.add(new X509(next, "PEM_read_bio_X509"));
            next = LibCrypto.PEM_read_bio_X509(bio.address(), 0, 0, 0);
        }
        OpenSslException end = OpenSslException.drained("PEM_read_bio_X509 failed");
        if (certificates.isEmpty() || !end.has(OpenSslConstants.ERR_LIB_PEM, OpenSslConstants.PEM_R_NO_START_LINE)) {
            certificates.forEach(X509::close);
            throw end;
        }
        return certificates;
    }

    /** Reads a certificate from DER. The caller closes it. */
    public static X509 fromDer(byte[] der) {
        ErrorQueue.clear();
        try (Arena arena = Arena.ofConfined()) {
            long copy = arena.allocateFrom(ValueLayout.JAVA_BYTE, der).address();
            MemorySegment pointer = arena.allocateFrom(ValueLayout.JAVA_LONG, copy);
            return new X509(LibCryptoOperations.d2i_X509(0, pointer.address(), der.length), "d2i_X509");
        }
    }

    /** Returns another owner of a certificate. */
    static X509 shared(long address) {
        LibSslStapling.X509_up_ref(address);
        return new X509(address, "X509_up_ref");
    }

    /** Returns the subject as RFC 2253 text, such as {@code CN=server,O=Example}. */
    public String subject() {
        try (MemoryBio text = MemoryBio.empty()) {
            LibCrypto.X509_NAME_print_ex(
                    text.address(), LibCrypto.X509_get_subject_name(address()), 0, OpenSslConstants.XN_FLAG_RFC2253);
            return text.writtenText();
        }
    }

    /** Returns whether the certificate matches a key. */
    public boolean matches(EvpPkey key) {
        boolean result = LibCrypto.X509_check_private_key(address(), key.address()) == 1;
        ErrorQueue.clear();
        return result;
    }

    /** Returns whether this authority issued a certificate, by name and signature. */
    public boolean hasIssued(X509 certificate) {
        boolean result = LibCryptoChains.X509_check_issued(address(), certificate.address()) == X509_V_OK
                && LibCryptoChains.X509_verify(certificate.address(), LibCryptoChains.X509_get0_pubkey(address())) == 1;
        ErrorQueue.clear();
        return result;
    }

    /** Returns whether the certificate is self-signed, as a root is. */
    public boolean isSelfSigned() {
        boolean result = LibCryptoChains.X509_self_signed(address(), 1) == 1;
        ErrorQueue.clear();
        return result;
    }

    /** Returns an independent copy; the caller closes it. */
    public X509 copy() {
        ErrorQueue.clear();
        return new X509(LibCryptoCopies.X509_dup(address()), "X509_dup");
    }

    /**
     * Returns the subject alternative names in order, each prefixed with its kind: {@code DNS:client.example}, {@code
     * email:anna@example.com}, {@code URI:spiffe://…}, {@code IP:192.0.2.7}. Names are not escaped. OpenSSL prints dots
     * for unprintable characters; such a name has the kind {@code unprintable}, so that it is not mistaken for the name
     * with dots.
     */
    public List<String> alternativeNames() {
        long names = LibCryptoNames.X509_get_ext_d2i(address(), OpenSslConstants.NID_subject_alt_name, 0, 0);
        List<String> result = new ArrayList<>();
        for (int i = 0; i < LibCryptoPkcs12.OPENSSL_sk_num(names); i++) { // -1 for null
            result.add(text(LibCryptoPkcs12.OPENSSL_sk_value(names, i)));
        }
        LibCryptoNames.GENERAL_NAMES_free(names);
        ErrorQueue.clear();
        return result;
    }

    private static String text(long name) {
        try (MemoryBio out = MemoryBio.empty()) {
            LibCryptoNames.GENERAL_NAME_print(out.address(), name);
            String printed = out.writtenText();
            if (printed.startsWith(PRINTED_ADDRESS)) {
                return "IP:" + printed.substring(PRINTED_ADDRESS.length());
            }
            boolean isText = TEXT_KINDS.stream().anyMatch(printed::startsWith);
            return isText && !isPrintable(LibCryptoNames.GENERAL_NAME_get0_value(name, 0))
                    ? "unprintable:" + printed
                    : printed;
        }
    }

    /**
     * Returns whether all characters of a name are printable.
     *
     * @param text address of an {@code ASN1_IA5STRING}
     */
    private static boolean isPrintable(long text) {
        long data = LibCryptoNames.ASN1_STRING_get0_data(text);
        int length = LibCryptoNames.ASN1_STRING_length(text);
        for (int i = 0; i < length; i++) {
            byte character = RawMemory.getByte(data + i);
            if (character < ' ' || character > '~') {
                return false;
            }
        }
        return true;
    }

    /** Returns whether the validity has ended. */
    public boolean isExpired() {
        return LibCrypto.X509_cmp_time(LibCrypto.X509_get0_notAfter(address()), 0) < 0;
    }

    /** Returns whether the validity has not begun. */
    public boolean isNotYetValid() {
        return LibCrypto.X509_cmp_time(LibCrypto.X509_get0_notBefore(address()), 0) > 0;
    }

    /** Returns the beginning of the validity, such as {@code Nov 21 06:11:00 2026 GMT}. */
    public String notBefore() {
        return timeText(LibCrypto.X509_get0_notBefore(address()));
    }

    /** Returns the end of the validity, such as {@code Nov 21 06:11:00 2026 GMT}. */
    public String notAfter() {
        return timeText(LibCrypto.X509_get0_notAfter(address()));
    }

    /** Returns the SHA-256 digest of the DER encoding: 32 bytes. */
    public byte[] sha256() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(OpenSslConstants.EVP_MAX_MD_SIZE);
            MemorySegment length = arena.allocate(ValueLayout.JAVA_INT);
            if (LibCrypto.X509_digest(address(), LibCrypto.EVP_sha256(), out.address(), length.address()) != 1) {
                throw OpenSslException.drained("X509_digest failed");
            }
            byte[] digest = new byte[length.get(ValueLayout.JAVA_INT, 0)];
            RawMemory.copy(out.address(), digest, 0, digest.length);
            return digest;
        }
    }

    /** Returns the SHA-256 digest of the SubjectPublicKeyInfo: 32 bytes. */
    public byte[] publicKeySha256() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(PinnedKeys.DIGEST_BYTES);
            if (!PinnedKeys.digest(address(), out.address())) {
                throw OpenSslException.drained("i2d_X509_PUBKEY failed");
            }
            return out.toArray(ValueLayout.JAVA_BYTE);
        }
    }

    /** Returns the certificate as PEM text. */
    public byte[] toPem() {
        try (MemoryBio bio = MemoryBio.empty()) {
            if (LibCrypto.PEM_write_bio_X509(bio.address(), address()) != 1) {
                throw OpenSslException.drained("PEM_write_bio_X509 failed");
            }
            return bio.written();
        }
    }

    /** Returns the certificate in DER. */
    public byte[] toDer() {
        return der(address());
    }

    /** Returns a borrowed certificate in DER. */
    public static byte[] der(long certificate) {
        return encoded(out -> LibCryptoOperations.i2d_X509(certificate, out));
    }

    /**
     * Returns an encoding in DER.
     *
     * @param function an {@code i2d} function without its first argument: takes the address of a pointer, or 0 for only
     *     the length
     */
    public static byte[] encoded(LongToIntFunction function) {
        int length = function.applyAsInt(0);
        if (length <= 0) {
            throw OpenSslException.drained("encoding in DER failed");
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(length);
            MemorySegment pointer = arena.allocateFrom(ValueLayout.JAVA_LONG, out.address());
            if (function.applyAsInt(pointer.address()) != length) {
                throw OpenSslException.drained("encoding in DER failed");
            }
            return out.toArray(ValueLayout.JAVA_BYTE);
        }
    }

    private static String timeText(long time) {
        try (MemoryBio text = MemoryBio.empty()) {
            LibCrypto.ASN1_TIME_print(text.address(), time);
            return text.writtenText();
        }
    }

    @Override
    void free(long nativeAddress) {
        LibCrypto.X509_free(nativeAddress);
    }
}
