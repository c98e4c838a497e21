package dev.sluice.tls.context;

import static dev.sluice.testkit.FuzzProperty.check;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.TicketKey;
import dev.sluice.tls.lean.HelloReference;
import java.lang.foreign.MemorySegment;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A fuzzer of what is read of a ClientHello that nobody has answered: {@link ClientHelloPeek}, {@link
 * ClientHelloNames}, {@link ClientHelloAssembly} and {@link Ja4}. The results depend on no byte around the input and
 * not on how the input was split, and are those of {@link HelloReference} where the message follows the grammar.
 *
 * <p>Input: the received bytes.
 */
public final class ClientHelloPeekFuzzer {
    private static final int AROUND_BYTES = 66_000;
    private static final int HEADER_BYTES = 5;
    private static final int MESSAGE_HEADER_BYTES = 4;
    private static final int SERVER_NAME = 0;
    private static final int SESSION_TICKET = 35;
    private static final int COUNT_MAX = 99;
    private static final Pattern JA4 =
            Pattern.compile("t(13|12|11|10|s3|00)[di][0-9]{4}[0-9A-Za-z]{2}_[0-9a-f]{12}_[0-9a-f]{12}");

    private ClientHelloPeekFuzzer() {}

    /** Everything that is read of a ClientHello. */
    private record Facts(
            boolean whole,
            String ticketName,
            int suite,
            @Nullable ClientHelloNames names,
            @Nullable String ja4) {}

    /** Runs one input of Jazzer. */
    public static void fuzzerTestOneInput(byte[] bytes) {
        MallocAllocator allocator = new MallocAllocator();
        MemorySegment memory = allocator.allocate(2L * AROUND_BYTES + bytes.length, 64);
        try {
            Facts facts = readAmong(memory, bytes, (byte) 0);
            check(facts.equals(readAmong(memory, bytes, (byte) 0xFF)), "the result depends on bytes outside the input");
            check(facts.equals(readAmong(memory, bytes, (byte) 1)), "the result depends on bytes outside the input");
            assemble(memory, bytes, facts);
            if (facts.whole()) {
                compare(facts, bytes);
            }
        } finally {
            allocator.free(memory);
        }
    }

    private static Facts readAmong(MemorySegment memory, byte[] bytes, byte around) {
        memory.fill(around);
        long address = memory.address() + AROUND_BYTES;
        RawMemory.copy(bytes, 0, address, bytes.length);
        return read(address, bytes.length);
    }

    private static Facts read(long address, int length) {
        long ticketName = ClientHelloPeek.ticketName(address, length);
        byte[] name = {};
        if (ticketName != ClientHelloPeek.NONE) {
            long offset = ticketName - address;
            check(offset >= 0 && offset + TicketKey.NAME_BYTES <= length, "a ticket's name outside the input");
            name = new byte[TicketKey.NAME_BYTES];
            RawMemory.copy(ticketName, name, 0, name.length);
        }
        String ja4 = Ja4.of(address, length);
        check(ja4 == null || (ja4.length() == Ja4.LENGTH && JA4.matcher(ja4).matches()), "form of JA4: " + ja4);
        ClientHelloNames names = ClientHelloNames.of(address, length);
        check(names == null || areVisible(names), "a name with control characters");
        return new Facts(
                ClientHelloPeek.isWhole(address, length),
                Arrays.toString(name),
                ClientHelloPeek.firstSuite(address, length),
                names,
                ja4);
    }

    private static boolean areVisible(ClientHelloNames names) {
        return names.serverName().chars().allMatch(each -> each > ' ' && each < 0x7f)
                && names.alpn().stream().flatMapToInt(String::chars).allMatch(each -> each > ' ' && each < 0x7f);
    }

    // --- in pieces --------------------------------------------------------------------------------------------------

    private static void assemble(MemorySegment memory, byte[] bytes, Facts facts) {
        ClientHelloAssembly atOnce = new ClientHelloAssembly();
        ClientHelloAssembly.State state = add(atOnce, memory, bytes, Math.max(1, bytes.length));
        for (int size = 1; size < bytes.length; size = 2 * size + 1) {
            ClientHelloAssembly inPieces = new ClientHelloAssembly();
            check(add(inPieces, memory, bytes, size) == state, "another state in pieces of " + size);
            check(Arrays.equals(inPieces.bytes(), Arrays.copyOf(bytes, inPieces.length())), "bytes that did not come");
            boolean whole = state == ClientHelloAssembly.State.WHOLE;
            check(!whole || Arrays.equals(inPieces.record(), atOnce.record()), "another message in pieces of " + size);
        }
        if (state == ClientHelloAssembly.State.WHOLE) {
            byte[] record = atOnce.record();
            RawMemory.copy(record, 0, memory.address(), record.length);
            Facts assembled = read(memory.address(), record.length);
            check(assembled.whole(), "a message that is whole, and is not");
            check(!facts.whole() || Objects.equals(assembled.names(), facts.names()), "other names when assembled");
            check(!facts.whole() || Objects.equals(assembled.ja4(), facts.ja4()), "another JA4 when assembled");
        }
    }

    private static ClientHelloAssembly.State add(
            ClientHelloAssembly assembly, MemorySegment memory, byte[] bytes, int size) {
        ClientHelloAssembly.State state = ClientHelloAssembly.State.INCOMPLETE;
        for (int at = 0; at < bytes.length && state == ClientHelloAssembly.State.INCOMPLETE; at += size) {
            int count = Math.min(size, bytes.length - at);
            RawMemory.copy(bytes, at, memory.address(), count);
            state = assembly.add(memory.address(), count);
        }
        return state;
    }

    // --- beside the reference ---------------------------------------------------------------------------------------

    private static void compare(Facts facts, byte[] bytes) {
        int end = HEADER_BYTES
                + MESSAGE_HEADER_BYTES
                + Short.toUnsignedInt(ByteBuffer.wrap(bytes).getShort(HEADER_BYTES + 2));
        HelloReference reference;
        List<byte[]> offers;
        try {
            reference = HelloReference.of(Arrays.copyOfRange(bytes, HEADER_BYTES, end));
            offers = reference.offers();
        } catch (IllegalArgumentException | BufferUnderflowException malformed) {
            return;
        }
        int suite = reference.suites().stream()
                .filter(each -> !isGrease(each))
                .findFirst()
                .orElse(ClientHelloPeek.NO_SUITE);
        check(facts.suite() == suite, "the first suite is " + suite + ", not " + facts.suite());
        check(facts.ticketName().equals(Arrays.toString(ticketName(reference, offers))), "name of the ticket");
        String name = ServerNames.hostName(body(reference, SERVER_NAME));
        ClientHelloNames names = Objects.requireNonNull(facts.names());
        check(names.serverName().isEmpty() || names.serverName().equals(name), "server name");
        if (facts.ja4() != null) {
            String server = reference.extensions().containsKey(SERVER_NAME) ? "d" : "i";
            String counts = server
                    + count(reference.suites())
                    + count(List.copyOf(reference.extensions().keySet()));
            check(facts.ja4().startsWith(counts, 3), "counts of JA4 are " + counts + ", not " + facts.ja4());
        }
    }

    private static byte[] ticketName(HelloReference reference, List<byte[]> offers) {
        byte[] older = body(reference, SESSION_TICKET);
        byte[] ticket = offers.isEmpty() ? older : offers.getFirst();
        return ticket == null || ticket.length < TicketKey.NAME_BYTES
                ? new byte[0]
                : Arrays.copyOf(ticket, TicketKey.NAME_BYTES);
    }

    private static byte @Nullable [] body(HelloReference reference, int type) {
        ByteBuffer body = reference.extensions().get(type);
        if (body == null) {
            return null;
        }
        byte[] bytes = new byte[body.remaining()];
        body.duplicate().get(bytes);
        return bytes;
    }

    private static String count(List<Integer> numbers) {
        return "%02d"
                .formatted(Math.min(
                        COUNT_MAX,
                        numbers.stream().filter(each -> !isGrease(each)).count()));
    }

    private static boolean isGrease(int number) {
        return (number & 0x0F0F) == 0x0A0A && number >>> 8 == (number & 0xFF);
    }
}
