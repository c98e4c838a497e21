package dev.sluice.gateway.tickets;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.openssl.TicketKey;
import dev.sluice.tls.ticket.TicketKeyInfo;
import dev.sluice.tls.ticket.TicketKeyInfo.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that share ticket keys through a store in memory, on clocks that the test sets. */
final class SharedKeysTest {
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final MemoryStore store = new MemoryStore(() -> now);
    private final List<Node> nodes = new ArrayList<>();
    private Path fleetKey = Path.of("");

    @TempDir
    private Path directory = Path.of("");

    @BeforeEach
    void makeFleetKey() throws IOException {
        fleetKey = Files.write(directory.resolve("fleet.key"), new byte[32]);
    }

    @AfterEach
    void close() {
        nodes.forEach(Node::close);
    }

    private Node node() throws TicketKeyException {
        return node(() -> now, fleetKey);
    }

    private Node node(InstantSource machineClock, Path key) throws TicketKeyException {
        Node node = new Node(store.link(), key, machineClock);
        nodes.add(node);
        return node.poll();
    }

    private void pass(Duration time) {
        now = now.plus(time);
        nodes.forEach(Node::poll);
    }

    @Test
    void nodesHaveTheSameKeysFromTheirFirstMomentOn() throws Exception {
        Node first = node();
        Node second = node();

        assertThat(second.current()).isEqualTo(first.current()).isNotEqualTo("none");
        assertThat(second.opens()).isEqualTo(first.opens()).hasSize(1 + Node.AHEAD);
        assertThat(store.replacements).isEqualTo(1);
    }

    @Test
    void whoeverSealsTheOthersCanOpenAtAnyMoment() throws Exception {
        node();
        node();
        node();
        // Polls of the nodes lie at odd times, and the clock goes on in between.
        for (int i = 0; i < 3_000; i++) {
            now = now.plusSeconds(7);
            nodes.get(i % 3).poll();
            for (Node sealing : nodes) {
                for (Node opening : nodes) {
                    assertThat(opening.opens()).contains(sealing.current());
                }
            }
        }
        assertThat(nodes.getFirst().ring.keys().getFirst().generation()).isGreaterThan(5);
    }

    @Test
    void aNewKeyIsInTheStoreForTwoPollsBeforeItSeals() throws Exception {
        Node node = node();
        for (int i = 0; i < 20; i++) {
            List<String> known =
                    node.ring.keys().stream().map(TicketKeyInfo::id).toList();
            pass(Duration.ofMinutes(30));
            node.ring.keys().stream()
                    .filter(key -> !known.contains(key.id()))
                    .forEach(key -> assertThat(key.notBefore()).isAfterOrEqualTo(now.plus(Node.POLL.multipliedBy(2))));
        }
    }

    @Test
    void oneNodeRotatesForAll() throws Exception {
        node();
        node();
        node();
        int before = store.replacements;
        for (int i = 0; i < 5; i++) {
            pass(Node.ROTATE);
        }
        assertThat(store.replacements - before).isEqualTo(5);
    }

    @Test
    void whoLosesTheRaceGoesByTheWinnersKeys() throws Exception {
        Node first = node();
        Node second = node();
        now = now.plus(Node.ROTATE);
        store.beforeReplacement = second::poll;
        first.poll();

        assertThat(store.replacements).isEqualTo(2);
        assertThat(first.opens()).isEqualTo(second.opens());
    }

    @Test
    void whenTheStoreIsLostForHoursNothingChanges() throws Exception {
        Node first = node();
        Node second = node();
        store.lost = true;
        for (int hour = 0; hour < Node.AHEAD; hour++) {
            pass(Node.ROTATE);
            assertThat(second.current()).isEqualTo(first.current());
            assertThat(first.keys.status().localKeys()).isZero();
        }
        assertThat(first.log.warnings).singleElement().asString().contains("does not answer", "stay in use");
        assertThat(first.keys.status().alarm()).contains("does not answer");

        store.lost = false;
        pass(Node.POLL);
        assertThat(first.keys.status().alarm()).isNull();
        assertThat(first.log.infos).singleElement().asString().contains("again");
    }

    @Test
    void behindTheHorizonEachNodeMakesKeysOfItsOwnAndTheOthersLearnOfThem() throws Exception {
        Node first = node();
        Node second = node();
        store.lost = true;
        pass(Node.ROTATE.multipliedBy(Node.AHEAD + 1));
        String alone = first.current();
        assertThat(second.current()).isNotEqualTo(alone);
        assertThat(first.keys.status().localKeys()).isEqualTo(1);
        assertThat(first.log.warnings).last().asString().contains("makes its own", "resume nowhere else");

        store.lost = false;
        first.poll();
        second.poll();
        first.poll();
        assertThat(first.opens()).isEqualTo(second.opens()).contains(alone);
        pass(Node.POLL.multipliedBy(3));
        assertThat(first.current()).isEqualTo(second.current()).isNotEqualTo(alone);
        assertThat(second.opens()).contains(alone);
    }

    @Test
    void aNodeThatStartsWithoutTheStoreIssuesAllTheSame() throws Exception {
        store.lost = true;
        Node lonely = node();
        String own = lonely.current();
        assertThat(own).isNotEqualTo("none");

        store.lost = false;
        Node other = node();
        lonely.poll();
        other.poll();
        assertThat(other.opens()).isEqualTo(lonely.opens()).contains(own);
        assertThat(lonely.current()).isEqualTo(other.current()).isNotEqualTo(own);
    }

    @Test
    void aStoreThatHasLostItsDataIsGivenTheKeysAgain() throws Exception {
        Node first = node();
        Node second = node();
        pass(Node.ROTATE);
        String sealing = first.current();
        store.empty();
        pass(Node.POLL);

        assertThat(first.current()).isEqualTo(second.current()).isEqualTo(sealing);
        assertThat(first.opens()).isEqualTo(second.opens());
        assertThat(node().current()).isEqualTo(sealing);
    }

    /** The nodes begin anew from two sides: one had not seen the last key when the data went. */
    @Test
    void keysOfWhichTheNewDocumentDoesNotKnowAreAddedToIt() throws Exception {
        Node first = node();
        Node second = node();
        now = now.plus(Node.ROTATE);
        first.keys.rotate();
        now = now.plus(Node.POLL.multipliedBy(3));
        String known = first.current();
        store.empty();
        second.poll();
        first.poll();
        second.poll();

        assertThat(second.opens()).isEqualTo(first.opens()).contains(known);
        assertThat(second.current()).isEqualTo(first.current());
    }

    @Test
    void anOldDocumentIsNotTakenBack() throws Exception {
        Node node = node();
        long oldGeneration = store.generation;
        byte[] old = store.document.clone();
        pass(Node.ROTATE);
        node.keys.rotate();
        List<String> keys = node.ring.keys().stream().map(TicketKeyInfo::id).toList();
        long newest = store.generation;

        store.generation = oldGeneration;
        store.document = old;
        node.poll();

        assertThat(node.ring.keys()).extracting(TicketKeyInfo::id).containsAll(keys);
        assertThat(node.log.warnings).last().asString().contains("brought back an old document");
        assertThat(store.generation).isGreaterThan(newest);
    }

    @Test
    void aDocumentThatSomebodyChangedIsNotTaken() throws Exception {
        Node node = node();
        String current = node.current();
        store.document[store.document.length - 20] ^= 1;
        store.generation++;
        byte[] broken = store.document.clone();
        node.poll();

        assertThat(node.current()).isEqualTo(current);
        assertThat(node.keys.status().alarm()).contains("memory://store", "changed or cut", "delete it", "stay in use");
        assertThat(store.document).as("somebody may want to look at it").isEqualTo(broken);

        store.empty();
        node.poll();
        assertThat(node.keys.status().alarm()).isNull();
    }

    @Test
    void anotherGenerationOutsideThanInsideIsNotTaken() throws Exception {
        Node node = node();
        store.generation = 77;
        node.poll();
        assertThat(node.keys.status().alarm()).contains("generation 1 stands there as 77");
    }

    @Test
    void aNodeWithAnotherFleetKeyDoesNoHarm() throws Exception {
        Node right = node();
        byte[] document = store.document.clone();
        byte[] other = new byte[32];
        other[0] = 1;
        Node wrong = node(() -> now, Files.write(directory.resolve("other.key"), other));

        assertThat(wrong.current()).isNotEqualTo("none").isNotEqualTo(right.current());
        assertThat(wrong.keys.status().alarm()).contains("another fleet key", "give all nodes the same file");
        assertThat(store.document).isEqualTo(document);
    }

    @Test
    void aNodeWhoseClockIsADayOffChangesKeysWithTheOthers() throws Exception {
        Node right = node();
        Node ahead = node(() -> now.plus(Duration.ofDays(1)), fleetKey);
        Node behind = node(() -> now.minus(Duration.ofDays(1)), fleetKey);
        for (int i = 0; i < 12; i++) {
            assertThat(List.of(ahead.current(), behind.current())).containsOnly(right.current());
            pass(Duration.ofMinutes(30));
        }
        assertThat(ahead.log.warnings).singleElement().asString().contains("24 hours ahead of", "NTP");
        assertThat(behind.log.warnings).singleElement().asString().contains("24 hours behind", "NTP");
        assertThat(right.log.warnings).isEmpty();
    }

    @Test
    void rotationByHandReachesAllBeforeTheKeySeals() throws Exception {
        Node first = node();
        Node second = node();
        String old = first.current();
        List<String> dropped = first.ids(State.NEXT);
        first.keys.rotate();
        assertThat(first.current()).isEqualTo(old);

        pass(Node.POLL);
        pass(Node.POLL);
        pass(Node.POLL);
        assertThat(first.current())
                .isEqualTo(second.current())
                .isNotEqualTo(old)
                .isNotIn(dropped);
        assertThat(second.opens()).contains(old).doesNotContainAnyElementsOf(dropped);
    }

    @Test
    void rotationByHandNeedsTheStore() throws Exception {
        Node node = node();
        store.lost = true;
        assertThatThrownBy(node.keys::rotate).hasMessageContaining("does not answer");
    }

    @Test
    void keysThatAreImportedOpenOnAllNodesAndSealOnNone() throws Exception {
        Node first = node();
        Node second = node();
        String current = first.current();
        TicketKey imported = TicketKey.random(new MallocAllocator());
        String id = String.format("%016x", Long.reverseBytes(imported.id()));
        first.keys.take(List.of(imported));
        second.poll();

        assertThat(second.opens()).contains(id);
        assertThat(second.current()).isEqualTo(current);
        pass(Node.KEEP);
        assertThat(second.opens()).doesNotContain(id);
    }

    @Test
    void polledAtTimesThatVary() throws Exception {
        Node node = node();
        List<Duration> pauses = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            pauses.add(node.keys.refresh());
        }
        assertThat(pauses)
                .allMatch(pause ->
                        pause.compareTo(Duration.ofSeconds(8)) >= 0 && pause.compareTo(Duration.ofSeconds(12)) <= 0);
        assertThat(pauses.stream().distinct().count()).isGreaterThan(50);
    }

    // --- a start without the store ----------------------------------------------------------------------------------

    private Node startWithCache() throws TicketKeyException {
        Node node = new Node(store.link(), fleetKey, () -> now, directory.resolve("cache"));
        nodes.add(node);
        return node.poll();
    }

    @Test
    void aNodeThatStartsWithoutTheStoreGoesOnWithWhatItHadRead() throws Exception {
        Node other = node();
        startWithCache();
        pass(Node.ROTATE);
        store.lost = true;

        Node restarted = startWithCache();
        assertThat(restarted.current()).isEqualTo(other.current());
        assertThat(restarted.opens()).isEqualTo(other.opens());
        assertThat(restarted.keys.status().localKeys()).isZero();
        pass(Node.ROTATE.multipliedBy(2));
        assertThat(restarted.current()).as("the keys ahead last").isEqualTo(other.current());

        store.lost = false;
        int before = store.replacements;
        pass(Node.POLL);
        assertThat(store.replacements - before)
                .as("one of them adds the keys that are missing")
                .isEqualTo(1);
        assertThat(restarted.opens()).isEqualTo(other.opens());
    }

    @Test
    void whatWasKeptIsSealedAndTheOwnersAlone() throws Exception {
        Path cache = directory.resolve("cache");
        Node node = startWithCache();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(cache)))
                .isEqualTo("rw-------");

        store.lost = true;
        fleetKey = Files.write(directory.resolve("other.key"), "another fleet's key, of 32 bytes".getBytes(US_ASCII));
        Node stranger = startWithCache();
        assertThat(stranger.current()).isNotEqualTo(node.current()).isNotEqualTo("none");
        assertThat(stranger.log.warnings).anyMatch(line -> line.contains(cache.toString()) && line.contains("without"));
        assertThat(directory.resolve("cache.unusable")).exists();
    }

    @Test
    void anOldCacheIsNothingAgainstTheStore() throws Exception {
        Path cache = directory.resolve("cache");
        startWithCache();
        byte[] old = Files.readAllBytes(cache);
        pass(Node.ROTATE.multipliedBy(3));
        Files.write(cache, old);
        store.lost = true;
        Node restarted = startWithCache();
        store.lost = false;
        pass(Node.POLL);

        assertThat(restarted.opens()).isEqualTo(nodes.getFirst().opens());
        assertThat(Files.readAllBytes(cache)).isNotEqualTo(old);
    }
}
