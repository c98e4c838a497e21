package dev.sluice.gateway;

import static dev.sluice.gateway.GatewayFixture.LIMIT;
import static dev.sluice.gateway.GatewayFixture.awaitEnds;
import static dev.sluice.gateway.GatewayFixture.backend;
import static dev.sluice.gateway.GatewayFixture.listener;
import static dev.sluice.gateway.GatewayFixture.route;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.LimitsConfig;
import dev.sluice.config.model.ListenerConfig;
import dev.sluice.config.model.ProxyProtocol;
import dev.sluice.config.model.RecordProtection;
import dev.sluice.config.model.TlsOptions;
import dev.sluice.ffi.libc.LibC;
import dev.sluice.gateway.certificate.OpenSslCheck;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.RunningProgram;
import dev.sluice.testkit.Waiting;
import dev.sluice.tls.engine.KernelTls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of records that the kernel protects. Most kernels of build machines lack TLS: then the fallback is tested, and
 * {@code tools/ktls/run} tests the rest in a virtual machine.
 */
class KernelRecordsTest extends GatewayConformance {
    private static final int BULK_BYTES = 1_500_000;

    private final boolean kernelHasTls = unavailable().isEmpty();

    private static String unavailable() {
        try (LibC libc = new LibC()) {
            return KernelTls.unavailable(libc);
        }
    }

    @Test
    void refusesAConfigurationThatInsistsWhereTheKernelLacksTls() {
        try (OpenSslCheck check = new OpenSslCheck()) {
            if (kernelHasTls) {
                assertThat(check.kernelRecordsProblem()).isNull();
            } else {
                assertThat(check.kernelRecordsProblem()).contains("TCP_ULP").contains("records: auto");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void carriesBytesBothWaysUnchangedAndCountsWhoProtectsThem(String version) throws Exception {
        Gateway gateway = gateway(RecordProtection.AUTO, fixture.closing(TestBackend.echoing()));
        byte[] bytes = new byte[BULK_BYTES];
        new Random(7).nextBytes(bytes);

        try (SSLSocket client =
                TlsClient.plain().speaking(version).connect(gateway.addresses().getFirst())) {
            CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> write(client, bytes));
            byte[] back = client.getInputStream().readNBytes(bytes.length);
            sending.join();
            assertThat(Arrays.equals(back, bytes)).isTrue();
        }

        awaitEnds(gateway, "completed", 1);
        assertThat(outcomes(gateway)).isEqualTo(Map.of(kernelHasTls ? "kernel" : "kernel_lacks_tls", 1L));
    }

    @Test
    void countsNothingWhereTheGatewayProtectsThem() throws Exception {
        Gateway gateway = gateway(RecordProtection.DIRECT, fixture.closing(TestBackend.saying("hello")));
        try (SSLSocket client = TlsClient.plain().connect(gateway.addresses().getFirst())) {
            assertThat(client.getInputStream().readAllBytes())
                    .asString(US_ASCII)
                    .isEqualTo("hello");
        }
        awaitEnds(gateway, "completed", 1);
        assertThat(outcomes(gateway)).isEmpty();
    }

    // --- only where the kernel has TLS ------------------------------------------------------------------------------

    @ParameterizedTest
    @CsvSource({
        "-tls1_3,-ciphersuites,TLS_AES_128_GCM_SHA256",
        "-tls1_3,-ciphersuites,TLS_AES_256_GCM_SHA384",
        "-tls1_3,-ciphersuites,TLS_CHACHA20_POLY1305_SHA256",
        "-tls1_2,-cipher,ECDHE-ECDSA-AES128-GCM-SHA256",
        "-tls1_2,-cipher,ECDHE-ECDSA-AES256-GCM-SHA384",
        "-tls1_2,-cipher,ECDHE-ECDSA-CHACHA20-POLY1305"
    })
    void protectsEverySuite(String version, String option, String suite) throws Exception {
        requireKernelTls();
        Gateway gateway = gateway(RecordProtection.KERNEL, fixture.closing(TestBackend.echoing()));
        try (RunningProgram client = openssl(gateway, version, option, suite)) {
            talk(client, "one line");
            talk(client, "another");
            client.endInput();
            awaitEnds(gateway, "completed", 1);
        }
        assertThat(outcomes(gateway)).isEqualTo(Map.of("kernel", 1L));
    }

    @Test
    void endsAConnectionWhoseClientUpdatesItsKeys() throws Exception {
        requireKernelTls();
        Gateway gateway = gateway(RecordProtection.KERNEL, fixture.closing(TestBackend.echoing()));
        try (RunningProgram client = openssl(gateway, "-tls1_3")) {
            talk(client, "before");
            client.type("K\n");
            awaitEnds(gateway, "client_kernel_key_update", 1);
            Waiting.until(LIMIT, () -> !client.isRunning(), () -> "the client goes on: " + client);
            assertThat(client.errors()).contains("alert internal error");
        }
    }

    @Test
    void keepsAClientThatTakesShortRecords() throws Exception {
        requireKernelTls();
        Gateway gateway = gateway(RecordProtection.KERNEL, fixture.closing(TestBackend.echoing()));
        try (RunningProgram client = openssl(gateway, "-tls1_2", "-maxfraglen", "1024")) {
            talk(client, "a short line");
            client.endInput();
            awaitEnds(gateway, "completed", 1);
        }
        assertThat(outcomes(gateway)).isEqualTo(Map.of("short_records", 1L));
    }

    /** The client's direction goes on after the backend has ended the other, and the other way round. */
    @Test
    void passesHalfClosesOn() throws Exception {
        requireKernelTls();
        TestBackend counting = fixture.closing(TestBackend.serving(socket -> {
            int count = socket.getInputStream().readAllBytes().length;
            socket.getOutputStream().write(("counted " + count).getBytes(US_ASCII));
            socket.shutdownOutput();
        }));
        Gateway gateway = gateway(RecordProtection.KERNEL, counting);
        try (SSLSocket client = TlsClient.plain()
                .speaking("TLSv1.3")
                .connect(gateway.addresses().getFirst())) {
            write(client, new byte[BULK_BYTES]);
            client.shutdownOutput();
            assertThat(client.getInputStream().readAllBytes())
                    .asString(US_ASCII)
                    .isEqualTo("counted " + BULK_BYTES);
        }
        awaitEnds(gateway, "completed", 1);
        assertThat(outcomes(gateway)).isEqualTo(Map.of("kernel", 1L));
    }

    @Test
    void reportsAReset() throws Exception {
        requireKernelTls();
        Gateway gateway = gateway(RecordProtection.KERNEL, fixture.closing(TestBackend.echoing()));
        try (Socket plain = TlsClient.plainSocket(gateway.addresses().getFirst());
                SSLSocket client = TlsClient.plain().over(plain)) {
            client.getOutputStream().write('a');
            assertThat(client.getInputStream().read()).isEqualTo('a');
            TlsClient.reset(plain);
            awaitEnds(gateway, "client_connection_reset", 1);
        }
        assertThat(outcomes(gateway)).isEqualTo(Map.of("kernel", 1L));
    }

    @Test
    void reportsAnEndWithoutCloseNotify() throws Exception {
        requireKernelTls();
        Gateway gateway = gateway(RecordProtection.KERNEL, fixture.closing(TestBackend.echoing()));
        try (Socket plain = TlsClient.plainSocket(gateway.addresses().getFirst());
                SSLSocket client = TlsClient.plain().over(plain)) {
            client.getOutputStream().write('a');
            assertThat(client.getInputStream().read()).isEqualTo('a');
            plain.shutdownOutput();
            awaitEnds(gateway, "client_truncated", 1);
        }
        assertThat(outcomes(gateway)).isEqualTo(Map.of("kernel", 1L));
    }

    /** The socket is full when close_notify is due. */
    @Test
    void endsALongAnswerThatTheClientReadsLate() throws Exception {
        requireKernelTls();
        byte[] answer = new byte[4 * BULK_BYTES];
        new Random(11).nextBytes(answer);
        Gateway gateway = gateway(RecordProtection.KERNEL, fixture.closing(TestBackend.serving(socket -> {
            socket.getInputStream().read();
            socket.getOutputStream().write(answer);
            socket.shutdownOutput();
            socket.getInputStream().readAllBytes();
        })));
        try (SSLSocket client = TlsClient.plain()
                .speaking("TLSv1.3")
                .connect(gateway.addresses().getFirst())) {
            client.getOutputStream().write('a');
            byte[] first = client.getInputStream().readNBytes(1);
            Thread.sleep(500);
            byte[] rest = client.getInputStream().readAllBytes();
            assertThat(first[0]).isEqualTo(answer[0]);
            assertThat(Arrays.equals(rest, 0, rest.length, answer, 1, answer.length))
                    .isTrue();
        }
        awaitEnds(gateway, "completed", 1);
    }

    /** Reports the system calls of each megabyte, too: they depend on the machine's speed, and copies do not. */
    @ParameterizedTest
    @EnumSource(
            value = RecordProtection.class,
            names = {"DIRECT", "KERNEL"})
    void copiesNoBytesOfALongAnswer(RecordProtection records, TestReporter reporter) throws Exception {
        requireKernelTls();
        Gateway gateway = gateway(records, fixture.closing(TestBackend.serving(socket -> {
            socket.getOutputStream().write(new byte[4 * BULK_BYTES]);
            socket.shutdownOutput();
            socket.getInputStream().readAllBytes();
        })));
        double callsBefore = gateway.metrics().sum(Metric.LOOP_SYSTEM_CALLS);
        try (SSLSocket client = TlsClient.plain()
                .speaking("TLSv1.3")
                .connect(gateway.addresses().getFirst())) {
            assertThat(client.getInputStream().readAllBytes()).hasSize(4 * BULK_BYTES);
        }
        awaitEnds(gateway, "completed", 1);
        double calls = gateway.metrics().sum(Metric.LOOP_SYSTEM_CALLS) - callsBefore;
        reporter.publishEntry(
                "system calls for each megabyte, " + transport + ", " + records,
                String.format(Locale.ROOT, "%.1f", calls / (4 * BULK_BYTES / 1e6)));
        // The ClientHello is copied into libssl's memory where that has to answer it.
        assertThat(gateway.metrics().sum(Metric.LOOP_BYTES_COPIED)).isLessThan(4096);
    }

    private void requireKernelTls() {
        assumeTrue(kernelHasTls, KernelRecordsTest::unavailable);
    }

    private Gateway gateway(RecordProtection records, TestBackend server) {
        TlsOptions tls = TlsOptions.DEFAULT.withRecords(records);
        ListenerConfig listener = listener(
                List.of(), TlsOptions.DEFAULT, route(backend("backend", ProxyProtocol.NONE, server.address())));
        GatewayConfig config = fixture.config(listener.withTls(tls));
        // The virtual machine interprets what processors do: the JDK's first handshake in it may take many seconds.
        LimitsConfig limits = Copies.of(config.limits()).handshakeTimeout(LIMIT).build();
        return fixture.start(Copies.of(config).limits(limits).build());
    }

    private static Map<String, Long> outcomes(Gateway gateway) {
        Map<String, Long> counts = new TreeMap<>(gateway.metrics().countBy(Metric.TLS_KERNEL_RECORDS, "outcome"));
        counts.values().removeIf(count -> count == 0);
        return counts;
    }

    private static RunningProgram openssl(Gateway gateway, String... options) {
        InetSocketAddress address = gateway.addresses().getFirst();
        List<String> arguments = new ArrayList<>(List.of("s_client", "-connect", "127.0.0.1:" + address.getPort()));
        arguments.addAll(List.of("-servername", "localhost", "-brief"));
        arguments.addAll(List.of(options));
        return ForeignProgram.required("openssl", "openssl")
                .command(arguments.toArray(String[]::new))
                .inputStaysOpen()
                .start();
    }

    private static void talk(RunningProgram client, String line) throws IOException {
        client.type(line + "\n");
        client.awaitOutput(line, LIMIT);
    }

    private static void write(SSLSocket client, byte[] bytes) {
        try {
            client.getOutputStream().write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
