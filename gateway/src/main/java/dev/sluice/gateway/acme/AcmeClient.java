package dev.sluice.gateway.acme;

import dev.sluice.config.acme.AcmeAccount;
import dev.sluice.config.acme.AcmeConfig;
import dev.sluice.gateway.log.ForeignText;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.jspecify.annotations.Nullable;
import org.shredzone.acme4j.Authorization;
import org.shredzone.acme4j.Login;
import org.shredzone.acme4j.Order;
import org.shredzone.acme4j.OrderBuilder;
import org.shredzone.acme4j.RenewalInfo;
import org.shredzone.acme4j.Session;
import org.shredzone.acme4j.Status;
import org.shredzone.acme4j.connector.Resource;
import org.shredzone.acme4j.exception.AcmeException;
import org.shredzone.acme4j.exception.AcmeServerException;
import org.shredzone.acme4j.util.CSRBuilder;

/**
 * A conversation with an ACME server: one order, or a question about a renewal. Blocks, each request for a limited
 * time. Confined to one thread.
 */
final class AcmeClient implements AutoCloseable {
    /** A suggested window is asked for again within these bounds: RFC 9773 section 4.3. */
    private static final Duration LOOK_MIN = Duration.ofMinutes(1);

    private static final Duration LOOK_MAX = Duration.ofDays(1);

    /** An answer of the authority that another order has replaced the certificate already: RFC 9773 section 5. */
    private static final String ALREADY_REPLACED = "alreadyReplaced";

    /** An answer to those whose account the server has forgotten: RFC 8555 section 6.7. */
    private static final String UNKNOWN_ACCOUNT = "accountDoesNotExist";

    private final AcmeAccount account;
    private final @Nullable Fleet fleet;
    private final Session session;
    private final AccountLogin login;
    private final ServerFailures failures;

    private AcmeClient(AcmeAccount account, StateFiles files, Session session) {
        this.account = account;
        this.fleet = files.fleet();
        this.session = session;
        this.login = new AccountLogin(account, files, session);
        this.failures = new ServerFailures(account);
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
            AcmeConfig order, KeyPair key, @Nullable X509Certificate replaced, ManagedCertificate.Surroundings around)
            throws AcmeFailure, InterruptedException {
        Duration limit = around.times().step();
        try {
            Order placed = place(order, replaced, around.log());
            try (Proofs proofs = new Proofs(order, around, fleet)) {
                for (Authorization authorization : placed.getAuthorizations()) {
                    proofs.add(authorization);
                }
                proofs.prove();
            }
            require(placed, Status.READY, limit);
            placed.execute(request(order, key));
            require(placed, Status.VALID, limit);
            return placed.getCertificate().getCertificateChain();
        } catch (AcmeException | IOException | GeneralSecurityException | RuntimeException e) {
            throw failures.of(e);
        }
    }

    private Order place(AcmeConfig order, @Nullable X509Certificate replaced, AcmeLog log)
            throws AcmeException, AcmeFailure, IOException, GeneralSecurityException, InterruptedException {
        Login known = login.open();
        try {
            return place(known, order, replaced);
        } catch (AcmeServerException e) {
            if (!ServerFailures.isProblem(e, UNKNOWN_ACCOUNT)) {
                throw e;
            }
            log.warn(account.directory().getHost() + " does not know its account "
                    + ForeignText.cut(known.getAccountLocation().toString())
                    + "; another one is made with the same key");
            return place(login.openAgain(), order, replaced);
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
            if (!ServerFailures.isProblem(e, ALREADY_REPLACED)) {
                throw e;
            }
            return builder(login, order).create();
        }
    }

    private static OrderBuilder builder(Login login, AcmeConfig order) {
        OrderBuilder builder = login.newOrder().domains(order.names());
        return order.profile() == null ? builder : builder.profile(order.profile());
    }

    /** Makes the request from the names of the configuration: not from those that the server says were ordered. */
    private static PKCS10CertificationRequest request(AcmeConfig order, KeyPair key) throws IOException {
        CSRBuilder request = new CSRBuilder();
        request.addDomains(order.names());
        request.sign(key);
        return request.getCSR();
    }

    /** Waits until an order has a status. */
    private static void require(Order order, Status required, Duration limit)
            throws AcmeException, AcmeFailure, InterruptedException {
        Status status;
        try {
            status = required == Status.READY ? order.waitUntilReady(limit) : order.waitForCompletion(limit);
        } catch (AcmeException e) {
            if (!ServerFailures.isTimeLimit(e)) {
                throw e;
            }
            throw new AcmeFailure(
                    "the server did not get on with the order for " + limit.toSeconds() + " s (its status is "
                            + order.getStatus() + "); see whether the server works, or wait",
                    e);
        }
        if (status != required && status != Status.VALID) {
            String why =
                    order.getError().map(Object::toString).map(ForeignText::cut).orElse("no reason given");
            throw new AcmeFailure("the server has given up the order (" + status + ": " + why
                    + "); see whether it certifies these names");
        }
    }

    // --- renewals ---------------------------------------------------------------------------------------------------

    /** Returns the window that the server suggests for a renewal; null when it suggests none. */
    RenewalTimes.@Nullable Window window(X509Certificate certificate, Instant now)
            throws AcmeFailure, InterruptedException {
        try {
            if (session.resourceUrlOptional(Resource.RENEWAL_INFO).isEmpty()) {
                return null;
            }
            RenewalInfo info = login.open().bindRenewalInfo(certificate);
            Instant again = info.fetch().orElse(now.plus(LOOK_MAX));
            Instant earliest = now.plus(LOOK_MIN);
            Instant latest = now.plus(LOOK_MAX);
            Instant bounded = again.isBefore(earliest) ? earliest : again.isAfter(latest) ? latest : again;
            return new RenewalTimes.Window(info.getSuggestedWindowStart(), info.getSuggestedWindowEnd(), bounded);
        } catch (AcmeException | IOException | GeneralSecurityException | RuntimeException e) {
            throw failures.of(e);
        }
    }

    /** Closes its connections. */
    @Override
    public void close() {
        session.getHttpClient().shutdownNow();
    }
}
