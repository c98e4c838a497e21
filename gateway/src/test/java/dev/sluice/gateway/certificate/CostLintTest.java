package dev.sluice.gateway.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.config.lint.CostLint;
import dev.sluice.config.lint.HandshakeCosts;
import dev.sluice.config.lint.HandshakeCosts.Kind;
import dev.sluice.config.read.ConfigFile;
import dev.sluice.config.read.ConfigSource;
import dev.sluice.config.yaml.ConfigException;
import dev.sluice.config.yaml.ConfigProblem;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.TestCertificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The cost warnings of a configuration. */
class CostLintTest {
    private static final String FRUGAL = """
            listeners:
              - {address: 127.0.0.1:8443, certificates: [shop], backend: web}
            certificates:
              shop: {chain: shop.pem, key: shop.key}
            backends:
              web: {servers: [127.0.0.1:8080]}
            """;

    @TempDir
    Path directory = Path.of("");

    @BeforeEach
    void writeCertificates() throws IOException {
        copy(TestCertificates.shared().server(), "shop");
        copy(TestCertificates.shared().serverRsa(), "rsa");
    }

    private void copy(Credential credential, String name) throws IOException {
        Files.copy(credential.chainFile(), directory.resolve(name + ".pem"));
        Files.copy(credential.keyFile(), directory.resolve(name + ".key"));
    }

    private List<String> findings(String text) throws IOException, ConfigException {
        return findings(text, HandshakeCosts.OF_BENCHMARKS);
    }

    private List<String> findings(String text, HandshakeCosts costs) throws IOException, ConfigException {
        Path file = Files.writeString(directory.resolve("sluice.yaml"), text);
        return new CostLint(ConfigFile.parseWithPlaces(ConfigSource.read(file), new OpenSslCheck()), costs)
                .findings().stream()
                        .map(ConfigProblem::toString)
                        .map(line -> line.replace(directory + "/", ""))
                        .toList();
    }

    @Test
    void findsNothingInAFrugalConfiguration() throws Exception {
        assertThat(findings(FRUGAL)).isEmpty();
    }

    @Test
    void findsAnRsaKeyWithoutEcdsa() throws Exception {
        assertThat(findings(FRUGAL.replace("shop.pem, key: shop.key", "rsa.pem, key: rsa.key")))
                .singleElement()
                .asString()
                .startsWith(
                        "sluice.yaml:4:17: certificate shop has an RSA key only: a full handshake takes 535 µs of CPU"
                                + " time instead of 292 with ECDSA P-256; ")
                .contains("docs/benchmarks/handshakes.md");
        assertThat(findings(FRUGAL.replace("shop.pem, key: shop.key", "[rsa.pem, shop.pem], key: [rsa.key, shop.key]")))
                .isEmpty();
    }

    @Test
    void findsTicketsThatAreOff() throws Exception {
        assertThat(findings(FRUGAL + "tickets: off\n"))
                .singleElement()
                .asString()
                .startsWith("sluice.yaml:7:10: tickets are off: a returning client takes 292 µs of CPU time instead of"
                        + " 260 with TLS 1.3");
    }

    @Test
    void findsSlowRotationAndShortLifetimes() throws Exception {
        assertThat(findings(FRUGAL + "tickets: {rotate: 5d, keep: 5d}\n"))
                .singleElement()
                .asString()
                .startsWith("sluice.yaml:7:19: ticket keys rotate every 5d")
                .contains("sessions of 240 hours");
        assertThat(findings(FRUGAL + "tickets: {rotate: 12h, keep: 2h}\n"))
                .singleElement()
                .asString()
                .startsWith("sluice.yaml:7:30: tickets are kept for 2h, less than their keys seal (12h)")
                .contains("raise keep to at least 12h");
    }

    @Test
    void findsAnOldKeyFile() throws Exception {
        Path keys = Files.createDirectory(directory.resolve("keys"));
        Path key = Files.write(keys.resolve("one"), new byte[48]);
        String text = FRUGAL + "tickets: {store: \"file:keys\"}\n";
        assertThat(findings(text)).isEmpty();

        Files.setLastModifiedTime(key, FileTime.from(Instant.now().minus(Duration.ofHours(50))));

        assertThat(findings(text))
                .singleElement()
                .asString()
                .startsWith("sluice.yaml:7:18: the newest key in ")
                .contains(" is 50 hours old");
    }

    @Test
    void findsALongChain() throws Exception {
        Path chain = directory.resolve("shop.pem");
        // A root is not sent.
        Files.writeString(chain, Files.readString(TestCertificates.shared().rootFile()), StandardOpenOption.APPEND);
        assertThat(findings(FRUGAL)).isEmpty();

        String issuer = Files.readString(TestCertificates.shared().serverRsa().chainFile());
        Files.writeString(chain, issuer.repeat(6), StandardOpenOption.APPEND);
        assertThat(findings(FRUGAL))
                .anyMatch(line -> line.matches("sluice.yaml:4:17: the chain of certificate shop has \\d{4} bytes in .*"
                        + " TCP segments per full handshake.*"));
    }

    @Test
    void findsSuitesWithoutChaCha20() throws Exception {
        String listed = FRUGAL.replace("backend: web}", "backend: web, ciphers: [SUITES]}");

        assertThat(findings(listed.replace("SUITES", "TLS_AES_128_GCM_SHA256, ECDHE-ECDSA-AES128-GCM-SHA256")))
                .hasSize(2)
                .allMatch(line -> line.startsWith("sluice.yaml:2:76: ciphers has no ChaCha20 for TLS 1."));
        assertThat(findings(listed.replace("SUITES", "TLS_AES_128_GCM_SHA256, TLS_CHACHA20_POLY1305_SHA256")))
                .isEmpty();
    }

    @Test
    void findsALimitAboveTheCapacityOfTheProcessors() throws Exception {
        assertThat(findings(FRUGAL + "loops: 1\nlimits: {handshakes-per-second: 1900}\n"))
                .isEmpty();
        assertThat(findings(FRUGAL + "loops: 1\nlimits: {handshakes-per-second: 5000}\n"))
                .singleElement()
                .asString()
                .startsWith("sluice.yaml:8:33: handshakes-per-second is 5000, and 1 core does about 3425 (292 µs of"
                        + " CPU time"
                        + " each)");
    }

    @Test
    void readsCostsOfTheBenchmark() throws Exception {
        Path json = directory.resolve("costs.json");
        StringBuilder lines = new StringBuilder("{\"type\":\"run\",\"schema\":1,\"facts\":{}}\n");
        for (Kind kind : Kind.values()) {
            for (int micros : new int[] {9000, 100, 110, 130}) {
                lines.append("{\"type\":\"round\",\"experiment\":\"handshakes\",\"treatment\":\"")
                        .append(kind.text())
                        .append("\",\"warmup\":")
                        .append(micros == 9000)
                        .append(",\"metrics\":{\"gateway_cpu_micros\":")
                        .append(micros)
                        .append(".0}}\n");
            }
        }
        Files.writeString(json, lines);

        HandshakeCosts costs = HandshakeCosts.read(json);

        assertThat(costs.of(Kind.TLS13_RSA_FULL)).isEqualTo(110);
        assertThat(findings(FRUGAL + "tickets: off\n", costs).getFirst())
                .contains("takes 110 µs of CPU time instead of 110")
                .endsWith("(" + "costs.json)");
    }

    @Test
    void readsCostsOfSluiceCost() throws IOException {
        StringBuilder figures = new StringBuilder();
        for (String version : List.of("tls12", "tls13")) {
            for (String key : List.of("ecdsa-p256", "rsa-2048")) {
                for (String kind : List.of("full", "resumed")) {
                    figures.append(figures.isEmpty() ? "" : ",\n")
                            .append("    \"gateway/%s/%s/%s\": {\"unit\": \"us\", \"median\": %d, \"rounds\": 15}"
                                    .formatted(version, key, kind, kind.equals("full") ? 512 : 234));
                }
            }
        }
        Path file = Files.writeString(
                directory.resolve("cost.json"),
                "{\n  \"format\": \"sluice-cost/1\",\n  \"figures\": {\n" + figures + "\n  }\n}\n");

        HandshakeCosts costs = HandshakeCosts.read(file);

        assertThat(costs.of(Kind.TLS13_RSA_FULL)).isEqualTo(512);
        assertThat(costs.of(Kind.TLS12_ECDSA_RESUMED)).isEqualTo(234);
        Path other = Files.writeString(directory.resolve("old.json"), "{\"format\": \"sluice-cost/1\"}");
        assertThatThrownBy(() -> HandshakeCosts.read(other)).hasMessageContaining("old.json has no figure");
    }

    @Test
    void rejectsAFileWithoutCosts() throws IOException {
        Path empty = Files.writeString(directory.resolve("empty.json"), "{}\n");

        assertThatThrownBy(() -> HandshakeCosts.read(empty))
                .hasMessageContaining("empty.json has no figure for \"TLS 1.2, ECDSA P-256, full\"; let sluice bench");
        assertThatThrownBy(() -> HandshakeCosts.read(directory.resolve("absent.json")))
                .hasMessageContaining("create it with: sluice bench handshakes --json");
    }

    /** Figures agree within a factor of 1.5, as docs/benchmarks/handshakes.md has them. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void hasTheFiguresOfBenchmarks(Kind kind) throws IOException {
        String page = Files.readString(Path.of("..", "docs", "benchmarks", "handshakes.md"));
        Matcher row = Pattern.compile("\\| " + Pattern.quote(kind.text()) + " \\| ([0-9,.]+) \\|")
                .matcher(page);

        assertThat(row.find()).as(kind.text()).isTrue();
        double measured = Double.parseDouble(row.group(1).replace(",", ""));
        assertThat((double) HandshakeCosts.OF_BENCHMARKS.of(kind)).isBetween(measured / 1.5, measured * 1.5);
    }
}
