package dev.sluice.doctor;

import dev.sluice.doctor.finding.DoctorReport;
import dev.sluice.doctor.finding.Facts;
import dev.sluice.doctor.finding.FindingKind;
import dev.sluice.doctor.finding.Findings;
import dev.sluice.ffi.libc.LibC;
import dev.sluice.ffi.openssl.EvpPkey;
import dev.sluice.ffi.openssl.SelfSignedCertificate;
import dev.sluice.ffi.openssl.SslCtx;
import dev.sluice.ffi.openssl.X509;
import dev.sluice.ffi.openssl.raw.OpenSsl;
import dev.sluice.ffi.openssl.raw.OpenSslNotFoundException;
import dev.sluice.net.EventLoop;
import dev.sluice.net.EventLoopConfig;
import dev.sluice.net.loop.EventLoops;
import dev.sluice.tls.context.ContextBuilder;
import dev.sluice.tls.engine.KernelTls;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The audit of this machine's native side: OpenSSL, processor, kernel, limits. Takes about a second, mostly for
 * measuring.
 */
public final class NativeDoctor {
    private static final List<String> TOLD_FEATURES = List.of(
            "aes",
            "pclmulqdq",
            "vaes",
            "vpclmulqdq",
            "avx2",
            "avx512f",
            "avx512vl",
            "sha_ni",
            "bmi2",
            "adx",
            "pmull",
            "sha2");
    private static final int BULK_BYTES = 16 * 1024;
    private static final int SMALL_BYTES = 1024;
    private static final long FEW_DESCRIPTORS = 65_536;
    private static final long LITTLE_LOCKED_BYTES = 8L << 20;
    private static final long SHORT_QUEUE = 1_024;

    private final Findings findings = new Findings();
    private final Facts facts = new Facts();
    private final Machine machine = new Machine();

    private NativeDoctor() {}

    /** Runs the audit. */
    public static DoctorReport examine() {
        NativeDoctor doctor = new NativeDoctor();
        doctor.processor();
        doctor.openSsl();
        doctor.kernel();
        doctor.limits();
        return new DoctorReport("this machine", true, doctor.findings.inOrderOfEffect(), doctor.facts, 0);
    }

    private void processor() {
        Set<String> features = machine.processorFeatures();
        facts.put("processor", "model", machine.processorModel());
        facts.put("processor", "processors", Runtime.getRuntime().availableProcessors());
        facts.put(
                "processor",
                "features",
                TOLD_FEATURES.stream().filter(features::contains).toList());
        findings.addIf(
                !features.isEmpty() && !features.contains("aes"),
                FindingKind.LOCAL_NO_AES,
                "no \"aes\" among the flags of /proc/cpuinfo");
    }

    private void openSsl() {
        try {
            OpenSsl openSsl = OpenSsl.require();
            facts.put("openssl", "version", openSsl.version());
            facts.put("openssl", "file", openSsl.libraryFile());
            facts.put("openssl", "processor", openSsl.cpuInfo());
            facts.put(
                    "openssl",
                    "groups",
                    ContextBuilder.DEFAULT_GROUPS.stream()
                            .filter(openSsl::supportsGroup)
                            .toList());
            facts.put("openssl", "names of groups", openSsl.supportsGroupNames());
            facts.put("openssl", "certificate compression", compressions());
            facts.put("openssl", "Encrypted ClientHello", openSsl.supportsEncryptedHello());
            findings.addIf(
                    !openSsl.supportsGroup("X25519MLKEM768"),
                    FindingKind.LOCAL_NO_POST_QUANTUM,
                    openSsl.version() + " lacks X25519MLKEM768");
            sealing(openSsl);
        } catch (OpenSslNotFoundException e) {
            findings.add(FindingKind.LOCAL_NO_OPENSSL, String.valueOf(e.getMessage()));
        }
    }

    /** Returns the algorithms that OpenSSL compresses certificates by, tried on one. */
    private static List<String> compressions() {
        try (EvpPkey key = EvpPkey.generateElliptic("P-256");
                X509 certificate = SelfSignedCertificate.timeless(key, "doctor");
                SslCtx context = SslCtx.server()) {
            context.useCertificate(certificate, key, List.of());
            return Stream.of(SslCtx.Compression.values())
                    .filter(context::compressCertificates)
                    .map(algorithm -> algorithm.name().toLowerCase(Locale.ROOT))
                    .toList();
        }
    }

    private void sealing(OpenSsl openSsl) {
        for (String cipher : List.of("AES-128-GCM", "AES-256-GCM", "ChaCha20-Poly1305")) {
            double bulk = SealingSpeed.nanosPerSeal(cipher, BULK_BYTES);
            double small = SealingSpeed.nanosPerSeal(cipher, SMALL_BYTES);
            facts.put(
                    "openssl, measured",
                    cipher,
                    String.format(
                            Locale.ROOT,
                            "%.1f GB/s (16 KiB in %.2f µs), 1 KiB in %.0f ns",
                            BULK_BYTES / bulk,
                            bulk / 1_000,
                            small));
            Set<String> features = machine.processorFeatures();
            boolean could = features.contains("vaes") && features.contains("avx512f") && !openSsl.isAtLeast(3, 1);
            findings.addIf(
                    could && cipher.equals("AES-128-GCM"),
                    FindingKind.LOCAL_SLOW_AES_GCM,
                    String.format(
                            Locale.ROOT,
                            "%s seals %.1f GB/s here; the processor has VAES and AVX-512",
                            openSsl.version(),
                            BULK_BYTES / bulk));
        }
    }

    private void kernel() {
        facts.put("kernel", "version", System.getProperty("os.version") + " " + System.getProperty("os.arch"));
        try (EventLoop loop = EventLoops.start(EventLoopConfig.defaults())) {
            facts.put("kernel", "transport", loop.backendReason());
            findings.addIf(
                    loop.backend() != EventLoop.Backend.IO_URING, FindingKind.LOCAL_NO_URING, loop.backendReason());
        }
        try (LibC libc = new LibC()) {
            String missing = KernelTls.unavailable(libc);
            facts.put("kernel", "TLS", missing.isEmpty() ? "there" : missing);
            findings.addIf(!missing.isEmpty(), FindingKind.LOCAL_NO_KTLS, missing);
        }
        String queue = machine.setting("net/core/somaxconn");
        facts.put("kernel", "net.core.somaxconn", queue.isEmpty() ? "unknown" : queue);
        findings.addIf(
                queue.matches("[0-9]{1,9}") && Long.parseLong(queue) < SHORT_QUEUE,
                FindingKind.LOCAL_SHORT_ACCEPT_QUEUE,
                "net.core.somaxconn is " + queue);
        String disabled = machine.setting("kernel/io_uring_disabled");
        facts.put("kernel", "kernel.io_uring_disabled", disabled.isEmpty() ? "unknown" : disabled);
    }

    private void limits() {
        Machine.Limit files = machine.limit("Max open files");
        Machine.Limit locked = machine.limit("Max locked memory");
        facts.put("limits", "descriptors (NOFILE)", files.text());
        facts.put("limits", "locked memory (MEMLOCK)", locked.text());
        findings.addIf(
                files.hard() < FEW_DESCRIPTORS,
                FindingKind.LOCAL_FEW_DESCRIPTORS,
                "the hard limit is " + files.hard() + ", enough for " + files.hard() / 2 + " connections");
        findings.addIf(
                locked.soft() < LITTLE_LOCKED_BYTES,
                FindingKind.LOCAL_LITTLE_LOCKED_MEMORY,
                "the limit is " + locked.soft() + " bytes");
    }
}
