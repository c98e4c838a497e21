package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.Sluice;
import dev.sluice.testkit.CertificateRequest;
import dev.sluice.testkit.CertificateRequest.KeyAlgorithm;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.TestCertificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the pages show is accepted, and what they point at is there. */
class DocumentationTest {
    private static final Pattern EXAMPLE = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

    /** A link inside the tree. */
    private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:)([^)#]+)");

    @TempDir
    private Path directory = Path.of("");

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "docs/operating.md"})
    void theExamplesAreAccepted(String page) throws IOException {
        writeCertificates();
        List<String> examples = EXAMPLE.matcher(Files.readString(Sluice.home().resolve(page)))
                .results()
                .map(match -> match.group(1))
                .toList();

        assertThat(examples).isNotEmpty();
        for (String example : examples) {
            Path file = Files.writeString(directory.resolve("sluice.yaml"), example);
            Sluice.command("check", file.toString()).run().expectSuccess();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "README.md",
                "ARCHITECTURE.md",
                "CONTRIBUTING.md",
                "SECURITY.md",
                "CHANGELOG.md",
                "deploy/README.md",
                "docs/alerts.md",
                "docs/operating.md",
                "docs/reasons.md",
                "docs/embedding.md"
            })
    void whatAPageLinksToExists(String page) throws IOException {
        Path file = Sluice.home().resolve(page);
        List<Path> targets = LINK.matcher(Files.readString(file))
                .results()
                .map(match -> file.resolveSibling(match.group(1)))
                .toList();

        assertThat(targets).allSatisfy(target -> assertThat(target).exists());
    }

    /** The files that the pages name. */
    private void writeCertificates() throws IOException {
        CertificateRequest api = CertificateRequest.named("api").forHosts("api.example.com");
        Map<String, CertificateRequest> requests = Map.of(
                "shop", CertificateRequest.named("shop").forHosts("shop.example.com"),
                "api-ecdsa", api,
                "api-rsa",
                        CertificateRequest.named("api-rsa")
                                .forHosts("api.example.com")
                                .with(KeyAlgorithm.RSA_2048));
        for (Map.Entry<String, CertificateRequest> request : requests.entrySet()) {
            Credential issued = TestCertificates.shared().issue(request.getValue());
            Files.copy(issued.chainFile(), directory.resolve(request.getKey() + ".pem"));
            Files.copy(issued.keyFile(), directory.resolve(request.getKey() + ".key"));
        }
        writeOtherForms();
        writeAuthorities();
    }

    private void writeOtherForms() throws IOException {
        Files.writeString(directory.resolve("old.pass"), "secret\n");
        ForeignProgram.required("openssl", "openssl")
                .command("pkcs12 -export -in shop.pem -inkey shop.key -out old.p12 -passout file:old.pass".split(" "))
                .in(directory)
                .run()
                .expectSuccess();
        Path live = Files.createDirectories(directory.resolve("live/shop.example.com"));
        Files.copy(directory.resolve("shop.pem"), live.resolve("fullchain.pem"));
        Files.copy(directory.resolve("shop.key"), live.resolve("privkey.pem"));
    }

    private void writeAuthorities() throws IOException {
        TestCertificates authority = TestCertificates.shared();
        Instant soon = Instant.now().plus(Duration.ofDays(7));
        Files.copy(authority.rootFile(), directory.resolve("staff.pem"));
        Files.copy(authority.rootFile(), directory.resolve("partners.pem"));
        Files.writeString(directory.resolve("staff-root.crl"), authority.revocationList(soon));
        Files.writeString(directory.resolve("staff-issuing.crl"), authority.intermediateRevocationList(soon));
    }
}
