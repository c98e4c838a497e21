package dev.sluice.cli.demo;

import dev.sluice.config.certificate.KeyPairFiles;
import dev.sluice.ffi.openssl.EvpPkey;
import dev.sluice.ffi.openssl.OpenSslException;
import dev.sluice.ffi.openssl.SelfSignedCertificate;
import dev.sluice.ffi.openssl.X509;
import dev.sluice.ffi.openssl.raw.OpenSsl;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.failure.TlsConfigurationException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * A self-signed ECDSA P-256 certificate for experiments on this machine, stored in a directory and reused until shortly
 * before its expiry. No client trusts it by default.
 *
 * @param chainFile PEM: the certificate, which is also the authority for clients to trust
 * @param keyFile PEM: the private key, readable by its owner only
 * @param sha256 the certificate's fingerprint: 64 hexadecimal digits in pairs with colons
 * @param notBefore the first moment of validity
 * @param notAfter the last moment of validity
 * @param created true if it was created by this call
 */
public record DevelopmentCertificate(
        Path chainFile, Path keyFile, String sha256, Instant notBefore, Instant notAfter, boolean created) {
    /** The default subject alternative names. */
    static final List<String> DEFAULT_HOSTS = List.of("localhost", "127.0.0.1", "::1");

    /** The shortest accepted validity in days. */
    public static final int MIN_DAYS = 90;

    /** The longest accepted validity in days: browsers reject more than 398. */
    public static final int MAX_DAYS = 397;

    /** The remaining validity below which it is replaced. */
    static final Duration RENEW_BEFORE_END = Duration.ofDays(30);

    private static final String CHAIN_FILE = "development.pem";
    private static final String KEY_FILE = "development.key";
    private static final String COMMON_NAME = "Sluice development certificate";
    private static final Set<PosixFilePermission> DIRECTORY_MODE = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> KEY_MODE = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> CHAIN_MODE = PosixFilePermissions.fromString("rw-r--r--");

    /** Returns the certificate in a directory for {@link #DEFAULT_HOSTS}; created for {@link #MAX_DAYS} if absent. */
    public static DevelopmentCertificate in(Path directory) {
        return in(directory, DEFAULT_HOSTS, MAX_DAYS);
    }

    /**
     * Returns the certificate in a directory; created if it is absent, has fewer than 30 days left, or does not match
     * its key.
     *
     * @param directory created with access for its owner only, if absent
     * @param hosts DNS names and IP addresses of a new certificate
     * @param days validity of a new certificate
     * @throws TlsConfigurationException when the directory cannot be written
     */
    static DevelopmentCertificate in(Path directory, List<String> hosts, int days) {
        if (days < MIN_DAYS || days > MAX_DAYS || hosts.isEmpty()) {
            throw new TlsConfigurationException("a development certificate requires hosts and " + MIN_DAYS + " to "
                    + MAX_DAYS + " days, hosts=" + hosts + ", days=" + days);
        }
        OpenSsl.require();
        Path chainFile = directory.resolve(CHAIN_FILE);
        Path keyFile = directory.resolve(KEY_FILE);
        boolean usable = isUsable(chainFile, keyFile);
        if (!usable) {
            create(directory, hosts, days);
        }
        X509Certificate certificate = read(chainFile);
        return new DevelopmentCertificate(
                chainFile,
                keyFile,
                KeyPairFiles.fingerprint(certificate),
                certificate.getNotBefore().toInstant(),
                certificate.getNotAfter().toInstant(),
                !usable);
    }

    private static X509Certificate read(Path chainFile) {
        try (InputStream pem = Files.newInputStream(chainFile)) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(pem);
        } catch (IOException | CertificateException e) {
            throw new TlsConfigurationException(
                    "cannot read development certificate " + chainFile + ", cause: " + e, e);
        }
    }

    private static boolean isUsable(Path chainFile, Path keyFile) {
        if (!Files.exists(chainFile) || !Files.exists(keyFile)) {
            return false;
        }
        try (TlsContext trial =
                TlsContext.server().certificate(chainFile, keyFile).build()) {
            return !trial.certificates().isEmpty() && !isNearItsEnd(chainFile);
        } catch (TlsConfigurationException e) {
            return false;
        }
    }

    private static boolean isNearItsEnd(Path chainFile) {
        return read(chainFile).getNotAfter().toInstant().isBefore(Instant.now().plus(RENEW_BEFORE_END));
    }

    private static void create(Path directory, List<String> hosts, int days) {
        byte[] keyPem = null;
        try (EvpPkey key = EvpPkey.generateElliptic("P-256");
                X509 certificate = SelfSignedCertificate.make(key, COMMON_NAME, hosts, Duration.ofDays(days))) {
            keyPem = key.toPem();
            makeDirectory(directory);
            write(directory.resolve(KEY_FILE), keyPem, KEY_MODE);
            write(directory.resolve(CHAIN_FILE), certificate.toPem(), CHAIN_MODE);
        } catch (OpenSslException e) {
            throw new TlsConfigurationException(
                    "cannot create a development certificate for " + hosts + ": " + e.getMessage()
                            + "; use DNS names and IP addresses",
                    e);
        } catch (IOException e) {
            throw new TlsConfigurationException(
                    "cannot write a development certificate to " + directory + ", cause: " + e
                            + "; grant this process's user write access, or use another state directory",
                    e);
        } finally {
            if (keyPem != null) {
                Arrays.fill(keyPem, (byte) 0);
            }
        }
    }

    private static void makeDirectory(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            Files.createDirectories(directory, PosixFilePermissions.asFileAttribute(DIRECTORY_MODE));
        }
    }

    /** Writes a file atomically and with its final permissions. */
    private static void write(Path file, byte[] content, Set<PosixFilePermission> mode) throws IOException {
        FileAttribute<?> permissions = PosixFilePermissions.asFileAttribute(mode);
        Path next = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(next);
        try {
            Files.createFile(next, permissions);
        } catch (FileAlreadyExistsException e) {
            throw new IOException("another process is writing " + next + "; start one at a time", e);
        }
        Files.write(next, content);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
