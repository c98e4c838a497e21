package dev.sluice.gateway.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads those of a listener's keys that say whom it lets in. */
final class IntakeReader {
    /** For {@link ListenerReader}, which knows a listener's keys. */
    static final List<String> KEYS =
            List.of("proxy-protocol", "connections", "keepalive", "strict-sni", "alpn-required");

    private static final List<String> PROXY_KEYS = List.of("from");
    /** MAX_TCP_KEEPIDLE of Linux is 32,767 s. */
    private static final Duration KEEP_ALIVE_MAX = Duration.ofHours(9);

    private static final int CONNECTIONS_MAX = 10_000_000;

    private IntakeReader() {}

    static Intake read(Section listener, List<String> alpn, List<CertificateConfig> certificates) {
        boolean required = listener.onOff("alpn-required", false);
        Value requiredValue = listener.find("alpn-required");
        if (requiredValue != null && required && alpn.isEmpty()) {
            requiredValue.problem("alpn-required is on, but the listener offers no protocol; add alpn: [http/1.1]");
        }
        boolean strict = listener.onOff("strict-sni", false);
        Value strictValue = listener.find("strict-sni");
        boolean nobodysName =
                certificates.stream().allMatch(each -> each.serverNames().isEmpty());
        if (strictValue != null && strict && nobodysName && !certificates.isEmpty()) {
            strictValue.problem(
                    "strict-sni is on, but no certificate of the listener has a subjectAltName, so no client"
                            + " could be served; set strict-sni: off, or have them issued with a subjectAltName");
        }
        return new Intake(
                proxiedFrom(listener.find("proxy-protocol")),
                listener.integer("connections", 1, CONNECTIONS_MAX, Intake.DEFAULT.connections()),
                keepAlive(listener),
                strict,
                required);
    }

    /** Of a listener or a backend; zero where there is none. The kernel knows whole seconds, up to this many. */
    static Duration keepAlive(Section section) {
        return section.duration("keepalive", Duration.ofSeconds(1), KEEP_ALIVE_MAX, Duration.ZERO);
    }

    private static List<AddressRange> proxiedFrom(@Nullable Value value) {
        if (value == null) {
            return List.of();
        }
        if (!value.isSection()) {
            value.problem(
                    "proxy-protocol of a listener needs to know whom to believe: anybody else could claim to be any"
                            + " client; write proxy-protocol: {from: [10.0.0.0/8]}");
            return List.of();
        }
        Section section = value.section(PROXY_KEYS);
        Value from = section == null ? null : section.require("from", "[10.0.0.0/8]");
        List<AddressRange> ranges = new ArrayList<>();
        if (from != null) {
            for (Value item : from.items()) {
                addRange(item, ranges);
            }
        }
        return ranges;
    }

    private static void addRange(Value item, List<AddressRange> ranges) {
        String text = item.text();
        if (text == null) {
            return;
        }
        try {
            ranges.add(AddressRange.parse(text));
        } catch (IllegalArgumentException bad) {
            item.problem("from: " + bad.getMessage());
        }
    }
}
