package dev.sluice.config.acme;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A certificate that an ACME server issues, RFC 8555.
 *
 * @param names the names to certify, in lower case, at least one
 * @param challenge the way to prove them
 * @param keys the kinds of key, a certificate each, at least one
 * @param profile the server's profile, such as one of six days; null: the server's default
 * @param account the account that orders
 * @param hook adds and removes TXT records; null without {@link AcmeChallenge#DNS_01}
 * @param storage the files
 * @param ordersPerHour the most orders of this gateway in an hour, for all certificates
 */
public record AcmeConfig(
        List<String> names,
        AcmeChallenge challenge,
        List<AcmeKeyType> keys,
        @Nullable String profile,
        AcmeAccount account,
        @Nullable DnsHook hook,
        AcmeStorage storage,
        int ordersPerHour) {
    /** Copies the lists. */
    public AcmeConfig {
        names = List.copyOf(names);
        keys = List.copyOf(keys);
    }
}
