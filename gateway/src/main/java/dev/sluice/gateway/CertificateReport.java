package dev.sluice.gateway;

import dev.sluice.gateway.config.CertificateConfig;
import dev.sluice.gateway.config.GatewayConfig;
import dev.sluice.gateway.config.KeyPairFiles;
import dev.sluice.gateway.config.RevocationList;
import dev.sluice.gateway.config.UnusableCertificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which certificates and revocation lists a gateway has, and how long they last; for people and for programs. */
final class CertificateReport {
    private CertificateReport() {}

    static String table(GatewayConfig config, Instant now) {
        StringBuilder text = new StringBuilder();
        for (CertificateConfig certificate : config.certificates()) {
            for (KeyPairFiles pair : certificate.keyPairs()) {
                text.append(String.format(
                        "%-20s  %-5s  %s  %s%n",
                        certificate.name(), pair.keyType(), ends(pair.notAfter(), now), pair.chain()));
            }
        }
        for (UnusableCertificate unusable : config.sources().unusable()) {
            text.append(String.format(
                    "%-20s  %-5s  %s  %s%n",
                    unusable.name(),
                    "",
                    "NOT USABLE, " + unusable.consequence().label(),
                    unusable.files().getFirst()));
        }
        revocationLists(config)
                .forEach(list -> text.append(String.format(
                        "%-20s  %-5s  %s  %s%n", "revoked by", "CRL", ends(list.nextUpdate(), now), list.file())));
        return text.toString();
    }

    private static String ends(Instant end, Instant now) {
        if (end.equals(Instant.MAX)) {
            return "never ends";
        }
        long days = Duration.between(now, end).toDays();
        return (end.isBefore(now) ? "EXPIRED " : "until ") + end.truncatedTo(ChronoUnit.SECONDS) + " (" + days + " d)";
    }

    static String json(GatewayConfig config, Instant now) {
        String certificates = config.certificates().stream()
                .flatMap(certificate -> certificate.keyPairs().stream().map(pair -> json(certificate, pair, now)))
                .collect(Collectors.joining(","));
        String lists = revocationLists(config).map(list -> json(list, now)).collect(Collectors.joining(","));
        String unusable = config.sources().unusable().stream()
                .map(CertificateReport::json)
                .collect(Collectors.joining(","));
        return "{\"certificates\":[" + certificates + "],\"unusable\":[" + unusable + "],\"revocation_lists\":[" + lists
                + "]}\n";
    }

    private static String json(UnusableCertificate unusable) {
        return "{\"name\":" + JsonText.quoted(unusable.name()) + ",\"consequence\":"
                + JsonText.quoted(unusable.consequence().label()) + ",\"file\":"
                + JsonText.quoted(unusable.files().getFirst()) + ",\"problem\":" + JsonText.quoted(unusable.problem())
                + "}";
    }

    private static Stream<RevocationList> revocationLists(GatewayConfig config) {
        return config.clientPolicies().stream()
                .flatMap(policy -> policy.lists().stream())
                .distinct();
    }

    private static String json(CertificateConfig certificate, KeyPairFiles pair, Instant now) {
        String names = certificate.serverNames().stream()
                .map(name -> JsonText.quoted(name.text()))
                .sorted()
                .collect(Collectors.joining(","));
        return "{\"name\":" + JsonText.quoted(certificate.name()) + ",\"key_type\":" + JsonText.quoted(pair.keyType())
                + ",\"not_before\":" + JsonText.quoted(pair.notBefore()) + ",\"not_after\":"
                + JsonText.quoted(pair.notAfter()) + ",\"seconds_left\":" + secondsLeft(pair.notAfter(), now)
                + ",\"sha256\":" + JsonText.quoted(pair.sha256()) + ",\"file\":" + JsonText.quoted(pair.chain())
                + ",\"server_names\":[" + names + "]}";
    }

    private static String json(RevocationList list, Instant now) {
        boolean ends = !list.nextUpdate().equals(Instant.MAX);
        return "{\"issuer\":" + JsonText.quoted(list.issuer()) + ",\"file\":" + JsonText.quoted(list.file())
                + ",\"next_update\":" + JsonText.quoted(ends ? list.nextUpdate() : null) + ",\"seconds_left\":"
                + (ends ? secondsLeft(list.nextUpdate(), now) : "null") + "}";
    }

    private static long secondsLeft(Instant end, Instant now) {
        return end.getEpochSecond() - now.getEpochSecond();
    }
}
