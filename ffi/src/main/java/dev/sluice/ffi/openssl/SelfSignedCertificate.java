package dev.sluice.ffi.openssl;

import static dev.sluice.ffi.openssl.raw.OpenSslConstants.*;

import dev.sluice.ffi.openssl.raw.LibCrypto;
import java.lang.foreign.Arena;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/** A factory for self-signed certificates. */
public final class SelfSignedCertificate {
    private static final int LAST = -1;

    /** 9999-12-31T23:59:59Z, which means no end: RFC 5280 section 4.1.2.5. */
    private static final long LAST_SECOND = 253_402_300_799L;

    /** id-pe-acmeIdentifier, RFC 8737 section 6.1, which not every OpenSSL knows by name. */
    private static final String ACME_IDENTIFIER = "1.3.6.1.5.5.7.1.31";

    private SelfSignedCertificate() {}

    /**
     * Creates a version 3 certificate for TLS servers, valid since an hour ago, signed with SHA-256.
     *
     * @param key its public half is certified, and it signs
     * @param commonName subject and issuer
     * @param hosts subject alternative names: DNS names and IP addresses
     * @param validity duration from now
     * @return the caller closes it
     */
    public static X509 make(EvpPkey key, String commonName, List<String> hosts, Duration validity) {
        ErrorQueue.clear();
        X509 certificate = new X509(LibCrypto.X509_new(), "X509_new");
        try {
            fill(certificate.address(), key, commonName, validity);
            addExtension(certificate.address(), NID_basic_constraints, "critical,CA:FALSE");
            addExtension(certificate.address(), NID_key_usage, "critical,digitalSignature");
            addExtension(certificate.address(), NID_ext_key_usage, "serverAuth");
            addExtension(certificate.address(), NID_subject_alt_name, alternativeNames(hosts));
            // X509_sign returns the signature's length.
            require(LibCrypto.X509_sign(certificate.address(), key.address(), LibCrypto.EVP_sha256()) > 0, "X509_sign");
            return certificate;
        } catch (Throwable e) {
            certificate.close();
            throw e;
        }
    }

    /**
     * Creates the certificate that answers the challenge TLS-ALPN-01, RFC 8737 section 3; valid for a day.
     *
     * @param key its public half is certified, and it signs
     * @param host the only name
     * @param digest SHA-256 of the key authorization
     * @return the caller closes it
     */
    public static X509 challenge(EvpPkey key, String host, byte[] digest) {
        ErrorQueue.clear();
        X509 certificate = new X509(LibCrypto.X509_new(), "X509_new");
        try {
            fill(certificate.address(), key, "ACME challenge", Duration.ofDays(1));
            addExtension(certificate.address(), NID_subject_alt_name, "DNS:" + host);
            addChallenge(certificate.address(), digest);
            require(LibCrypto.X509_sign(certificate.address(), key.address(), LibCrypto.EVP_sha256()) > 0, "X509_sign");
            return certificate;
        } catch (Throwable e) {
            certificate.close();
            throw e;
        }
    }

    /** Adds the critical extension with the digest, an OCTET STRING. */
    private static void addChallenge(long certificate, byte[] digest) {
        String value = "critical,DER:04" + HexFormat.of().toHexDigits((byte) digest.length)
                + HexFormat.of().formatHex(digest);
        try (Arena arena = Arena.ofConfined()) {
            long name = arena.allocateFrom(ACME_IDENTIFIER).address();
            long extension = LibCrypto.X509V3_EXT_nconf(
                    0, 0, name, arena.allocateFrom(value).address());
            add(certificate, extension, "X509V3_EXT_nconf of " + ACME_IDENTIFIER);
        }
    }

    /**
     * Creates a version 3 certificate without a name or an end, for peers that know each other's keys: it only carries
     * the public key.
     *
     * @param key its public half is certified, and it signs with its default digest
     * @return the caller closes it
     */
    public static X509 timeless(EvpPkey key, String commonName) {
        ErrorQueue.clear();
        X509 certificate = new X509(LibCrypto.X509_new(), "X509_new");
        try {
            fill(certificate.address(), key, commonName, 0, LAST_SECOND);
            require(LibCrypto.X509_sign(certificate.address(), key.address(), 0) > 0, "X509_sign");
            return certificate;
        } catch (Throwable e) {
            certificate.close();
            throw e;
        }
    }

    /** Sets all fields except extensions and signature; the issuer is the subject. */
    static void fill(long certificate, EvpPkey key, String commonName, Duration validity) {
        long now = Instant.now().getEpochSecond();
        // Since an hour ago, for clients whose clock is slow.
        fill(certificate, key, commonName, now - Duration.ofHours(1).toSeconds(), now + validity.toSeconds());
    }

    /** Sets the same fields, with times in seconds since 1970. */
    private static void fill(long certificate, EvpPkey key, String commonName, long notBefore, long notAfter) {
        require(LibCrypto.X509_set_version(certificate, X509_VERSION_3) == 1, "X509_set_version");
        long serial = new SecureRandom().nextLong() >>> 1;
        require(
                LibCrypto.ASN1_INTEGER_set_uint64(LibCrypto.X509_get_serialNumber(certificate), serial) == 1,
                "ASN1_INTEGER_set_uint64");
        setTime(LibCrypto.X509_getm_notBefore(certificate), notBefore);
        setTime(LibCrypto.X509_getm_notAfter(certificate), notAfter);
        require(LibCrypto.X509_set_pubkey(certificate, key.address()) == 1, "X509_set_pubkey");
        long subject = LibCrypto.X509_get_subject_name(certificate);
        try (Arena arena = Arena.ofConfined()) {
            int added = LibCrypto.X509_NAME_add_entry_by_txt(
                    subject,
                    arena.allocateFrom("CN").address(),
                    MBSTRING_ASC,
                    arena.allocateFrom(commonName).address(),
                    LAST,
                    LAST,
                    0);
            require(added == 1, "X509_NAME_add_entry_by_txt of CN=" + commonName);
        }
        require(LibCrypto.X509_set_issuer_name(certificate, subject) == 1, "X509_set_issuer_name");
    }

    private static void setTime(long field, long seconds) {
        require(LibCrypto.ASN1_TIME_set(field, seconds) != 0, "ASN1_TIME_set to " + seconds);
    }

    static void addExtension(long certificate, int nid, String value) {
        try (Arena arena = Arena.ofConfined()) {
            long extension = LibCrypto.X509V3_EXT_nconf_nid(
                    0, 0, nid, arena.allocateFrom(value).address());
            add(certificate, extension, "X509V3_EXT_nconf_nid of " + value);
        }
    }

    /** Adds an extension, which is freed; 0: it could not be made. */
    private static void add(long certificate, long extension, String made) {
        require(extension != 0, made);
        int added = LibCrypto.X509_add_ext(certificate, extension, LAST);
        LibCrypto.X509_EXTENSION_free(extension);
        require(added == 1, "X509_add_ext after " + made);
    }

    static String alternativeNames(List<String> hosts) {
        return hosts.stream()
                .map(host -> (isAddress(host) ? "IP:" : "DNS:") + host)
                .collect(Collectors.joining(","));
    }

    private static boolean isAddress(String host) {
        return host.indexOf(':') >= 0 || host.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'));
    }

    static void require(boolean succeeded, String what) {
        if (!succeeded) {
            throw OpenSslException.drained(what + " failed");
        }
    }
}
