package dev.sluice.gateway.alerts;

import dev.sluice.gateway.ocsp.OcspFailure;
import java.util.ArrayList;
import java.util.List;

/** The first steps against missing OCSP responses, chosen by the reason why the last attempts to fetch one failed. */
final class StapleAdvice {
    private static final String NOTHING_KNOWN =
            "No attempt has failed yet: the responders are being asked. The log has the outcome.";

    private static final String MUST_STAPLE =
            "Clients refuse a must-staple certificate without a response: replace it by one without must-staple before"
                    + " the response ends.";

    private static final String KEEP = "Keep responses over restarts: ocsp: {keep: 72h, directory: DIRECTORY}.";

    private StapleAdvice() {}

    static List<String> of(StapleState staples) {
        List<OcspFailure> causes = staples.causes();
        List<String> advice = new ArrayList<>();
        causes.forEach(cause -> advice.add(about(cause)));
        if (causes.isEmpty()) {
            advice.add(NOTHING_KNOWN);
        }
        advice.add(MUST_STAPLE);
        advice.add(KEEP);
        return advice;
    }

    private static String about(OcspFailure cause) {
        return switch (cause) {
            case ISSUER_UNKNOWN ->
                "The certificate of the issuer is not known: put it into the chain, or name its file: certificates:"
                        + " {shop: {…, ocsp: {issuer: FILE}}}.";
            case NO_CONNECTION ->
                "The responder takes no connection from this machine: try curl -v with its URL here. A firewall, or a"
                        + " proxy that the gateway does not know (SLUICE_JAVA_OPTS=\"-Dhttp.proxyHost=HOST"
                        + " -Dhttp.proxyPort=PORT\"), is the most common reason; the log names URL and error.";
            case NO_ANSWER ->
                "The responder takes connections and does not answer: it is overloaded or down, or something in"
                        + " between swallows the answers. It is asked again by itself; ask it yourself: openssl ocsp"
                        + " -issuer ISSUER -cert CERTIFICATE -url RESPONDER.";
            case HTTP_STATUS ->
                "The responder is reached and answers with an HTTP error, which the log names: 5xx is its operator's"
                        + " to mend, 4xx a wrong URL; if ocsp: {responder: URL} is configured, see that it is the"
                        + " authority's.";
            case MALFORMED ->
                "What answers is no OCSP responder, or a proxy's page: see what it says, with curl, and whether ocsp:"
                        + " {responder: URL} is the authority's.";
            default -> aboutItsAnswer(cause);
        };
    }

    private static String aboutItsAnswer(OcspFailure cause) {
        return switch (cause) {
            case REFUSED ->
                "The responder refuses to answer, and the log has its status: unauthorized means that it is not the"
                        + " one of the certificate's authority, or does not know a new certificate yet; try later and"
                        + " internal error are its operator's to mend.";
            case OTHER_CERTIFICATE ->
                "The responder answers about another certificate: it is broken, or a cache in between mixes answers"
                        + " up; inform its operator.";
            case SIGNATURE ->
                "The signature of its answers does not verify: see that the issuer in the chain, or in ocsp: {issuer:"
                        + " FILE}, is the one that issued the certificate. If it is, somebody forges answers, or the"
                        + " authority has not allowed the signer.";
            case CERTIFICATE_UNKNOWN ->
                "The responder does not know the certificate: a new one is known after some minutes; else the"
                        + " authority has to be asked, or the responder is another authority's.";
            case OUTDATED ->
                "The responder gives out answers that have ended: its operator has to renew them; see that this"
                        + " machine's clock is right, with timedatectl.";
            case NOT_RENEWED ->
                "The responder gives out the same answer again, although it is near its end: its operator has to sign"
                        + " new ones, or a cache in between keeps old ones.";
            case NOT_YET_VALID ->
                "The responder's answers hold from a time to come: this machine's clock is behind; see timedatectl.";
            case REVOKED -> "A certificate is revoked, and clients that look refuse it: replace it, and its key, now.";
            default ->
                "The gateway could not ask: the log has the cause. Start it by ./sluice; if that does not help, please"
                        + " report it, with these lines.";
        };
    }
}
