package dev.sluice.gateway.acme;

import dev.sluice.config.acme.AcmeAccount;
import dev.sluice.config.acme.AcmeKeyType;
import dev.sluice.gateway.log.PlainCause;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A node's files and the fleet's document, brought to the same state: of two certificates for the same names the newer
 * one counts, wherever it is, so that neither a document that comes back nor one that is lost takes one away. The files
 * are what is served, and what is there without the store. May be used from any thread.
 */
final class SharedFiles {
    private static final String CERTIFICATE = "certificate ";
    private static final String FAILURE = "failure ";
    private static final String ACCOUNT = "account ";
    /** The pause after failures is shorter. */
    private static final Duration FAILURE_LIFE = Duration.ofDays(1);

    private static final String SERVER = "server";
    private static final String LOCATION = "account";
    private static final String UNTIL = "until";
    private static final String SEALED_KEY = "SLUICE SEALED PRIVATE KEY";

    private final StateFiles files;
    private final Fleet fleet;

    private SharedFiles(StateFiles files, Fleet fleet) {
        this.files = files;
        this.fleet = fleet;
    }

    /** Returns those of a fleet; null for files that no fleet shares. */
    static @Nullable SharedFiles of(StateFiles files) {
        Fleet fleet = files.fleet();
        return fleet == null ? null : new SharedFiles(files, fleet);
    }

    /** Returns true for an entry that concerns the orders of other nodes too. */
    static boolean isOfOrders(String entry) {
        return entry.startsWith(CERTIFICATE) || entry.startsWith(FAILURE);
    }

    /** Returns the document without certificates that have expired, and failures that nobody repeats. */
    static FleetDocument current(FleetDocument document, Instant time) {
        return document.filtered((name, text) -> switch (name.substring(0, name.indexOf(' ') + 1)) {
            case CERTIFICATE -> isAfter(text, UNTIL, time);
            case FAILURE -> isAfter(text, FailureFile.NEXT, time.minus(FAILURE_LIFE));
            default -> true;
        });
    }

    private static boolean isAfter(String text, String line, Instant time) {
        try {
            return Instant.parse(new PemText(text).line(line)).isAfter(time);
        } catch (DateTimeParseException unreadable) {
            return false;
        }
    }

    /**
     * Reads the document, and brings the files of an order up to date, or the document.
     *
     * @return true when another node's certificate is in the files now
     */
    boolean refresh(ManagedCertificate.Order order) throws IOException, AcmeFailure, InterruptedException {
        FleetDocument document = fleet.store().read();
        try {
            refresh(order.config().account(), document);
            refreshFailure(order, document);
            return refreshCertificate(order, document);
        } catch (GeneralSecurityException e) {
            throw new AcmeFailure(
                    "an entry in the ACME state of " + fleet.store() + " cannot be used (" + PlainCause.of(e)
                            + "); see whether all nodes have the same version",
                    e);
        }
    }

    // --- certificates -----------------------------------------------------------------------------------------------

    private boolean refreshCertificate(ManagedCertificate.Order order, FleetDocument document)
            throws IOException, AcmeFailure, GeneralSecurityException, InterruptedException {
        KeptCertificate own = own(order);
        String text = document.get(CERTIFICATE + order.entry());
        KeptCertificate shared = text == null ? null : shared(new PemText(text));
        boolean isOwnWanted = own != null && order.wants(own);
        if (text != null && shared != null && (!isOwnWanted || isNewer(shared, Objects.requireNonNull(own)))) {
            take(order, shared, new PemText(text));
            return true;
        }
        if (isOwnWanted && (shared == null || isNewer(Objects.requireNonNull(own), shared))) {
            publish(order);
        }
        return false;
    }

    /** Returns the certificate in the files; null when there is none, or none that can be used. */
    private @Nullable KeptCertificate own(ManagedCertificate.Order order) throws IOException {
        try {
            return files.certificate(order.name(), order.type());
        } catch (AcmeFailure unusable) {
            return null; // reported when it is looked at
        }
    }

    private static KeptCertificate shared(PemText text) throws GeneralSecurityException {
        return new KeptCertificate(text.line(SERVER), text.chain());
    }

    private static boolean isNewer(KeptCertificate one, KeptCertificate other) throws GeneralSecurityException {
        X509Certificate leaf = one.leaf();
        X509Certificate otherLeaf = other.leaf();
        int begins = leaf.getNotBefore()
                .toInstant()
                .compareTo(otherLeaf.getNotBefore().toInstant());
        // All nodes must choose the same one.
        return begins > 0 || (begins == 0 && Arrays.compareUnsigned(leaf.getEncoded(), otherLeaf.getEncoded()) > 0);
    }

    private void take(ManagedCertificate.Order order, KeptCertificate shared, PemText text)
            throws IOException, AcmeFailure, GeneralSecurityException, InterruptedException {
        byte[] pkcs8 = fleet.store().open(text.block(SEALED_KEY));
        try {
            PrivateKey key = PemText.pair(order.type().algorithm(), pkcs8, null).getPrivate();
            StateFiles.requireBelong(key, shared.leaf().getPublicKey(), order.type());
            files.keep(order.name(), order.type(), shared, key);
        } finally {
            Arrays.fill(pkcs8, (byte) 0);
        }
    }

    /** Puts the certificate of the files into the document. */
    void publish(ManagedCertificate.Order order)
            throws IOException, AcmeFailure, GeneralSecurityException, InterruptedException {
        KeptCertificate own = files.certificate(order.name(), order.type());
        if (own == null) {
            return;
        }
        List<X509Certificate> chain = own.chain();
        byte[] pkcs8 = files.privateKey(order.name(), order.type());
        try {
            String text = new PemText.Builder()
                    .line(SERVER, own.server())
                    .line(UNTIL, own.notAfter().toString())
                    .chain(chain)
                    .block(SEALED_KEY, fleet.store().seal(pkcs8))
                    .build();
            put(CERTIFICATE + order.entry(), text);
        } finally {
            Arrays.fill(pkcs8, (byte) 0);
        }
    }

    private void put(String entry, @Nullable String text) throws AcmeFailure, InterruptedException {
        fleet.store().change((document, time) -> current(document.with(entry, text), time));
    }

    // --- failures ---------------------------------------------------------------------------------------------------

    private void refreshFailure(ManagedCertificate.Order order, FleetDocument document) throws IOException {
        String text = document.get(FAILURE + order.entry());
        Path file = files.failures(order.name(), order.type());
        if (text == null) {
            FailureFile.remove(file);
        } else if (!text.equals(text(file))) {
            StateFiles.write(file, text);
        }
    }

    /** Puts the failures of the files, or that there are none, into the document. */
    void publishFailure(ManagedCertificate.Order order) throws IOException, AcmeFailure, InterruptedException {
        put(FAILURE + order.entry(), text(files.failures(order.name(), order.type())));
    }

    private static @Nullable String text(Path file) throws IOException {
        PemText text = StateFiles.read(file);
        return text == null ? null : text.text();
    }

    // --- accounts ---------------------------------------------------------------------------------------------------

    /** Takes the account of the document, or puts that of the files there. */
    void refresh(AcmeAccount account) throws IOException, AcmeFailure, GeneralSecurityException, InterruptedException {
        refresh(account, fleet.store().read());
    }

    private void refresh(AcmeAccount account, FleetDocument document)
            throws IOException, AcmeFailure, GeneralSecurityException, InterruptedException {
        String text = document.get(ACCOUNT + StateFiles.stem(account));
        if (text != null) {
            take(account, new PemText(text));
            return;
        }
        StateFiles.Account own = usable(account);
        if (own != null && !own.location().isEmpty()) {
            publish(account, own);
        }
    }

    /** Returns the account in the files; null when there is none, or none that can be used. */
    private StateFiles.@Nullable Account usable(AcmeAccount account) throws IOException {
        try {
            return files.account(account);
        } catch (AcmeFailure unusable) {
            return null; // reported when it is needed
        }
    }

    private void take(AcmeAccount account, PemText text)
            throws IOException, AcmeFailure, GeneralSecurityException, InterruptedException {
        byte[] open = text.block(PemText.PUBLIC_KEY);
        if (isOwn(account, open, text.line(LOCATION))) {
            return;
        }
        byte[] pkcs8 = fleet.store().open(text.block(SEALED_KEY));
        try {
            KeyPair key = PemText.pair(AcmeKeyType.ECDSA.algorithm(), pkcs8, open);
            files.keep(account, new StateFiles.Account(key, text.line(LOCATION)));
        } finally {
            Arrays.fill(pkcs8, (byte) 0);
        }
    }

    private boolean isOwn(AcmeAccount account, byte[] open, String location) throws IOException {
        StateFiles.Account own = usable(account);
        return own != null
                && own.location().equals(location)
                && Arrays.equals(own.key().getPublic().getEncoded(), open);
    }

    /** Puts an account into the document. */
    void publish(AcmeAccount account, StateFiles.Account own) throws IOException, AcmeFailure, InterruptedException {
        byte[] pkcs8 = own.key().getPrivate().getEncoded();
        try {
            String text = new PemText.Builder()
                    .line(SERVER, account.directory().toString())
                    .line(LOCATION, own.location())
                    .block(SEALED_KEY, fleet.store().seal(pkcs8))
                    .block(PemText.PUBLIC_KEY, own.key().getPublic().getEncoded())
                    .build();
            put(ACCOUNT + StateFiles.stem(account), text);
        } finally {
            Arrays.fill(pkcs8, (byte) 0);
        }
    }
}
