package dev.sluice.gateway.acme;

import dev.sluice.config.acme.AcmeAccount;
import dev.sluice.config.acme.ExternalAccount;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.shredzone.acme4j.AccountBuilder;
import org.shredzone.acme4j.Login;
import org.shredzone.acme4j.Session;
import org.shredzone.acme4j.exception.AcmeException;

/**
 * The account of one conversation: the kept one, or a new one. All that share the files share it; one of them makes it,
 * and those that need the same one wait. Confined to one thread.
 */
final class AccountLogin {
    /** Whoever makes an account asks the server for its directory, for a nonce, perhaps twice, and for the account. */
    private static final Duration WAIT_MAX = ServerConnector.REQUEST_LIMIT.multipliedBy(5);

    private final AcmeAccount account;
    private final StateFiles files;
    private final @Nullable SharedFiles shared;
    private final Session session;

    AccountLogin(AcmeAccount account, StateFiles files, Session session) {
        this.account = account;
        this.files = files;
        this.shared = SharedFiles.of(files);
        this.session = session;
    }

    /** Returns the kept account's; makes one when there is none. */
    Login open() throws AcmeException, AcmeFailure, IOException, GeneralSecurityException, InterruptedException {
        Login known = kept();
        if (known != null) {
            return known;
        }
        try (Lease _ = files.lease(account, WAIT_MAX)) {
            if (shared != null) {
                shared.refresh(account);
            }
            Login meanwhile = kept();
            return meanwhile == null ? registered(key()) : meanwhile;
        }
    }

    private @Nullable Login kept() throws AcmeFailure, IOException {
        StateFiles.Account kept = files.account(account);
        return kept == null || kept.location().isEmpty()
                ? null
                : session.login(URI.create(kept.location()).toURL(), kept.key());
    }

    /** Returns the key of an account that was begun; makes one when there is none. */
    private KeyPair key() throws AcmeFailure, IOException, GeneralSecurityException {
        StateFiles.Account begun = files.account(account);
        if (begun != null) {
            return begun.key();
        }
        KeyPair key = newKey();
        // First on disk: an account whose key is lost cannot be used again.
        files.keep(account, new StateFiles.Account(key, ""));
        return key;
    }

    /** Makes the account again, of the same key, after the server has said that it knows none. */
    Login openAgain() throws AcmeException, AcmeFailure, IOException, GeneralSecurityException, InterruptedException {
        try (Lease _ = files.lease(account, WAIT_MAX)) {
            return registered(key());
        }
    }

    private Login registered(KeyPair key)
            throws AcmeException, AcmeFailure, IOException, GeneralSecurityException, InterruptedException {
        Login login = register(key);
        StateFiles.Account made =
                new StateFiles.Account(key, login.getAccountLocation().toString());
        files.keep(account, made);
        if (shared != null) {
            shared.publish(account, made);
        }
        return login;
    }

    private static KeyPair newKey() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    private Login register(KeyPair key) throws AcmeException, IOException {
        AccountBuilder builder = new AccountBuilder().agreeToTermsOfService().useKeyPair(key);
        if (account.email() != null) {
            builder.addEmail(account.email());
        }
        ExternalAccount external = account.external();
        if (external != null) {
            String mac = Files.readString(external.keyFile(), StandardCharsets.US_ASCII);
            builder.withKeyIdentifier(external.keyId(), mac.strip());
        }
        return builder.createLogin(session);
    }
}
