package dev.sluice.tls.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ffi.libc.LibC;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** A test of the probe; {@code tools/ktls} tests connections on a kernel with TLS, see {@link KernelTlsTrial}. */
final class KernelTlsTest {
    @Test
    void reportsTheKernelsTlsSupport() throws Exception {
        Path available = Path.of("/proc/sys/net/ipv4/tcp_available_ulp");
        try (LibC libc = new LibC()) {
            String unavailable = KernelTls.unavailable(libc);
            if (unavailable.isEmpty()) {
                assertThat(available).content().contains("tls"); // loaded by now, if it was not before
            } else {
                assertThat(unavailable).contains("TCP_ULP");
                assertThat(Files.exists(available) ? Files.readString(available) : "")
                        .doesNotContain("tls");
            }
        }
    }
}
