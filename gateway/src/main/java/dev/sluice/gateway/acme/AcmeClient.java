package dev.sluice.gateway.acme;

import dev.sluice.config.acme.AcmeAccount;
import dev.sluice.config.acme.AcmeConfig;
import dev.sluice.config.acme.ExternalAccount;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.shredzone.acme4j.AccountBuilder;
import org.shredzone.acme4j.Authorization;
import org.shredzone.acme4j.Login;
import org.shredzone.acme4j.Order;
import org.shredzone.acme4j.OrderBuilder;
import org.shredzone.acme4j.RenewalInfo;
import org.shredzone.acme4j.Session;
import org.shredzone.acme4j.Status;
import org.shredzone.acme4j.connector.Resource;
import org.shredzone.acme4j.exception.AcmeException;
import org.shredzone.acme4j.exception.AcmeRateLimitedException;
import org.shredzone.acme4j.exception.AcmeServerException;
import org.shredzone.acme4j.exception.AcmeUserActionRequiredException;

/**
 * A conversation with an ACME server: one order, or a question about a renewal. Blocks, each request for a limited
 * time. Confined to one thread.
 */
final class AcmeClient implements AutoCloseable {
    /** The time limit of an order between the last challenge and the certificate. */
    private static final Duration ORDER_LIMIT = Duration.ofMinutes(5);

    /** A suggested window is asked for again within these bounds: RFC 9773 section 4.3. */
    private static final Duration LOOK_MIN = Duration.ofMinutes(1);

    private static final Duration LOOK_MAX = Duration.ofDays(1);

    /** An answer of the authority that another order has replaced the certificate already: RFC 9773 section 5. */
    private static final String ALREADY_REPLACED = "urn:ietf:params:acme:error:alreadyReplaced";

    private static final Object ACCOUNTS = new Object();

    private final AcmeAccount account;
    private final StateFiles files;
    private final Session session;

    private AcmeClient(AcmeAccount account, StateFiles files, Session session) {
        this.account = account;
        this.files = files;
        this.session = session;
    }

    /** Prepares a conversation; nothing is sent yet. */
    static AcmeClient of(AcmeAccount account, StateFiles files) throws AcmeFailure {
        Acme4j.require();
        Session session = new Session(account.directory(), ServerConnector.of(account));
        session.networkSettings().setTimeout(ServerConnector.REQUEST_LIMIT);
        return new AcmeClient(account, files, session);
    }

    // --- orders -----------------------------------------------------------------------------------------------------

    /**
     * Orders a certificate.
     *
     * @param key certified
     * @param replaced the certificate that this one is to replace, from the same server; null: none
     * @return what the server has issued, unchecked, the certificate first
     */
    List<X509Certificate> order(
            AcmeConfig order, KeyPair key, @Nullable X509Certificate replaced, ChallengeBoard board, AcmeLog log)
            throws AcmeFailure, InterruptedException {
        try {
            Order placed = place(login(), order, replaced);
            try (Proofs proofs = new Proofs(order, board, log)) {
                for (Authorization authorization : placed.getAuthorizations()) {
                    proofs.add(authorization);
                }
                proofs.prove();
            }
            requireStatus(placed, placed.waitUntilReady(ORDER_LIMIT), Status.READY);
            placed.execute(key);
            requireStatus(placed, placed.waitForCompletion(ORDER_LIMIT), Status.VALID);
            return placed.getCertificate().getCertificateChain();
        } catch (AcmeException | IOException | GeneralSecurityException | RuntimeException e) {
            throw failed(e);
        }
    }

    private Order place(Login login, AcmeConfig order, @Nullable X509Certificate replaced) throws AcmeException {
        boolean tells = replaced != null
                && session.resourceUrlOptional(Resource.RENEWAL_INFO).isPresent();
        if (!tells) {
            return builder(login, order).create();
        }
        try {
            return builder(login, order).replaces(replaced).create();
        } catch (AcmeServerException e) {
            if (!ALREADY_REPLACED.equals(String.valueOf(e.getType()))) {
                throw e;
            }
            return builder(login, order).create();
        }
    }

    private static OrderBuilder builder(Login login, AcmeConfig order) {
        OrderBuilder builder = login.newOrder().domains(order.names());
        return order.profile() == null ? builder : builder.profile(order.profile());
    }

    private static void requireStatus(Order order, Status status, Status required) throws AcmeFailure {
        if (status != required && status != Status.VALID) {
            String why = order.getError().map(Object::toString).orElse("no reason given");
            throw new AcmeFailure("the order became " + status + " (" + why + ")");
        }
    }

    // --- the account ------------------------------------------------------------------------------------------------

    private Login login() throws AcmeException, AcmeFailure, IOException, GeneralSecurityException {
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
            Login login = register(key);
            files.keep(
                    account,
                    new StateFiles.Account(key, login.getAccountLocation().toString()));
            return login;
        }
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

    // --- renewals ---------------------------------------------------------------------------------------------------

    /** Returns the window that the server suggests for a renewal; null when it suggests none. */
    RenewalTimes.@Nullable Window window(X509Certificate certificate, Instant now) throws AcmeFailure {
        try {
            if (session.resourceUrlOptional(Resource.RENEWAL_INFO).isEmpty()) {
                return null;
            }
            RenewalInfo info = login().bindRenewalInfo(certificate);
            Instant again = info.fetch().orElse(now.plus(LOOK_MAX));
            Instant earliest = now.plus(LOOK_MIN);
            Instant latest = now.plus(LOOK_MAX);
            Instant bounded = again.isBefore(earliest) ? earliest : again.isAfter(latest) ? latest : again;
            return new RenewalTimes.Window(info.getSuggestedWindowStart(), info.getSuggestedWindowEnd(), bounded);
        } catch (AcmeException | IOException | GeneralSecurityException | RuntimeException e) {
            throw failed(e);
        }
    }

    // --- failures ---------------------------------------------------------------------------------------------------

    private AcmeFailure failed(Exception e) {
        String server = account.directory().getHost();
        if (e instanceof AcmeRateLimitedException limited) {
            return new AcmeFailure(
                    server + " limits the rate (" + limited.getMessage() + "); wait, or order fewer certificates",
                    e,
                    limited.getRetryAfter().orElse(null));
        }
        if (e instanceof AcmeUserActionRequiredException terms) {
            return new AcmeFailure(
                    server + " wants its terms of service agreed to again (" + terms.getMessage() + "); read them", e);
        }
        return new AcmeFailure(server + ": " + causes(e), e);
    }

    /** Returns the messages of an exception and its causes, each once. */
    private static String causes(Throwable e) {
        StringBuilder text = new StringBuilder(message(e));
        for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
            if (text.indexOf(message(cause)) < 0) {
                text.append(", ").append(message(cause));
            }
        }
        return text.toString();
    }

    private static String message(Throwable e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    /** Closes its connections. */
    @Override
    public void close() {
        session.getHttpClient().shutdownNow();
    }
}
