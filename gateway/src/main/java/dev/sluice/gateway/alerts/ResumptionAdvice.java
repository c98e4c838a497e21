package dev.sluice.gateway.alerts;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The first steps against full handshakes, chosen by the most frequent reason for which no session was resumed. */
final class ResumptionAdvice {
    private static final String NONE_OFFERED =
            "Most of their clients offer no ticket (none_offered): they are new, or keep none. See whether clients"
                    + " that used to resume have been changed, such as an application, a pool of connections or a"
                    + " health check; the gateway gives tickets to all of them.";

    private static final Map<Tally, String> BY_REASON = byReason();

    private ResumptionAdvice() {}

    private static Map<Tally, String> byReason() {
        Map<Tally, String> advice = new LinkedHashMap<>();
        advice.put(
                Tally.MISS_TICKETS_OFF,
                "Let clients resume: tickets must not be off (tickets_off). Write tickets: {rotate: 12h, keep: 24h},"
                        + " and see whether a recent reload has changed it.");
        advice.put(
                Tally.MISS_UNKNOWN_KEY,
                "Most tickets were sealed with keys that this gateway does not have (unknown_key). Have a restart keep"
                        + " them: tickets: {store: \"local:FILE\"}; have gateways behind one address share them:"
                        + " tickets: {store: \"rediss://HOST:6379\", fleet-key: fleet.key}.");
        advice.put(
                Tally.MISS_EXPIRED,
                "Most tickets have expired (expired): clients come back later than they are kept. Write tickets:"
                        + " {keep: 48h}, or lower the threshold.");
        advice.put(
                Tally.MISS_OTHER_HOST,
                "Most tickets are of another server name (other_host): one certificate for these names lets clients"
                        + " resume from one to the other; or lower the threshold.");
        advice.put(
                Tally.MISS_OTHER_CONTEXT,
                "Most tickets are of another certificate or client authentication (other_context): after a renewal or"
                        + " a reload that is so once for each client, and passes. If it does not, see that gateways"
                        + " behind one address have the same certificates.");
        advice.put(
                Tally.MISS_OTHER_VERSION,
                "Most tickets are of another version of TLS (other_version): see that gateways behind one address have"
                        + " the same min-version and profile.");
        advice.put(
                Tally.MISS_OTHER_SUITE,
                "Most tickets are of a suite with another hash (other_suite): see that gateways behind one address"
                        + " have the same ciphers, or leave ciphers out.");
        advice.put(
                Tally.MISS_DAMAGED,
                "Most tickets were changed or made up (damaged): the access log has the addresses they come from.");
        return advice;
    }

    /** Returns advice for clients that offered a ticket and did not resume. */
    static List<String> forMisses(Situation now) {
        List<String> advice = new ArrayList<>(first(now, BY_REASON.keySet()));
        advice.add("sluice_tls_resumption_misses_total has all reasons, and docs/alerts.md explains each.");
        advice.add("Until it is mended the price is full handshakes: " + Advice.ECDSA);
        return advice;
    }

    /**
     * Returns advice for all clients with a full handshake: first to have fewer of them, then to make them less
     * expensive.
     */
    static List<String> forFullHandshakes(Situation now) {
        Set<Tally> all = new LinkedHashSet<>(BY_REASON.keySet());
        all.add(Tally.MISS_NONE_OFFERED);
        return Stream.concat(first(now, all).stream(), Advice.LADDER.stream()).toList();
    }

    /** The same of clients that were refused, about whose limit there is more to tell. */
    static List<String> forRefusals(Situation now) {
        return Stream.concat(Stream.of(Advice.REFUSALS), forFullHandshakes(now).stream())
                .toList();
    }

    private static List<String> first(Situation now, Set<Tally> reasons) {
        Tally leading = now.leading(reasons);
        return leading == null ? Advice.RESUMPTION : List.of(BY_REASON.getOrDefault(leading, NONE_OFFERED));
    }
}
