package dev.sluice.gateway.acme;

import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A text of PEM blocks with lines {@code name: value} before the first, as state files hold them. Immutable.
 *
 * @param text the text
 */
record PemText(String text) {
    static final String CERTIFICATE = "CERTIFICATE";
    static final String ENCRYPTED_KEY = "ENCRYPTED PRIVATE KEY";
    static final String PLAIN_KEY = "PRIVATE KEY";
    static final String PUBLIC_KEY = "PUBLIC KEY";

    private static final int LINE_CHARS = 64;

    /** A writer of such texts. */
    static final class Builder {
        private final StringBuilder text = new StringBuilder();

        /** Adds a line before the blocks. */
        Builder line(String name, String value) {
            text.append(name).append(": ").append(value).append('\n');
            return this;
        }

        /** Adds a block. */
        Builder block(String type, byte[] der) {
            text.append("-----BEGIN ").append(type).append("-----\n");
            text.append(Base64.getMimeEncoder(LINE_CHARS, new byte[] {'\n'}).encodeToString(der));
            text.append("\n-----END ").append(type).append("-----\n");
            return this;
        }

        /** Adds a block for each certificate. */
        Builder chain(List<X509Certificate> chain) throws GeneralSecurityException {
            for (X509Certificate each : chain) {
                block(CERTIFICATE, each.getEncoded());
            }
            return this;
        }

        String build() {
            return text.toString();
        }
    }

    /** Returns the value of a line before the blocks; "" when there is none. */
    String line(String name) {
        Matcher matcher =
                Pattern.compile("(?m)^" + Pattern.quote(name) + ": (.*)$").matcher(text);
        return matcher.find() ? matcher.group(1) : "";
    }

    /** Returns the contents of all blocks of a type. */
    List<byte[]> blocks(String type) throws GeneralSecurityException {
        List<byte[]> blocks = new ArrayList<>();
        Matcher matcher = Pattern.compile("-----BEGIN " + type + "-----([A-Za-z0-9+/=\\s]+)-----END " + type + "-----")
                .matcher(text);
        try {
            while (matcher.find()) {
                blocks.add(Base64.getMimeDecoder().decode(matcher.group(1)));
            }
        } catch (IllegalArgumentException bad) {
            throw new GeneralSecurityException("a block " + type + " is no Base64", bad);
        }
        return blocks;
    }

    /** Returns the only block of a type. */
    byte[] block(String type) throws GeneralSecurityException {
        List<byte[]> blocks = blocks(type);
        if (blocks.size() != 1) {
            throw new GeneralSecurityException(blocks.size() + " blocks " + type + " in place of one");
        }
        return blocks.getFirst();
    }

    /** Returns the certificates, the first one first; never none. */
    List<X509Certificate> chain() throws GeneralSecurityException {
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        List<X509Certificate> chain = new ArrayList<>();
        for (byte[] der : blocks(CERTIFICATE)) {
            chain.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(der)));
        }
        if (chain.isEmpty()) {
            throw new GeneralSecurityException("no block " + CERTIFICATE);
        }
        return chain;
    }

    /**
     * Returns a pair of keys.
     *
     * @param pkcs8 the private half; the caller wipes it
     * @param spki the public half; null: not needed
     */
    static KeyPair pair(String algorithm, byte[] pkcs8, byte @Nullable [] spki) throws GeneralSecurityException {
        KeyFactory factory = KeyFactory.getInstance(algorithm);
        PrivateKey own = factory.generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
        PublicKey open = spki == null ? null : factory.generatePublic(new X509EncodedKeySpec(spki));
        return new KeyPair(open, own);
    }
}
