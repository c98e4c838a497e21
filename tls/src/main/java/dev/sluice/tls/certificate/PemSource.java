package dev.sluice.tls.certificate;

import dev.sluice.tls.failure.TlsConfigurationException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A source of PEM text: a file, read when a context is built, or bytes in memory. Has a name for messages. */
public final class PemSource {
    private static final String BEGIN = "-----BEGIN ";

    private final String name;
    private final Reader reader;

    @FunctionalInterface
    private interface Reader {
        SecretBytes read() throws IOException;
    }

    private PemSource(String name, Reader reader) {
        this.name = name;
        this.reader = reader;
    }

    /** Creates a source from a file. */
    public static PemSource file(Path file) {
        return new PemSource(file.toString(), () -> SecretBytes.read(file));
    }

    /**
     * Creates a source from bytes.
     *
     * @param name the name in messages
     * @param pem copied
     */
    public static PemSource bytes(String name, byte[] pem) {
        byte[] copy = pem.clone();
        return new PemSource(name, () -> SecretBytes.of(copy));
    }

    /** Returns the file's path, or the given name. */
    public String name() {
        return name;
    }

    /**
     * Reads the text into native memory, since it may hold a private key; the caller closes it.
     *
     * @param what the expected content, for the message, such as {@code certificate chain}
     * @throws TlsConfigurationException when it cannot be read, or is not PEM
     */
    SecretBytes read(String what) {
        SecretBytes text = readAny(what);
        if (text.contains(BEGIN)) {
            return text;
        }
        text.close();
        throw new TlsConfigurationException(what + " is not PEM: " + name + " has no line that starts with "
                + BEGIN.trim() + "; convert it, for example with: openssl x509 -inform der (certificate),"
                + " openssl pkey -inform der (key), openssl pkcs12 -nodes (PKCS #12)");
    }

    /** Reads content that need not be PEM; the caller closes it. */
    SecretBytes readAny(String what) {
        try {
            return reader.read();
        } catch (NoSuchFileException e) {
            throw new TlsConfigurationException(what + " not found: " + name + " does not exist; check the path", e);
        } catch (AccessDeniedException e) {
            throw new TlsConfigurationException(
                    what + " not readable: " + name + ", permission denied; grant this process's user read access", e);
        } catch (IOException e) {
            throw new TlsConfigurationException(
                    what + " not readable: " + name + ", cause: " + e.getMessage() + "; it must be a file", e);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
