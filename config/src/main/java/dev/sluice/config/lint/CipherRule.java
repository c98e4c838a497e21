package dev.sluice.config.lint;

import dev.sluice.config.model.ListenerConfig;
import dev.sluice.config.read.ReadConfig;
import dev.sluice.config.yaml.ConfigProblem;
import java.util.ArrayList;
import java.util.List;

/** The rule on lists of cipher suites without ChaCha20, which clients without AES instructions prefer. */
final class CipherRule implements LintRule {
    /** One record of 16 KiB sealed and opened on OpenSSL 3.5.8, microseconds; docs/benchmarks/record.md. */
    private static final String FIGURES =
            "it costs this server 9.5 µs instead of 3.0 per record of 16 KiB (docs/benchmarks/record.md), for"
                    + " those clients only that put it first";

    @Override
    public List<ConfigProblem> findings(ReadConfig read, HandshakeCosts costs) {
        List<ConfigProblem> findings = new ArrayList<>();
        List<ListenerConfig> listeners = read.config().listeners();
        for (int i = 0; i < listeners.size(); i++) {
            List<String> ciphers = listeners.get(i).tls().ciphers();
            for (String missing : missing(ciphers)) {
                findings.add(read.at(
                        "ciphers has no ChaCha20 for " + missing
                                + ": clients without AES instructions, such as small phones, compute AES in software; "
                                + FIGURES + "; add it after the AES suites, or remove ciphers",
                        "listeners",
                        i,
                        "ciphers"));
            }
        }
        return findings;
    }

    /** Returns the versions without ChaCha20; one whose suites are not listed has the defaults, which include it. */
    private static List<String> missing(List<String> ciphers) {
        List<String> tls13 = ciphers.stream().filter(CipherRule::isOfTls13).toList();
        List<String> older = ciphers.stream().filter(name -> !isOfTls13(name)).toList();
        List<String> missing = new ArrayList<>();
        if (lacksChaCha(tls13)) {
            missing.add("TLS 1.3 (TLS_CHACHA20_POLY1305_SHA256)");
        }
        if (lacksChaCha(older)) {
            missing.add("TLS 1.2 (ECDHE-ECDSA-CHACHA20-POLY1305, ECDHE-RSA-CHACHA20-POLY1305)");
        }
        return missing;
    }

    private static boolean isOfTls13(String name) {
        return name.startsWith("TLS_AES_") || name.startsWith("TLS_CHACHA20_");
    }

    private static boolean lacksChaCha(List<String> names) {
        return !names.isEmpty() && names.stream().noneMatch(name -> name.contains("CHACHA20"));
    }
}
