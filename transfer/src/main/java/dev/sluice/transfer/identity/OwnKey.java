package dev.sluice.transfer.identity;

import dev.sluice.ffi.openssl.EvpPkey;
import dev.sluice.ffi.openssl.OpenSslException;
import dev.sluice.ffi.openssl.SelfSignedCertificate;
import dev.sluice.ffi.openssl.X509;
import dev.sluice.tls.certificate.Identity;
import dev.sluice.tls.failure.TlsConfigurationException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/**
 * This machine's private key, and the self-signed certificate that carries its public half in a handshake. Only the key
 * is kept: the certificate is made anew each time, without a name or an end, since peers compare the key alone.
 *
 * <p>Shared by any number of channels, from any thread; the creator closes it once.
 */
public final class OwnKey implements AutoCloseable {
    private static final String NAME = "sluice";
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");
    private static final long MAX_FILE_BYTES = 64 * 1024;

    private final Identity identity;
    private final KeyFingerprint fingerprint;

    private OwnKey(Identity identity, KeyFingerprint fingerprint) {
        this.identity = identity;
        this.fingerprint = fingerprint;
    }

    /** Creates a key that is not kept in a file. */
    public static OwnKey generate(OwnKeyType type) {
        return of("generated key", type.generate());
    }

    /**
     * Reads the key of a file, and creates the file with a new key if it is absent.
     *
     * @param file PEM; only its owner may have access
     * @throws TlsConfigurationException with the file, the cause and the remedy
     */
    public static OwnKey loadOrCreate(Path file, OwnKeyType type) {
        try {
            if (Files.notExists(file)) {
                create(file, type);
            }
            requirePrivate(file);
            return of(file.toString(), read(file));
        } catch (IOException e) {
            throw new TlsConfigurationException(
                    "key file not usable: " + file + " (" + e + "); check the path and its permissions", e);
        }
    }

    private static OwnKey of(String source, EvpPkey key) {
        X509 certificate;
        try {
            certificate = SelfSignedCertificate.timeless(key, NAME);
        } catch (OpenSslException e) {
            key.close();
            throw new TlsConfigurationException(
                    "key not usable: OpenSSL does not sign with " + source + " (" + e.getMessage()
                            + "); use an Ed25519 or P-256 key",
                    e);
        }
        KeyFingerprint fingerprint = KeyFingerprint.of(certificate.publicKeySha256());
        return new OwnKey(Identity.selfSigned(source, certificate, key), fingerprint);
    }

    /** Writes the key under another name and links it, so that no half-written file can be read. */
    private static void create(Path file, OwnKeyType type) throws IOException {
        Path directory = file.toAbsolutePath().getParent();
        Files.createDirectories(directory);
        Path temporary =
                Files.createTempFile(directory, ".key", ".new", PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        try (EvpPkey key = type.generate();
                FileChannel out = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
            byte[] pem = key.toPem();
            ByteBuffer rest = ByteBuffer.wrap(pem);
            while (rest.hasRemaining()) {
                out.write(rest);
            }
            out.force(true);
            Arrays.fill(pem, (byte) 0);
            Files.createLink(file, temporary);
        } catch (FileAlreadyExistsException ignored) {
            // Another process was faster; its key counts.
        } finally {
            Files.delete(temporary);
        }
    }

    private static void requirePrivate(Path file) throws IOException {
        Set<PosixFilePermission> others = EnumSet.copyOf(Files.getPosixFilePermissions(file));
        others.removeAll(OWNER_ONLY);
        others.remove(PosixFilePermission.OWNER_EXECUTE);
        if (!others.isEmpty()) {
            throw new TlsConfigurationException("key file is open to others: " + file + " has the permissions "
                    + PosixFilePermissions.toString(Files.getPosixFilePermissions(file))
                    + "; run chmod 600, and make a new key if somebody may have read it");
        }
    }

    private static EvpPkey read(Path file) throws IOException {
        try (FileChannel in = FileChannel.open(file);
                Arena arena = Arena.ofConfined()) {
            if (in.size() > MAX_FILE_BYTES) {
                throw new IOException("it has " + in.size() + " bytes, a key has fewer than " + MAX_FILE_BYTES);
            }
            MemorySegment pem = arena.allocate(in.size() + 1);
            ByteBuffer buffer = pem.asByteBuffer();
            int count = in.read(buffer);
            while (count > 0) {
                count = in.read(buffer);
            }
            try {
                return EvpPkey.fromPem(pem.asSlice(0, buffer.position()), arena.allocateFrom(""));
            } catch (OpenSslException e) {
                throw new IOException("no private key in PEM: " + e.getMessage(), e);
            } finally {
                pem.fill((byte) 0);
            }
        }
    }

    /** Returns the fingerprint, which peers allow. */
    public KeyFingerprint fingerprint() {
        return fingerprint;
    }

    /** Returns the certificate with its key, which this object keeps. */
    public Identity identity() {
        return identity;
    }

    /** Frees the key, which channels made before keep as long as they need it. */
    @Override
    public void close() {
        identity.close();
    }
}
