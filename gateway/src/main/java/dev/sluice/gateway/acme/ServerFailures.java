package dev.sluice.gateway.acme;

import dev.sluice.config.acme.AcmeAccount;
import dev.sluice.gateway.log.PlainCause;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLException;
import org.shredzone.acme4j.exception.AcmeException;
import org.shredzone.acme4j.exception.AcmeNetworkException;
import org.shredzone.acme4j.exception.AcmeProtocolException;
import org.shredzone.acme4j.exception.AcmeRateLimitedException;
import org.shredzone.acme4j.exception.AcmeServerException;
import org.shredzone.acme4j.exception.AcmeUserActionRequiredException;

/** A translator of the library's exceptions: what is wrong with which server, and what to do about it. Immutable. */
final class ServerFailures {
    private static final String ERROR = "urn:ietf:params:acme:error:";

    private final AcmeAccount account;

    ServerFailures(AcmeAccount account) {
        this.account = account;
    }

    /** Returns true for a server's answer of one type, as RFC 8555 section 6.7 lists them. */
    static boolean isProblem(Throwable e, String type) {
        AcmeServerException problem = PlainCause.find(e, AcmeServerException.class);
        return problem != null && (ERROR + type).equals(String.valueOf(problem.getType()));
    }

    /** Returns true when the library has waited as long as it was told to: only then it throws no more than this. */
    static boolean isTimeLimit(AcmeException e) {
        return e.getClass().equals(AcmeException.class);
    }

    AcmeFailure of(Exception e) {
        String server = account.directory().getHost() + ": ";
        AcmeRateLimitedException limited = PlainCause.find(e, AcmeRateLimitedException.class);
        if (limited != null) {
            return new AcmeFailure(
                    server + "it limits the rate (" + PlainCause.of(limited) + "); wait, or order fewer certificates",
                    e,
                    limited.getRetryAfter().orElse(null));
        }
        return new AcmeFailure(server + said(e), e);
    }

    private String said(Exception e) {
        AcmeNetworkException network = PlainCause.find(e, AcmeNetworkException.class);
        if (network != null) {
            return unreachable(network);
        }
        AcmeServerException refused = PlainCause.find(e, AcmeServerException.class);
        if (refused != null) {
            return refused(refused);
        }
        boolean isStrange = PlainCause.find(e, AcmeException.class) != null
                || PlainCause.find(e, AcmeProtocolException.class) != null;
        if (isStrange) {
            return "it does not answer as an ACME server (" + PlainCause.of(e) + "); see whether directory "
                    + account.directory() + " is right";
        }
        return PlainCause.of(e);
    }

    // --- no conversation --------------------------------------------------------------------------------------------

    private String unreachable(AcmeNetworkException e) {
        if (PlainCause.find(e, UnresolvedAddressException.class) != null
                || PlainCause.find(e, UnknownHostException.class) != null) {
            return "this name has no address; see whether directory " + account.directory()
                    + " is right, and whether this machine resolves names";
        }
        if (PlainCause.find(e, HttpConnectTimeoutException.class) != null) {
            return "no connection within " + seconds() + "; let this machine reach " + place();
        }
        if (PlainCause.find(e, HttpTimeoutException.class) != null) {
            return "no answer within " + seconds() + "; see whether the server works, or wait";
        }
        if (PlainCause.find(e, ConnectException.class) != null) {
            return "nothing accepts connections at " + place() + "; see whether the server runs, and let this machine"
                    + " reach it";
        }
        SSLException handshake = PlainCause.find(e, SSLException.class);
        return handshake == null
                ? "the connection broke (" + broken(e) + "); see whether the server works"
                : tls(handshake);
    }

    private static String broken(AcmeNetworkException e) {
        IOException cause = PlainCause.find(e.getCause() == null ? e : e.getCause(), IOException.class);
        return PlainCause.of(cause == null ? e : cause);
    }

    private String tls(SSLException e) {
        boolean isCertificate = PlainCause.find(e, CertificateException.class) != null;
        return isCertificate
                ? "its own certificate is not trusted (" + PlainCause.of(e)
                        + "); name the authority that issued it by server-ca, if it is the right server"
                : "no TLS with it (" + PlainCause.of(e) + "); see whether directory " + account.directory()
                        + " is right";
    }

    private String place() {
        int port = account.directory().getPort();
        boolean isPlain = "http".equals(account.directory().getScheme());
        return account.directory().getHost() + ":" + (port >= 0 ? port : isPlain ? 80 : 443);
    }

    private static String seconds() {
        return ServerConnector.REQUEST_LIMIT.toSeconds() + " s";
    }

    // --- refusals ---------------------------------------------------------------------------------------------------

    private static String refused(AcmeServerException e) {
        if (e instanceof AcmeUserActionRequiredException) {
            return "it wants its terms of service agreed to again (" + PlainCause.of(e) + "); read them there";
        }
        String type = String.valueOf(e.getType()).replace(ERROR, "");
        return "it refuses: " + PlainCause.of(e) + " (" + type + "); " + remedy(type);
    }

    /** Returns what to do about an error of RFC 8555 section 6.7, or of an extension. */
    private static String remedy(String type) {
        return switch (type) {
            case "externalAccountRequired" -> "set eab-key-id and eab-key-file to what the authority gave you";
            case "caa" -> "allow this authority in the CAA records of the names";
            case "rejectedIdentifier", "unsupportedIdentifier" -> "order names that it certifies";
            case "invalidProfile" -> "set profile to one of this server's, or leave it out";
            case "invalidContact", "unsupportedContact" -> "set email to an address that it accepts";
            case "unauthorized" -> "see whether the account is still valid, and eab-key-file is the right one";
            case "serverInternal" -> "wait, it is the server's failure";
            default -> "change the order, or ask the server's operator";
        };
    }
}
