package dev.sluice.tls.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.testkit.AllocatedBytes;
import dev.sluice.tls.failure.EndReason;
import java.lang.foreign.Arena;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests with post-handshake messages split into records at every position. */
final class PostHandshakeReaderTest {
    private static final byte[] KEY_UPDATE = {24, 0, 0, 1, 0};

    private final Arena arena = Arena.ofConfined();
    private final long memory = arena.allocate(20_000).address();
    private PostHandshakeReader reader = new PostHandshakeReader(false);

    @AfterEach
    void free() {
        arena.close();
    }

    @Test
    void skipsTicketsSplitAnywhere() {
        for (byte[] ticket : Tickets.wellFormed()) {
            byte[] two = join(ticket, ticket);
            for (int cut = 1; cut < two.length; cut++) {
                assertThat(read(Arrays.copyOf(two, cut))).isEqualTo(PostHandshakeReader.NOTHING);
                assertThat(reader.isInsideMessage()).isEqualTo(cut != ticket.length);
                assertThat(read(Arrays.copyOfRange(two, cut, two.length))).isEqualTo(PostHandshakeReader.NOTHING);
                assertThat(reader.isInsideMessage()).isFalse();
            }
            for (byte each : ticket) {
                assertThat(read(new byte[] {each})).isEqualTo(PostHandshakeReader.NOTHING);
            }
            assertThat(read(join(ticket, KEY_UPDATE))).isEqualTo(PostHandshakeReader.KEY_UPDATE);
        }
    }

    @Test
    void rejectsMalformedTicketsSplitAnywhere() {
        for (byte[] ticket : Tickets.malformed()) {
            for (int cut = 1; cut <= ticket.length; cut++) {
                assertRefused(ticket, cut);
            }
            assertRefused(join(Tickets.of(8, 192, 8), ticket), 20);
        }
    }

    /** Checks a message in two pieces, and after a well-formed one. */
    private void assertRefused(byte[] message, int cut) {
        reader = new PostHandshakeReader(false);
        int first = read(Arrays.copyOf(message, cut));
        int last = first < 0 || cut == message.length ? first : read(Arrays.copyOfRange(message, cut, message.length));
        assertThat(last).as("%s cut at %d", Arrays.toString(message), cut).isEqualTo(-Alert.DECODE_ERROR);
        assertThat(reader.reason()).isEqualTo(EndReason.MALFORMED_TICKET);
    }

    @Test
    void rejectsMalformedTicketsByteByByte() {
        for (byte[] ticket : Tickets.malformed()) {
            reader = new PostHandshakeReader(false);
            int result = PostHandshakeReader.NOTHING;
            for (int at = 0; at < ticket.length && result == PostHandshakeReader.NOTHING; at++) {
                result = read(new byte[] {ticket[at]});
            }
            assertThat(result).as(Arrays.toString(ticket)).isEqualTo(-Alert.DECODE_ERROR);
        }
    }

    @Test
    void skipsTheLongestTicket() {
        int around = Tickets.of(8, 1, 0).length - 4 - 1;
        byte[] longest = Tickets.of(8, PostHandshakeReader.MAX_TICKET_BYTES - around, 0);
        assertThat(read(longest)).isEqualTo(PostHandshakeReader.NOTHING);
        assertThat(reader.isInsideMessage()).isFalse();
        assertThat(read(Tickets.of(8, PostHandshakeReader.MAX_TICKET_BYTES - around + 1, 0)))
                .isEqualTo(-Alert.ILLEGAL_PARAMETER);
    }

    @Test
    void allocatesNothingPerTicket() {
        byte[] ticket = Tickets.of(8, 192, 8);
        RawMemory.copy(ticket, 0, memory, ticket.length);
        assertThat(AllocatedBytes.leastDuring(() -> {
                    for (int i = 0; i < 20_000; i++) {
                        if (reader.read(memory, 100) != 0 || reader.read(memory + 100, ticket.length - 100) != 0) {
                            throw new AssertionError("ticket " + i);
                        }
                    }
                }))
                .isLessThan(20_000);
    }

    private int read(byte[] record) {
        RawMemory.copy(record, 0, memory, record.length);
        return reader.read(memory, record.length);
    }

    private static byte[] join(byte[] first, byte[] second) {
        byte[] all = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }
}
