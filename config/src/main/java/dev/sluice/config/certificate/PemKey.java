package dev.sluice.config.certificate;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A reader of private keys for the admin endpoint, which uses the JDK's TLS: PKCS #8 in PEM, unencrypted. */
public final class PemKey {
    private static final Pattern PKCS8 =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
    private static final List<String> ALGORITHMS = List.of("EC", "RSA", "EdDSA");

    private PemKey() {}

    /**
     * Reads a key.
     *
     * @throws IOException when the file cannot be read
     * @throws GeneralSecurityException when it contains no such key; the message has the remedy
     */
    public static PrivateKey read(Path file) throws IOException, GeneralSecurityException {
        Matcher matcher = PKCS8.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
        if (!matcher.find()) {
            throw new InvalidKeyException(
                    "contains no \"BEGIN PRIVATE KEY\"; convert it with openssl pkcs8 -topk8 -nodes -in OLD -out NEW");
        }
        PKCS8EncodedKeySpec encoded =
                new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(matcher.group(1)));
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(encoded);
            } catch (InvalidKeySpecException another) {
                // The next algorithm may accept it.
            }
        }
        throw new InvalidKeyException("has none of the key types " + ALGORITHMS + "; use one of these");
    }
}
