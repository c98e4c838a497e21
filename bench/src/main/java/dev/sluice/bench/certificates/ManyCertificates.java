package dev.sluice.bench.certificates;

import dev.sluice.bench.harness.Metric;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.read.ConfigFile;
import dev.sluice.config.yaml.ConfigException;
import dev.sluice.ffi.openssl.EvpPkey;
import dev.sluice.ffi.openssl.SelfSignedCertificate;
import dev.sluice.ffi.openssl.X509;
import dev.sluice.ffi.openssl.raw.OpenSsl;
import dev.sluice.gateway.Gateway;
import dev.sluice.gateway.certificate.OpenSslCheck;
import dev.sluice.gateway.log.GatewayLog;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;

/**
 * A gateway in this process that serves a directory of certificates, ECDSA P-256 with a name each. Measures the time to
 * read them and to listen, their memory, the waiting time of the first and the second client of a name, and the time of
 * a reload.
 */
public final class ManyCertificates {
    /** The headline: the time until the gateway listens. */
    public static final Metric STARTED = Metric.cost("start_millis", "start in total ms");

    private static final Metric LOADED = Metric.cost("load_millis", "read and checked ms");
    private static final Metric SERVED = Metric.cost("kib_per_certificate", "KiB per certificate");
    private static final Metric REQUESTED = Metric.cost("kib_per_requested_name", "KiB per requested name");
    private static final Metric FIRST = Metric.cost("first_client_micros", "first client µs");
    private static final Metric SECOND = Metric.cost("second_client_micros", "second client µs");
    private static final Metric RELOADED = Metric.cost("reload_millis", "reload ms");
    private static final long MEBIBYTE = 1 << 20;
    private static final double KIBIBYTE = 1024;

    private final int count;
    private final int asked;
    private final PrintStream out;
    private final Map<Metric, Double> figures = new LinkedHashMap<>();

    /**
     * Creates an instance.
     *
     * @param count number of certificates
     * @param asked number of names that clients request, twice each
     * @param out destination of the report
     */
    public ManyCertificates(int count, int asked, PrintStream out) {
        this.count = count;
        this.asked = Math.min(asked, count);
        this.out = out;
    }

    /** Runs the measurement, reports, and returns the figures by metric. */
    public Map<Metric, Double> run() throws IOException, ConfigException, GeneralSecurityException {
        Path directory = Files.createTempDirectory("sluice-certificates");
        try (ServerSocket backend = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.ofPlatform().daemon().name("backend").start(() -> serve(backend));
            out.println(OpenSsl.require().version() + ", " + count + " certificates, "
                    + Runtime.getRuntime().availableProcessors() + " loops");
            issue(directory);
            measure(configuration(directory, backend.getLocalPort()));
        } finally {
            delete(directory);
        }
        return new LinkedHashMap<>(figures);
    }

    private void issue(Path directory) throws IOException {
        Path certificates = Files.createDirectories(directory.resolve("certs"));
        for (int i = 0; i < count; i++) {
            try (EvpPkey key = EvpPkey.generateElliptic("P-256");
                    X509 certificate =
                            SelfSignedCertificate.make(key, host(i), List.of(host(i)), Duration.ofDays(30))) {
                Files.write(certificates.resolve(host(i) + ".crt"), certificate.toPem());
                Files.write(certificates.resolve(host(i) + ".key"), key.toPem());
            }
        }
    }

    private static Path configuration(Path directory, int backendPort) throws IOException {
        return Files.writeString(directory.resolve("sluice.yaml"), """
                listeners: [{address: "127.0.0.1:0", certificates: [all], backend: main}]
                certificates: {all: {dir: certs}}
                backends: {main: {servers: ["127.0.0.1:%d"]}}
                """.formatted(backendPort));
    }

    private void measure(Path file) throws IOException, ConfigException, GeneralSecurityException {
        long before = resident();
        long began = System.nanoTime();
        try (Gateway gateway = start(file)) {
            tell(STARTED, "total start", began);
            tellMemory(SERVED, "served", before, count);
            ask(gateway, 0); // the JDK's client has memory of its own
            long warm = resident();
            tellClients(FIRST, "first client of a name", gateway);
            tellMemory(REQUESTED, "requested: the TLS context of one loop", warm, asked);
            tellClients(SECOND, "second client of a name", gateway);
            long beganReload = System.nanoTime();
            try (OpenSslCheck next = new OpenSslCheck()) {
                gateway.reload(ConfigFile.read(file, next), next);
            }
            tell(RELOADED, "reload", beganReload);
        }
    }

    private Gateway start(Path file) throws ConfigException {
        long began = System.nanoTime();
        try (OpenSslCheck check = new OpenSslCheck()) {
            GatewayConfig config = ConfigFile.read(file, check);
            tell(LOADED, "certificates and keys loaded and checked", began);
            return Gateway.start(config, GatewayLog.NONE, check);
        }
    }

    private void tellClients(Metric metric, String who, Gateway gateway) throws IOException, GeneralSecurityException {
        long began = System.nanoTime();
        for (int i = 0; i < asked; i++) {
            ask(gateway, i);
        }
        long micros = (System.nanoTime() - began) / 1_000 / asked;
        figures.put(metric, (double) micros);
        out.printf(Locale.ROOT, "%-42s %8d µs, from connect to the end of the handshake%n", who, micros);
    }

    private static void ask(Gateway gateway, int number) throws IOException, GeneralSecurityException {
        InetSocketAddress address = gateway.addresses().getFirst();
        SSLContext context = SSLContext.getInstance("TLS"); // a new one resumes nothing
        context.init(null, new TrustManager[] {new TrustsAnyone()}, null);
        try (Socket plain = new Socket(address.getAddress(), address.getPort());
                SSLSocket socket = (SSLSocket)
                        context.getSocketFactory().createSocket(plain, host(number), address.getPort(), true)) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setServerNames(List.of(new SNIHostName(host(number))));
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            String subject = socket.getSession().getPeerPrincipal().getName();
            if (!subject.equals("CN=" + host(number))) {
                throw new IllegalStateException("requested " + host(number) + ", got " + subject);
            }
        }
    }

    private static String host(int number) {
        return "host-" + number + ".example";
    }

    private void tell(Metric metric, String what, long began) {
        long millis = (System.nanoTime() - began) / 1_000_000;
        figures.put(metric, (double) millis);
        out.printf(Locale.ROOT, "%-42s %8d ms%n", what, millis);
    }

    private void tellMemory(Metric metric, String what, long before, int among) throws IOException {
        long more = resident() - before;
        double each = more / KIBIBYTE / among;
        figures.put(metric, each);
        out.printf(Locale.ROOT, "%-42s %8.1f MiB more, %.1f KiB each%n", what, more / (double) MEBIBYTE, each);
    }

    /**
     * Returns this process's resident memory in bytes, with heap garbage removed as far as the collector releases it.
     */
    private static long resident() throws IOException {
        System.gc();
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                .findFirst()
                .orElseThrow();
    }

    private static void serve(ServerSocket backend) {
        while (!backend.isClosed()) {
            try {
                backend.accept().close();
            } catch (IOException closed) {
                return;
            }
        }
    }

    private static void delete(Path tree) throws IOException {
        try (Stream<Path> files = Files.walk(tree)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
