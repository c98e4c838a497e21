package dev.sluice.gateway.tickets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.tls.ticket.TicketKeyInfo;
import dev.sluice.tls.ticket.TicketKeyInfo.State;
import dev.sluice.tls.ticket.TicketKeyPlan;
import dev.sluice.tls.ticket.TicketKeyRing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys of one node, with and without a file. */
final class LocalKeysTest {
    private static final Duration ROTATE = Duration.ofHours(1);
    private static final Duration KEEP = Duration.ofHours(3);

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final List<TicketKeyRing> rings = new ArrayList<>();
    private final Lines log = new Lines();
    private TicketKeyRing ring = TicketKeyRing.installed(KEEP, () -> now);

    @TempDir
    private Path directory = Path.of("");

    @AfterEach
    void wipe() {
        rings.forEach(TicketKeyRing::close);
        ring.close();
    }

    private LocalKeys start(@Nullable StateFile file) {
        ring = TicketKeyRing.installed(KEEP, () -> now);
        rings.add(ring);
        LocalKeys keys = new LocalKeys(ring, TicketKeyPlan.alone(ROTATE, KEEP), () -> now, file, log);
        keys.refresh();
        return keys;
    }

    private Path file() {
        return directory.resolve("tickets");
    }

    private List<String> ids() {
        return ring.keys().stream()
                .filter(key -> key.state() != State.EXPIRED)
                .map(TicketKeyInfo::id)
                .toList();
    }

    @Test
    void withoutAFileKeysEndWithTheProcess() {
        start(null);
        List<String> before = ids();
        start(null);
        assertThat(ids()).hasSize(2).doesNotContainAnyElementsOf(before);
    }

    @Test
    void refreshedWhenTheNextKeyIsDueAndEveryTenSecondsInBetween() {
        LocalKeys keys = start(null);
        assertThat(keys.refresh()).isEqualTo(Duration.ofSeconds(10));
        now = now.plus(ROTATE).minusSeconds(5);
        assertThat(keys.refresh()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void aFileKeepsThemAndIsItsOwnersAlone() throws Exception {
        start(new StateFile(file(), null));
        List<String> before = ids();
        now = now.plus(Duration.ofMinutes(5));
        start(new StateFile(file(), null));

        assertThat(ids()).isEqualTo(before);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                .isEqualTo("rw-------");
        assertThat(log.warnings).isEmpty();
    }

    @Test
    void whatExpiredMeanwhileIsNotTakenFromTheFile() {
        start(new StateFile(file(), null));
        List<String> before = ids();
        now = now.plus(Duration.ofDays(2));
        start(new StateFile(file(), null));
        assertThat(ids()).doesNotContainAnyElementsOf(before);
    }

    @Test
    void aFileThatOthersMayReadIsNotUsed() throws IOException {
        start(new StateFile(file(), null));
        List<String> before = ids();
        Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-r-----"));
        LocalKeys keys = start(new StateFile(file(), null));

        assertThat(ids()).doesNotContainAnyElementsOf(before);
        assertThat(log.warnings)
                .singleElement()
                .asString()
                .contains(file().toString(), "users other than", "chmod 600");
        assertThat(keys.status().failures()).isEqualTo(1);
        assertThat(directory.resolve("tickets.unusable")).exists();
    }

    @Test
    void aSealedFileNeedsItsKey() throws Exception {
        Path right = Files.write(directory.resolve("right"), new byte[32]);
        byte[] bytes = new byte[32];
        bytes[1] = 1;
        Path wrong = Files.write(directory.resolve("wrong"), bytes);
        try (FleetKey key = FleetKey.read(right);
                FleetKey other = FleetKey.read(wrong)) {
            start(new StateFile(file(), key));
            List<String> before = ids();
            start(new StateFile(file(), key));
            assertThat(ids()).isEqualTo(before);

            start(new StateFile(file(), other));
            assertThat(ids()).doesNotContainAnyElementsOf(before);
            assertThat(log.warnings).singleElement().asString().contains("another fleet key");
        }
    }

    @Test
    void aDirectoryThatCannotBeWrittenToIsAnAlarmAndNoMore() {
        LocalKeys keys = start(new StateFile(directory.resolve("absent/tickets"), null));
        assertThat(ids()).hasSize(2);
        assertThat(keys.status().alarm()).contains("cannot be written", "a restart will lose them");
    }
}
