package dev.sluice.gateway.tickets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.tls.ticket.TicketKeyInfo.State;
import dev.sluice.tls.ticket.TicketKeyRing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys that somebody else puts into a directory. */
final class DirectoryKeysTest {
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final Lines log = new Lines();
    private final TicketKeyRing ring = TicketKeyRing.installed(Duration.ofHours(1), () -> now);

    @TempDir
    private Path directory = Path.of("");

    private DirectoryKeys keys() {
        return new DirectoryKeys(ring, directory, () -> now, log);
    }

    @AfterEach
    void wipe() {
        ring.close();
    }

    /** A key whose name is this byte, repeated. */
    private static byte[] key(int name) {
        byte[] key = new byte[80];
        Arrays.fill(key, 0, 16, (byte) name);
        return key;
    }

    private void put(String name, int key) throws IOException {
        Files.write(directory.resolve(name), key(key));
    }

    private void putLines(String name, int... keys) throws IOException {
        Files.writeString(
                directory.resolve(name),
                IntStream.of(keys)
                        .mapToObj(key -> Base64.getEncoder().encodeToString(key(key)))
                        .collect(Collectors.joining("\n")));
    }

    /** Such as "3 CURRENT", the newest first. */
    private List<String> states() {
        return ring.keys().stream()
                .map(key -> Integer.parseInt(key.id().substring(0, 2), 16) + " " + key.state())
                .toList();
    }

    @Test
    void theLastByNameSealsAndTheOthersOpen() throws Exception {
        put("2026-01.key", 1);
        put("2026-03.key", 3);
        put("2026-02.key", 2);
        Files.createDirectory(directory.resolve("..2026_data"));
        keys().refresh();
        assertThat(states()).containsExactly("3 CURRENT", "2 PREVIOUS", "1 PREVIOUS");
    }

    @Test
    void ofHaproxysFileTheLastButOneSeals() throws Exception {
        putLines("keys", 1, 2, 3);
        DirectoryKeys keys = keys();
        keys.refresh();
        assertThat(states()).containsExactly("3 NEXT", "2 CURRENT", "1 PREVIOUS");

        putLines("keys", 2, 3, 4);
        now = now.plusSeconds(5);
        keys.refresh();
        assertThat(states()).containsExactly("4 NEXT", "3 CURRENT", "2 PREVIOUS", "1 EXPIRED");
    }

    @Test
    void aNewKeyOpensAtOnceAndSealsWhenAllNodesHaveIt() throws Exception {
        put("1", 1);
        DirectoryKeys keys = keys();
        keys.refresh();
        put("2", 2);
        keys.refresh();
        assertThat(states()).containsExactly("2 NEXT", "1 CURRENT");

        now = now.plus(DirectoryKeys.SETTLING);
        keys.refresh();
        assertThat(states()).containsExactly("2 CURRENT", "1 PREVIOUS");
    }

    @Test
    void anOldKeyThatIsAddedSealsNothing() throws Exception {
        put("5", 5);
        DirectoryKeys keys = keys();
        keys.refresh();
        put("4", 4);
        keys.refresh();
        now = now.plus(DirectoryKeys.SETTLING);
        keys.refresh();
        assertThat(states()).containsExactly("5 CURRENT", "4 PREVIOUS");
    }

    @Test
    void aKeyThatStandsTwiceCountsWhereItStandsLast() throws Exception {
        put("1", 1);
        put("2", 2);
        put("3", 1);
        DirectoryKeys keys = keys();
        keys.refresh();
        keys.refresh();
        assertThat(states()).containsExactly("1 CURRENT", "2 PREVIOUS");
    }

    @Test
    void aKeyWhoseFileIsGoneOpensNothing() throws Exception {
        put("1", 1);
        put("2", 2);
        DirectoryKeys keys = keys();
        keys.refresh();
        Files.delete(directory.resolve("1"));
        keys.refresh();
        assertThat(states()).containsExactly("2 CURRENT", "1 EXPIRED");
        now = now.plusSeconds(61);
        keys.refresh();
        assertThat(states()).containsExactly("2 CURRENT");
    }

    @Test
    void aFileThatIsNoKeyChangesNothing() throws Exception {
        put("1", 1);
        DirectoryKeys keys = keys();
        keys.refresh();
        Files.writeString(directory.resolve("2"), "half a ke");
        keys.refresh();
        keys.refresh();

        assertThat(states()).containsExactly("1 CURRENT");
        assertThat(log.warnings)
                .singleElement()
                .asString()
                .contains("line 1 of " + directory.resolve("2"), "stay in use");
        assertThat(keys.status().failures()).isEqualTo(2);

        put("2", 2);
        keys.refresh();
        assertThat(keys.status().alarm()).isNull();
        assertThat(ring.keys()).extracting(key -> key.state()).contains(State.NEXT);
    }

    @Test
    void whatIsNotOursIsRefused() throws Exception {
        put("1", 1);
        DirectoryKeys keys = keys();
        keys.refresh();
        assertThatThrownBy(keys::rotate).hasMessageContaining("a new file");
        assertThatThrownBy(() -> keys.take(List.of())).hasMessageContaining("put the file into it");
        Path empty = Files.createDirectory(directory.resolve("empty"));
        assertThatThrownBy(() -> DirectoryKeys.require(empty)).hasMessageContaining("holds 0");
        assertThatThrownBy(() -> DirectoryKeys.require(directory.resolve("absent")))
                .hasMessageContaining("cannot be listed");
    }
}
