package dev.sluice.gateway.acme;

import dev.sluice.config.acme.AcmeAccount;
import dev.sluice.config.acme.AcmeKeyType;
import dev.sluice.config.acme.AcmeStorage;
import dev.sluice.config.acme.ExternalAccount;
import dev.sluice.gateway.log.PlainCause;
import dev.sluice.gateway.tickets.PrivateFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The directory with account keys and certificates: files of mode 0600, private keys encrypted, each replaced in one
 * step. Several processes may share it.
 */
final class StateFiles {
    private static final long FILE_BYTES_MAX = 256 * 1024;
    private static final String SERVER = "server";
    private static final String LOCATION = "account";
    private static final byte[] PROBE = {1};

    /** The pause between two tries of one who waits for another node. */
    private static final Duration FLEET_POLL = Duration.ofMillis(250);

    /** The names of files that are being written: in a moment they get another, or are deleted. */
    private static final Pattern UNFINISHED = Pattern.compile(".+\\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    /** The age from which nobody is writing such a file: who did was killed. */
    private static final Duration UNFINISHED_AGE = Duration.ofMinutes(10);

    private final AcmeStorage storage;
    private final @Nullable Fleet fleet;

    StateFiles(AcmeStorage storage) {
        this(storage, null);
    }

    /**
     * Creates the files of a directory.
     *
     * @param fleet the nodes that have the same in directories of theirs; null: none
     */
    StateFiles(AcmeStorage storage, @Nullable Fleet fleet) {
        this.storage = storage;
        this.fleet = fleet;
    }

    /** Returns the nodes that have the same in directories of theirs; null: none. */
    @Nullable
    Fleet fleet() {
        return fleet;
    }

    /** A key of an account, and where the server keeps the account. */
    record Account(KeyPair key, String location) {}

    /**
     * Makes the directory, unless somebody has, and deletes what writers that were killed have left in it.
     *
     * @throws AcmeFailure when others could exchange its files
     */
    void prepare() throws IOException, AcmeFailure {
        Path directory = storage.directory();
        Path parent = directory.getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        try {
            Files.createDirectory(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (FileAlreadyExistsException another) {
            if (!Files.isDirectory(directory)) {
                throw another;
            }
        }
        boolean isOpen = Files.getPosixFilePermissions(directory).stream()
                .anyMatch(each -> each == PosixFilePermission.GROUP_WRITE || each == PosixFilePermission.OTHERS_WRITE);
        if (isOpen) {
            throw new AcmeFailure("acme.state " + directory
                    + " can be written by others, who could exchange certificates; chmod 700 it");
        }
        deleteUnfinished(directory);
    }

    private static void deleteUnfinished(Path directory) throws IOException {
        FileTime oldest = FileTime.from(Instant.now().minus(UNFINISHED_AGE));
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, StateFiles::isUnfinished)) {
            for (Path file : files) {
                try {
                    if (Files.getLastModifiedTime(file).compareTo(oldest) < 0) {
                        Files.deleteIfExists(file);
                    }
                } catch (NoSuchFileException done) {
                    // Its writer, or another process that does the same, was faster.
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    private static boolean isUnfinished(Path file) {
        return UNFINISHED.matcher(file.getFileName().toString()).matches();
    }

    // --- certificates -----------------------------------------------------------------------------------------------

    /**
     * Returns the certificate that is kept; null when there is none.
     *
     * @throws AcmeFailure when there is one that cannot be used
     */
    @Nullable
    KeptCertificate certificate(String name, AcmeKeyType type) throws IOException, AcmeFailure {
        Path file = storage.certificate(name, type);
        PemText text = read(file);
        if (text == null) {
            return null;
        }
        byte[] pkcs8 = {};
        try (SealKey seal = SealKey.readOrMake(storage.sealKey())) {
            List<X509Certificate> chain = text.chain();
            pkcs8 = seal.decrypt(text.block(PemText.ENCRYPTED_KEY));
            PrivateKey key = PemText.pair(type.algorithm(), pkcs8, null).getPrivate();
            requireBelong(key, chain.getFirst().getPublicKey(), type);
            return new KeptCertificate(text.line(SERVER), chain);
        } catch (GeneralSecurityException | IOException e) {
            throw new AcmeFailure(
                    "kept certificate " + file + " is not used (" + PlainCause.of(e)
                            + "); a new one is ordered, if seal-key is the" + " wrong one, put the right one back",
                    e);
        } finally {
            Arrays.fill(pkcs8, (byte) 0);
        }
    }

    /** Requires a private key to be that of a public one. */
    static void requireBelong(PrivateKey key, PublicKey open, AcmeKeyType type) throws GeneralSecurityException {
        Signature signature = Signature.getInstance(type == AcmeKeyType.RSA ? "SHA256withRSA" : "SHA256withECDSA");
        signature.initSign(key);
        signature.update(PROBE);
        byte[] signed = signature.sign();
        signature.initVerify(open);
        signature.update(PROBE);
        if (!signature.verify(signed)) {
            throw new GeneralSecurityException("the key is another certificate's");
        }
    }

    /** Returns the private key of a certificate that is kept, PKCS #8; the caller wipes it. */
    byte[] privateKey(String name, AcmeKeyType type) throws IOException, AcmeFailure, GeneralSecurityException {
        PemText text = read(storage.certificate(name, type));
        if (text == null) {
            throw new NoSuchFileException(storage.certificate(name, type).toString());
        }
        try (SealKey seal = SealKey.readOrMake(storage.sealKey())) {
            return seal.decrypt(text.block(PemText.ENCRYPTED_KEY));
        }
    }

    /** Keeps a certificate. */
    void keep(String name, AcmeKeyType type, KeptCertificate issued, PrivateKey key)
            throws IOException, AcmeFailure, GeneralSecurityException {
        PemText.Builder text = new PemText.Builder()
                .line(SERVER, issued.server())
                .chain(issued.chain())
                .block(PemText.ENCRYPTED_KEY, encrypted(key));
        write(storage.certificate(name, type), text.build());
    }

    private byte[] encrypted(PrivateKey key) throws IOException, AcmeFailure, GeneralSecurityException {
        byte[] pkcs8 = key.getEncoded();
        try (SealKey seal = SealKey.readOrMake(storage.sealKey())) {
            return seal.encrypt(pkcs8);
        } finally {
            Arrays.fill(pkcs8, (byte) 0);
        }
    }

    // --- accounts ---------------------------------------------------------------------------------------------------

    /**
     * Returns the account that is kept; null when there is none.
     *
     * @throws AcmeFailure when there is one that cannot be used
     */
    @Nullable
    Account account(AcmeAccount account) throws IOException, AcmeFailure {
        Path file = file(account);
        PemText text = read(file);
        if (text == null) {
            return null;
        }
        byte[] pkcs8 = {};
        try (SealKey seal = SealKey.readOrMake(storage.sealKey())) {
            pkcs8 = seal.decrypt(text.block(PemText.ENCRYPTED_KEY));
            KeyPair key = PemText.pair(AcmeKeyType.ECDSA.algorithm(), pkcs8, text.block(PemText.PUBLIC_KEY));
            return new Account(key, text.line(LOCATION));
        } catch (GeneralSecurityException e) {
            throw new AcmeFailure(
                    "account key " + file + " cannot be used (" + PlainCause.of(e)
                            + "); put the seal-key back that it was encrypted by, or remove the file for a new account",
                    e);
        } finally {
            Arrays.fill(pkcs8, (byte) 0);
        }
    }

    /** Keeps an account. */
    void keep(AcmeAccount account, Account kept) throws IOException, AcmeFailure, GeneralSecurityException {
        PemText.Builder text = new PemText.Builder()
                .line(SERVER, account.directory().toString())
                .line(LOCATION, kept.location())
                .block(PemText.ENCRYPTED_KEY, encrypted(kept.key().getPrivate()))
                .block(PemText.PUBLIC_KEY, kept.key().getPublic().getEncoded());
        write(file(account), text.build());
    }

    /** Returns the right to make an account, as soon as nobody else has it, of this fleet either. */
    Lease lease(AcmeAccount account, Duration limit) throws IOException, AcmeFailure, InterruptedException {
        Lease own = lease(stem(account), limit);
        try {
            return fleet == null ? own : own.with(release(fleet, stem(account), limit));
        } catch (Throwable e) {
            own.close();
            throw e;
        }
    }

    private static Runnable release(Fleet fleet, String what, Duration limit) throws AcmeFailure, InterruptedException {
        long begin = System.nanoTime();
        Runnable release = fleet.lease(what);
        while (release == null) {
            if (System.nanoTime() - begin >= limit.toNanos()) {
                throw new AcmeFailure("another node has had " + what + " in the ACME state of " + fleet.store()
                        + " for more than " + limit.toSeconds() + " s; see its log");
            }
            Thread.sleep(FLEET_POLL);
            release = fleet.lease(what);
        }
        return release;
    }

    private Path file(AcmeAccount account) {
        return storage.directory().resolve(stem(account) + ".pem");
    }

    /** Returns the name of an account in files and in the fleet. */
    static String stem(AcmeAccount account) {
        ExternalAccount external = account.external();
        return "account." + shortHash(account.directory() + "\n" + (external == null ? "" : external.keyId()));
    }

    /** Returns 16 hexadecimal digits that stand for a text. */
    static String shortHash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, 8);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    // --- failures and orders ----------------------------------------------------------------------------------------

    /** Returns the file that tells of failed attempts. */
    Path failures(String name, AcmeKeyType type) {
        return storage.directory().resolve(name + "." + type.word() + ".failed");
    }

    /** Returns the file with the times of orders. */
    Path orders() {
        return storage.directory().resolve("orders");
    }

    /**
     * Returns the right to do something alone; null when somebody else has it, of this fleet either.
     *
     * @param fleetWhat what it is among all nodes
     */
    @Nullable
    Lease lease(String what, String fleetWhat) throws IOException, AcmeFailure, InterruptedException {
        Lease own = Lease.attempt(storage.directory(), lock(what));
        if (own == null || fleet == null) {
            return own;
        }
        Runnable release = null;
        try {
            release = fleet.lease(fleetWhat);
        } finally {
            if (release == null) {
                own.close();
            }
        }
        return release == null ? null : own.with(release);
    }

    /** Returns the right to do something alone on this machine, as soon as nobody else has it. */
    Lease lease(String what, Duration limit) throws IOException, AcmeFailure, InterruptedException {
        return Lease.await(storage.directory(), lock(what), limit);
    }

    private static String lock(String what) {
        return what + ".lock";
    }

    // --- texts ------------------------------------------------------------------------------------------------------

    /** Returns a file's text, whatever bytes it has; null when there is no file. */
    static @Nullable PemText read(Path file) throws IOException {
        try {
            if (Files.size(file) > FILE_BYTES_MAX) {
                throw new IOException(file + " has more than " + FILE_BYTES_MAX + " bytes");
            }
            return new PemText(new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
        } catch (NoSuchFileException none) {
            return null;
        }
    }

    /** Writes a file in one step, whoever else writes it. */
    static void write(Path file, String text) throws IOException {
        Path whole = file.resolveSibling(file.getFileName() + "." + UUID.randomUUID());
        try {
            PrivateFile.create(whole, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
            Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(whole);
        }
    }
}
