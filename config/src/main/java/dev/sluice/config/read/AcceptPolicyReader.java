package dev.sluice.config.read;

import dev.sluice.config.key.BackendKeys;
import dev.sluice.config.key.ListenerKeys;
import dev.sluice.config.model.AcceptPolicy;
import dev.sluice.config.model.AddressRange;
import dev.sluice.config.model.AddressRules;
import dev.sluice.config.model.CertificateConfig;
import dev.sluice.config.yaml.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The reader of a listener's keys that restrict its clients. */
final class AcceptPolicyReader {
    private AcceptPolicyReader() {}

    static AcceptPolicy read(Section listener, List<String> alpn, List<CertificateConfig> certificates) {
        boolean required = listener.get(ListenerKeys.ALPN_REQUIRED);
        Value requiredValue = listener.find(ListenerKeys.ALPN_REQUIRED);
        if (requiredValue != null && required && alpn.isEmpty()) {
            requiredValue.problem("alpn-required is on, but the listener offers no protocol; add alpn: [http/1.1]");
        }
        boolean strict = listener.get(ListenerKeys.STRICT_SNI);
        Value strictValue = listener.find(ListenerKeys.STRICT_SNI);
        boolean nameless =
                certificates.stream().allMatch(each -> each.serverNames().isEmpty());
        if (strictValue != null && strict && nameless && !certificates.isEmpty()) {
            strictValue.problem("strict-sni is on, but no certificate of the listener has a subjectAltName, so it"
                    + " would reject every client; set strict-sni: off, or have them issued with a"
                    + " subjectAltName");
        }
        return new AcceptPolicy(
                proxiedFrom(listener.find(ListenerKeys.PROXY)),
                listener.get(ListenerKeys.CONNECTIONS),
                listener.get(BackendKeys.KEEPALIVE),
                strict,
                required,
                listener.get(ListenerKeys.ANSWER_HTTP),
                addresses(listener));
    }

    private static AddressRules addresses(Section listener) {
        Value allowValue = listener.find(ListenerKeys.ALLOW);
        List<AddressRange> allow = ranges(allowValue, "allow: ");
        List<AddressRange> deny = ranges(listener.find(ListenerKeys.DENY), "deny: ");
        if (allowValue != null && !allow.isEmpty() && allow.stream().allMatch(range -> isCovered(range, deny))) {
            allowValue.problem("deny has every address that allow has, so the listener would refuse all clients; deny"
                    + " counts first: remove from it what is to be served");
        }
        return new AddressRules(allow, deny);
    }

    private static boolean isCovered(AddressRange range, List<AddressRange> by) {
        return by.stream().anyMatch(other -> other.covers(range));
    }

    private static List<AddressRange> ranges(@Nullable Value value, String where) {
        List<AddressRange> ranges = new ArrayList<>();
        if (value != null) {
            value.items().forEach(item -> addRange(item, where, ranges));
        }
        return ranges;
    }

    private static List<AddressRange> proxiedFrom(@Nullable Value value) {
        if (value == null) {
            return List.of();
        }
        if (!value.isSection()) {
            value.problem("proxy-protocol of a listener names no trusted proxies: anybody could claim to be any client;"
                    + " write proxy-protocol: {from: [10.0.0.0/8]}");
            return List.of();
        }
        Section section = Section.of(value, ListenerKeys.PROXY_PROTOCOL);
        Value from = section == null ? null : section.require(ListenerKeys.PROXY_FROM);
        return ranges(from, "from: ");
    }

    private static void addRange(Value item, String where, List<AddressRange> ranges) {
        String text = item.text();
        if (text == null) {
            return;
        }
        try {
            ranges.add(AddressRange.parse(text));
        } catch (IllegalArgumentException bad) {
            item.problem(where + bad.getMessage());
        }
    }
}
