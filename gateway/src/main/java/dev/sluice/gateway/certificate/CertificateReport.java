package dev.sluice.gateway.certificate;

import dev.sluice.config.certificate.KeyPairFiles;
import dev.sluice.config.certificate.RevocationList;
import dev.sluice.config.certificate.UnusableCertificate;
import dev.sluice.config.json.Json;
import dev.sluice.config.model.CertificateConfig;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.gateway.acme.AcmeReport;
import dev.sluice.gateway.acme.AcmeStatus;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.core.JsonGenerator;

/** The certificates and revocation lists of a gateway and their expiry, as a table and as JSON. */
public final class CertificateReport {
    private CertificateReport() {}

    public static String table(GatewayConfig config, List<AcmeStatus> acme, Instant now) {
        StringBuilder text = new StringBuilder();
        for (CertificateConfig certificate : config.certificates()) {
            for (KeyPairFiles pair : certificate.keyPairs()) {
                text.append(String.format(
                        "%-20s  %-5s  %s  %s%n",
                        certificate.name(),
                        pair.keyType(),
                        ends(pair.notAfter(), now),
                        isPlaceholder(certificate, pair) ? "placeholder, until one is issued" : pair.chain()));
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
        return text.append(AcmeReport.table(acme, now)).toString();
    }

    private static boolean isPlaceholder(CertificateConfig certificate, KeyPairFiles pair) {
        return certificate.acme() != null && !Files.exists(pair.chain());
    }

    private static String ends(Instant end, Instant now) {
        if (end.equals(Instant.MAX)) {
            return "never ends";
        }
        long days = Duration.between(now, end).toDays();
        return (end.isBefore(now) ? "EXPIRED " : "until ") + end.truncatedTo(ChronoUnit.SECONDS) + " (" + days + " d)";
    }

    public static String json(GatewayConfig config, List<AcmeStatus> acme, Instant now) {
        return Json.of(json -> {
                    json.writeStartObject();
                    json.writeArrayPropertyStart("certificates");
                    config.certificates()
                            .forEach(certificate ->
                                    certificate.keyPairs().forEach(pair -> write(json, certificate, pair, now)));
                    json.writeEndArray();
                    json.writeArrayPropertyStart("unusable");
                    config.sources().unusable().forEach(unusable -> write(json, unusable));
                    json.writeEndArray();
                    json.writeArrayPropertyStart("revocation_lists");
                    revocationLists(config).forEach(list -> write(json, list, now));
                    json.writeEndArray();
                    AcmeReport.write(json, acme);
                    json.writeEndObject();
                })
                + "\n";
    }

    private static void write(JsonGenerator json, UnusableCertificate unusable) {
        json.writeStartObject();
        Json.text(json, "name", unusable.name());
        Json.text(json, "consequence", unusable.consequence().label());
        Json.text(json, "file", unusable.files().getFirst());
        Json.text(json, "problem", unusable.problem());
        json.writeEndObject();
    }

    private static Stream<RevocationList> revocationLists(GatewayConfig config) {
        return config.clientPolicies().stream()
                .flatMap(policy -> policy.lists().stream())
                .distinct();
    }

    private static void write(JsonGenerator json, CertificateConfig certificate, KeyPairFiles pair, Instant now) {
        json.writeStartObject();
        Json.text(json, "name", certificate.name());
        Json.text(json, "key_type", pair.keyType());
        Json.text(json, "not_before", pair.notBefore());
        Json.text(json, "not_after", pair.notAfter());
        json.writeNumberProperty("seconds_left", secondsLeft(pair.notAfter(), now));
        Json.text(json, "sha256", pair.sha256());
        Json.text(json, "file", pair.chain());
        json.writeArrayPropertyStart("server_names");
        certificate.serverNames().stream().map(name -> name.text()).sorted().forEach(json::writeString);
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, RevocationList list, Instant now) {
        boolean ends = !list.nextUpdate().equals(Instant.MAX);
        json.writeStartObject();
        Json.text(json, "issuer", list.issuer());
        Json.text(json, "file", list.file());
        Json.text(json, "next_update", ends ? list.nextUpdate() : null);
        if (ends) {
            json.writeNumberProperty("seconds_left", secondsLeft(list.nextUpdate(), now));
        } else {
            json.writeNullProperty("seconds_left");
        }
        json.writeEndObject();
    }

    private static long secondsLeft(Instant end, Instant now) {
        return end.getEpochSecond() - now.getEpochSecond();
    }
}
