package dev.sluice.transfer.move;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.transfer.move.TransferProgress.ActiveFile;
import dev.sluice.transfer.move.TransferProgress.ActiveStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of the counters that a display reads. */
final class TransferProgressTest {
    private final TransferProgress progress = new TransferProgress();

    @Test
    void countsAFileThatTwoStreamsSendOnce() {
        try (StreamProgress first = progress.stream(0);
                StreamProgress second = progress.stream(1)) {
            first.sent(bytes("large"), 100, 10);
            second.sent(bytes("large"), 100, 20);
            first.sent(bytes("large"), 100, 5);
            assertThat(files()).containsExactly("large 35 of 100");

            first.sent(bytes("other"), 50, 1);
            assertThat(files()).containsExactly("large 35 of 100", "other 1 of 50");
            assertThat(streams()).containsExactly("0: 16 other", "1: 20 large");
        }
        assertThat(files()).isEmpty();
        assertThat(streams()).isEmpty();
    }

    @Test
    void listsNoFileThatIsComplete() {
        try (StreamProgress stream = progress.stream(3)) {
            assertThat(streams()).containsExactly("3: 0 -");
            stream.sent(bytes("small"), 10, 10);
            assertThat(files()).isEmpty();
            assertThat(streams()).containsExactly("3: 10 small");
        }
    }

    @Test
    void startsAnewWithAFileThatAllStreamsHaveLeft() {
        try (StreamProgress stream = progress.stream(0)) {
            stream.sent(bytes("one"), 100, 10);
            stream.sent(bytes("two"), 100, 10);
            stream.sent(bytes("one"), 100, 1);
            assertThat(files()).containsExactly("one 1 of 100");
        }
    }

    private List<String> files() {
        return progress.snapshot().files().stream()
                .map(TransferProgressTest::text)
                .toList();
    }

    private static String text(ActiveFile file) {
        return new String(file.path(), StandardCharsets.UTF_8) + " " + file.done() + " of " + file.size();
    }

    private List<String> streams() {
        return progress.snapshot().streams().stream()
                .map(TransferProgressTest::text)
                .toList();
    }

    private static String text(ActiveStream stream) {
        byte[] path = stream.path();
        return stream.number() + ": " + stream.bytes() + " "
                + (path == null ? "-" : new String(path, StandardCharsets.UTF_8));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
