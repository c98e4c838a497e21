package dev.sluice.tls.ticket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.openssl.TicketKey;
import dev.sluice.memory.NativeAllocator;
import dev.sluice.tls.Wire;
import dev.sluice.tls.context.EngineConformance;
import dev.sluice.tls.context.ProtocolVersion;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.engine.EngineKind;
import dev.sluice.tls.engine.OurPeer;
import dev.sluice.tls.engine.TlsSession;
import dev.sluice.tls.failure.TlsConfigurationException;
import dev.sluice.tls.ticket.TicketKeyRing.Outcome;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of ticket-key rotation with a simulated clock. */
@ParameterizedClass
@EnumSource(EngineKind.class)
final class TicketKeyRingTest extends EngineConformance {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration ROTATE = Duration.ofHours(1);
    private static final Duration KEEP = Duration.ofHours(2);

    private Instant now = START;
    private long nanos;
    private final CountingAllocator allocator = new CountingAllocator();
    private final TicketKeyRing ring = new TicketKeyRing(ROTATE, KEEP, () -> now, () -> nanos, allocator);

    TicketKeyRingTest(EngineKind kind) {
        super(kind);
    }

    @AfterEach
    void wipe() {
        ring.close();
    }

    @Test
    void keysChangeTheirStatesByTheClock() {
        assertThat(states()).containsExactly("2 NEXT", "1 CURRENT");
        assertThat(ring.advance()).isEqualTo(START.plus(ROTATE));

        now = START.plus(ROTATE);
        assertThat(states()).as("without any call").containsExactly("2 CURRENT", "1 PREVIOUS");
        assertThat(ring.advance()).isEqualTo(START.plus(ROTATE.multipliedBy(2)));
        assertThat(states()).containsExactly("3 NEXT", "2 CURRENT", "1 PREVIOUS");

        now = START.plus(ROTATE).plus(KEEP);
        ring.advance();
        assertThat(states()).containsExactly("5 NEXT", "4 CURRENT", "3 PREVIOUS", "2 PREVIOUS", "1 EXPIRED");

        now = now.plus(TicketKeyRing.FORGET_DELAY);
        ring.advance();
        assertThat(states()).containsExactly("5 NEXT", "4 CURRENT", "3 PREVIOUS", "2 PREVIOUS");
    }

    /** Checks that a dropped key is kept for handshakes on other threads that may still use it. */
    @Test
    void wipesAKeyOnlyWhenNoHandshakeCanHoldIt() {
        now = START.plus(ROTATE).plus(KEEP).plus(TicketKeyRing.FORGET_DELAY);
        ring.advance();
        assertThat(states()).noneMatch(state -> state.startsWith("1 "));
        assertThat(allocator.freed).isZero();

        nanos += TicketKeyRing.WIPE_DELAY.toNanos() - 1;
        ring.advance();
        assertThat(allocator.freed).isZero();

        nanos++;
        ring.advance();
        assertThat(allocator.freed).isEqualTo(1);
        ring.close();
        assertThat(allocator.freed).isEqualTo(allocator.allocated);
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void aRingThatIsNotAdvancedStopsSealing(ProtocolVersion version) {
        TlsContext server =
                closing(serverWith(CERTIFICATES.server()).ticketKeys(ring).build());
        TlsContext client = closing(trustingClient().versions(version, version).build());
        now = START.plus(Duration.ofDays(3));

        connect(client, server, null, false);
        assertThat(ring.count(Outcome.SEALED)).isZero();

        ring.advance();
        connect(client, server, null, false);
        assertThat(ring.count(Outcome.SEALED)).isPositive();
    }

    @Test
    void replacesKeysAfterALongSuspension() {
        now = START.plus(Duration.ofDays(3));
        assertThat(ring.advance()).isEqualTo(now.plus(ROTATE));
        assertThat(states()).containsExactly("4 NEXT", "3 CURRENT");
    }

    @Test
    void aManualRotationTakesEffectAtOnce() {
        ring.rotateNow();
        assertThat(states()).containsExactly("4 NEXT", "3 CURRENT", "1 PREVIOUS", "2 EXPIRED");
    }

    @Test
    void keysHaveDistinctIds() {
        ring.rotateNow();
        assertThat(ring.keys()).extracting(TicketKeyInfo::id).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void ticketsLastForTheirLifetime(ProtocolVersion version) {
        TlsContext server =
                closing(serverWith(CERTIFICATES.server()).ticketKeys(ring).build());
        TlsContext client = closing(trustingClient().versions(version, version).build());
        TlsSession session = Objects.requireNonNull(connect(client, server, null, false));
        boolean single = version == ProtocolVersion.TLS_1_3; // a ticket is used once
        assertThat(ring.count(Outcome.SEALED)).isEqualTo(single ? 2 : 1);

        connect(client, server, session, true);
        assertThat(ring.count(Outcome.CURRENT)).isEqualTo(1);
        assertThat(ring.count(Outcome.SEALED)).isEqualTo(single ? 3 : 1);

        // The last moment in which its key may have sealed it, then its whole lifetime.
        now = START.plus(ROTATE).plus(KEEP).minusMillis(1);
        ring.advance();
        TlsSession renewed = connect(client, server, session, true);
        assertThat(ring.count(Outcome.PREVIOUS)).isEqualTo(1);

        now = START.plus(ROTATE).plus(KEEP);
        ring.advance();
        connect(client, server, session, false);
        assertThat(ring.count(Outcome.EXPIRED)).isEqualTo(1);
        connect(client, server, Objects.requireNonNull(renewed), true);
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void reportsTheTicketOfAnotherRingAsUnknown(ProtocolVersion version) {
        try (TicketKeyRing stranger = new TicketKeyRing(ROTATE, KEEP, () -> now)) {
            TlsContext server =
                    closing(serverWith(CERTIFICATES.server()).ticketKeys(ring).build());
            TlsContext other = closing(
                    serverWith(CERTIFICATES.server()).ticketKeys(stranger).build());
            TlsContext client =
                    closing(trustingClient().versions(version, version).build());

            TlsSession session = Objects.requireNonNull(connect(client, other, null, false));
            connect(client, server, session, false);
            assertThat(ring.count(Outcome.UNKNOWN)).isEqualTo(1);
        }
    }

    /** Installs one key twice, as a file or store may list it. */
    @Test
    void aKeyInstalledTwiceCountsAndIsWipedOnce() {
        TicketKey key = TicketKey.random(allocator);
        TicketKey copy = TicketKey.of(allocator, key.secret());
        long second = now.toEpochMilli() + 1_000;
        ring.install(List.of(new TimedTicketKey(key, 7, 1, second), new TimedTicketKey(copy, 8, 2, second * 2)));
        assertThat(states()).contains("7 CURRENT").noneMatch(state -> state.startsWith("8"));
        assertThat(allocator.freed).isEqualTo(1);

        now = now.plus(TicketKeyRing.FORGET_DELAY).plusSeconds(1);
        ring.install(List.of());
        nanos += TicketKeyRing.WIPE_DELAY.toNanos();
        ring.install(List.of());
        assertThat(ring.keys()).isEmpty();
        assertThat(allocator.freed).isEqualTo(allocator.allocated);
    }

    /** Installs a dropped key again before it was wiped. */
    @Test
    void keepsAKeyThatIsInstalledAgain() {
        TimedTicketKey key = ring.timedKeys().getLast();
        ring.install(List.of());
        now = now.plus(TicketKeyRing.FORGET_DELAY);
        ring.install(List.of());
        assertThat(ring.keys()).isEmpty();
        ring.install(List.of(key));
        nanos += TicketKeyRing.WIPE_DELAY.toNanos();
        ring.install(List.of(key));

        assertThat(states()).containsExactly("1 CURRENT");
        assertThat(allocator.freed).isEqualTo(1);
    }

    @Test
    void rejectsTimesThatNeedTooManyKeys() {
        assertThatThrownBy(() -> new TicketKeyRing(Duration.ofSeconds(1), Duration.ofHours(1), () -> now))
                .isInstanceOf(TlsConfigurationException.class)
                .hasMessageContaining("rotate more slowly");
        assertThatThrownBy(() -> new TicketKeyRing(Duration.ZERO, KEEP, () -> now))
                .isInstanceOf(TlsConfigurationException.class)
                .hasMessageContaining("at least one second");
    }

    private List<String> states() {
        return ring.keys().stream()
                .map(key -> key.generation() + " " + key.state())
                .toList();
    }

    private @Nullable TlsSession connect(
            TlsContext clientContext, TlsContext serverContext, @Nullable TlsSession session, boolean resumed) {
        try (OurPeer server = kind.server(serverContext);
                OurPeer client = session == null
                        ? kind.client(clientContext, "localhost")
                        : kind.client(clientContext, "localhost", session)) {
            Wire wire = Wire.whole();
            wire.handshake(client, server);
            assertThat(server.info().resumed()).isEqualTo(resumed);
            server.write(PING);
            assertThat(wire.carry(server, client)).isEqualTo(PING);
            TlsSession next = client.engine().session();
            return next == null ? null : closing(next);
        }
    }

    /** An allocator that counts allocations and live blocks. */
    private static final class CountingAllocator implements NativeAllocator {
        private final MallocAllocator malloc = new MallocAllocator();
        private int allocated;
        private int freed;

        @Override
        public MemorySegment allocate(long byteSize, long byteAlignment) {
            allocated++;
            return malloc.allocate(byteSize, byteAlignment);
        }

        @Override
        public void free(MemorySegment segment) {
            freed++;
            malloc.free(segment);
        }
    }
}
