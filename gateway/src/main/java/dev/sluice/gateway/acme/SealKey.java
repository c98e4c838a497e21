package dev.sluice.gateway.acme;

import dev.sluice.gateway.tickets.PrivateFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.UUID;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.PBEParameterSpec;

/**
 * The passphrase by which private keys are encrypted in files: the first line of a file. Keys are in PKCS #8 with PBES2
 * (AES-256-CBC, RFC 8018), which OpenSSL reads. Confined to one thread at a time.
 */
final class SealKey implements AutoCloseable {
    private static final String CIPHER = "PBEWithHmacSHA256AndAES_256";

    /** A passphrase that is made here has 256 bits at random, so that guessing is no matter of iterations. */
    private static final int ITERATIONS = 10_000;

    private static final int SALT_BYTES = 16;
    private static final int BLOCK_BYTES = 16;
    private static final int PASSPHRASE_BYTES = 32;
    private static final int FILE_BYTES_MAX = 4096;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final char[] passphrase;

    private SealKey(char[] passphrase) {
        this.passphrase = passphrase;
    }

    /**
     * Reads the file, which is made when it is absent.
     *
     * @throws AcmeFailure when it holds no passphrase
     */
    static SealKey readOrMake(Path file) throws IOException, AcmeFailure {
        if (!Files.exists(file)) {
            make(file);
        }
        if (Files.size(file) > FILE_BYTES_MAX) {
            throw unusable(file, "has more than " + FILE_BYTES_MAX + " bytes");
        }
        byte[] bytes = Files.readAllBytes(file);
        try {
            int end = 0;
            while (end < bytes.length && bytes[end] >= ' ' && bytes[end] < 0x7f) {
                end++;
            }
            boolean isLine = end == bytes.length || bytes[end] == '\n' || bytes[end] == '\r';
            if (end == 0 || !isLine) {
                throw unusable(file, "does not begin with a line of ASCII");
            }
            char[] chars = new char[end];
            for (int i = 0; i < end; i++) {
                chars[i] = (char) bytes[i];
            }
            return new SealKey(chars);
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    private static AcmeFailure unusable(Path file, String why) {
        return new AcmeFailure("seal-key " + file + " " + why
                + "; make one by: (umask 077; openssl rand -base64 32 > FILE), or leave that to the gateway");
    }

    private static void make(Path file) throws IOException {
        byte[] random = new byte[PASSPHRASE_BYTES];
        RANDOM.nextBytes(random);
        byte[] line = (Base64.getEncoder().encodeToString(random) + "\n").getBytes(StandardCharsets.US_ASCII);
        // Under its name in one step, so that nobody reads a part of it; whoever comes first has made it.
        Path whole = file.resolveSibling(file.getFileName() + "." + UUID.randomUUID());
        try {
            PrivateFile.create(whole, ByteBuffer.wrap(line));
            Files.createLink(file, whole);
        } catch (FileAlreadyExistsException another) {
            // That one counts.
        } finally {
            Files.deleteIfExists(whole);
            Arrays.fill(random, (byte) 0);
            Arrays.fill(line, (byte) 0);
        }
    }

    /**
     * Encrypts a private key.
     *
     * @param pkcs8 DER; the caller wipes it
     * @return DER
     */
    byte[] encrypt(byte[] pkcs8) throws GeneralSecurityException, IOException {
        byte[] salt = new byte[SALT_BYTES];
        byte[] start = new byte[BLOCK_BYTES];
        RANDOM.nextBytes(salt);
        RANDOM.nextBytes(start);
        Cipher cipher = Cipher.getInstance(CIPHER);
        cipher.init(Cipher.ENCRYPT_MODE, key(), new PBEParameterSpec(salt, ITERATIONS, new IvParameterSpec(start)));
        // The JDK encodes the scheme under its general name alone.
        AlgorithmParameters parameters = AlgorithmParameters.getInstance("PBES2");
        parameters.init(cipher.getParameters().getEncoded());
        return new EncryptedPrivateKeyInfo(parameters, cipher.doFinal(pkcs8)).getEncoded();
    }

    /**
     * Decrypts a private key.
     *
     * @return PKCS #8 in DER; the caller wipes it
     */
    byte[] decrypt(byte[] encrypted) throws GeneralSecurityException, IOException {
        EncryptedPrivateKeyInfo info = new EncryptedPrivateKeyInfo(encrypted);
        Cipher cipher = Cipher.getInstance(CIPHER);
        cipher.init(Cipher.DECRYPT_MODE, key(), info.getAlgParameters());
        return cipher.doFinal(info.getEncryptedData());
    }

    private SecretKey key() throws GeneralSecurityException {
        PBEKeySpec spec = new PBEKeySpec(passphrase);
        try {
            return SecretKeyFactory.getInstance(CIPHER).generateSecret(spec);
        } finally {
            spec.clearPassword();
        }
    }

    /** Wipes the passphrase. */
    @Override
    public void close() {
        Arrays.fill(passphrase, '\0');
    }
}
