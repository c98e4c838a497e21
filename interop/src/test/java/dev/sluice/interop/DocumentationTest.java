package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.Documents;
import dev.sluice.interop.fixture.Documents.Document;
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
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The examples of the documents are accepted, and their links lead somewhere. */
class DocumentationTest {
    private static final Pattern TEST_CLASS = Pattern.compile("(?<=`)[A-Z]\\w+Test(?=`)");

    @TempDir
    private Path directory = Path.of("");

    @ParameterizedTest
    @MethodSource("dev.sluice.interop.fixture.Documents#withConfigurations")
    void theExamplesAreAccepted(Document page) throws IOException {
        writeCertificates();
        for (String example : page.configurations()) {
            Path file = Files.writeString(directory.resolve("sluice.yaml"), example);
            Sluice.command("check", file.toString()).run().expectSuccess();
        }
    }

    @Test
    void theGuideAndTheReadmeShowConfigurations() {
        assertThat(Documents.withConfigurations())
                .extracting(Document::path)
                .contains("README.md", "docs/guide/getting-started.md", "docs/guide/certificates.md");
    }

    @ParameterizedTest
    @MethodSource("dev.sluice.interop.fixture.Documents#all")
    void linksLeadToFilesAndHeadings(Document page) {
        assertThat(page.links()).allSatisfy(link -> {
            assertThat(link.target()).exists();
            if (!link.anchor().isEmpty()) {
                assertThat(Documents.at(link.target()).anchors()).contains(link.anchor());
            }
        });
    }

    @ParameterizedTest
    @MethodSource("dev.sluice.interop.fixture.Documents#decisions")
    void decisionsNameClassesThatExist(Document decision) throws IOException {
        assertThat(decision.classes()).isNotEmpty();
        assertThat(Documents.classesOfTheTree()).containsAll(decision.classes());
    }

    @Test
    void theEvidenceNamesTestsThatExist() throws IOException {
        List<String> tests = TEST_CLASS
                .matcher(Files.readString(Sluice.home().resolve("docs/trust.md")))
                .results()
                .map(MatchResult::group)
                .toList();
        assertThat(tests).isNotEmpty();
        assertThat(Documents.classesOfTheTree()).containsAll(tests);
    }

    @Test
    void architectureIsAMapOfAtMost1500Words() {
        assertThat(Documents.at(Sluice.home().resolve("ARCHITECTURE.md")).words())
                .isLessThanOrEqualTo(1_500);
    }

    @Test
    void theReadmeHasAtMost90Lines() {
        assertThat(Documents.at(Sluice.home().resolve("README.md")).lines()).hasSizeLessThanOrEqualTo(90);
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
