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
import org.shredzone.acme4j.AccountBuilder;
import org.shredzone.acme4j.Login;
import org.shredzone.acme4j.Session;
import org.shredzone.acme4j.exception.AcmeException;

/** The account of one conversation: the kept one, or a new one. Confined to one thread. */
final class AccountLogin {
    /** Two conversations of a process must not make an account each. */
    private static final Object ACCOUNTS = new Object();

    private final AcmeAccount account;
    private final StateFiles files;
    private final Session session;

    AccountLogin(AcmeAccount account, StateFiles files, Session session) {
        this.account = account;
        this.files = files;
        this.session = session;
    }

    /** Returns the kept account's; makes one when there is none. */
    Login open() throws AcmeException, AcmeFailure, IOException, GeneralSecurityException {
        synchronized (ACCOUNTS) {
            StateFiles.Account kept = files.account(account);
            if (kept != null && !kept.location().isEmpty()) {
                return session.login(URI.create(kept.location()).toURL(), kept.key());
            }
            KeyPair key = kept == null ? newKey() : kept.key();
            if (kept == null) {
                // First on disk: an account whose key is lost cannot be used again.
                files.keep(account, new StateFiles.Account(key, ""));
            }
            return registered(key);
        }
    }

    /** Makes the account again, of the same key, after the server has said that it knows none. */
    Login openAgain() throws AcmeException, AcmeFailure, IOException, GeneralSecurityException {
        synchronized (ACCOUNTS) {
            StateFiles.Account kept = files.account(account);
            return registered(kept == null ? newKey() : kept.key());
        }
    }

    private Login registered(KeyPair key) throws AcmeException, AcmeFailure, IOException, GeneralSecurityException {
        Login login = register(key);
        files.keep(
                account, new StateFiles.Account(key, login.getAccountLocation().toString()));
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
