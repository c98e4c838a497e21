package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.Curl;
import dev.sluice.interop.fixture.GatewayProcess;
import dev.sluice.interop.fixture.GatewayTest;
import dev.sluice.interop.fixture.HttpBackend;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Much data arrives byte for byte, and the gateway's memory stays bounded while it flows. */
class BulkTransferTest extends GatewayTest {
    private static final long HUGE = (2L << 30) + 1;

    /** The JVM itself and its heap of 512 MiB at most leave room; a gateway that buffered the stream would not. */
    private static final long PEAK_MEBIBYTES_MAX = 512;

    @Test
    void aHundredMebibytesComeDownByteForByte(@TempDir Path directory) throws IOException {
        GatewayProcess gateway = gateway(HttpBackend.start());
        Path received = directory.resolve("received");

        Curl.command("--output", received.toString(), gateway.url() + HttpBackend.PATTERN_BYTES)
                .run()
                .expectSuccess();

        assertThat(HttpBackend.sha256(Files.readAllBytes(received)))
                .isEqualTo(HttpBackend.sha256(HttpBackend.pattern()));
    }

    @Test
    void aHundredMebibytesGoUpByteForByte(@TempDir Path directory) throws IOException {
        GatewayProcess gateway = gateway(HttpBackend.start());
        byte[] pattern = HttpBackend.pattern();
        Path file = Files.write(directory.resolve("sent"), pattern);

        String seen = Curl.command("--upload-file", file.toString(), gateway.url())
                .run()
                .expectSuccess()
                .output();

        assertThat(seen.strip()).isEqualTo(HttpBackend.sha256(pattern));
    }

    @Test
    void moreThanTwoGibibytesComeDownInBoundedMemory() {
        GatewayProcess gateway = gateway(HttpBackend.start());

        String size = Curl.command("--output", "/dev/null", "--write-out", "%{size_download}", gateway.url() + HUGE)
                .within(LONG)
                .run()
                .expectSuccess()
                .output();

        assertThat(size).isEqualTo(Long.toString(HUGE));
        assertThat(gateway.peakMebibytes()).isLessThan(PEAK_MEBIBYTES_MAX);
    }

    @Test
    void moreThanTwoGibibytesGoUpInBoundedMemory(@TempDir Path directory) throws IOException {
        GatewayProcess gateway = gateway(HttpBackend.start());
        Path sparse = directory.resolve("sparse");
        try (RandomAccessFile file = new RandomAccessFile(sparse.toFile(), "rw")) {
            file.setLength(HUGE);
        }

        String size = Curl.command("--upload-file", sparse.toString(), "--write-out", " %{size_upload}", gateway.url())
                .within(LONG)
                .run()
                .expectSuccess()
                .output();

        assertThat(size).endsWith(" " + HUGE);
        assertThat(gateway.peakMebibytes()).isLessThan(PEAK_MEBIBYTES_MAX);
    }
}
