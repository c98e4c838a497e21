package dev.sluice.tls.lean;

import static dev.sluice.testkit.FuzzProperty.check;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A fuzzer of {@link LeanHello}: its result depends on no byte around its input, every part lies within the message,
 * and a message that it accepts follows the grammar and says the same to {@link HelloReference}.
 *
 * <p>Input: the received bytes.
 */
public final class LeanHelloFuzzer {
    private static final int AROUND_BYTES = 66_000;
    private static final int TLS_1_3 = 0x0304;
    private static final HexFormat HEX = HexFormat.of();

    private LeanHelloFuzzer() {}

    /** Runs one input of Jazzer. */
    public static void fuzzerTestOneInput(byte[] bytes) {
        MallocAllocator allocator = new MallocAllocator();
        MemorySegment memory = allocator.allocate(2L * AROUND_BYTES + bytes.length, 64);
        try {
            String first = readAmong(memory, bytes, (byte) 0);
            check(first.equals(readAmong(memory, bytes, (byte) 0xFF)), "the result depends on bytes outside the input");
            check(first.equals(readAmong(memory, bytes, (byte) 1)), "the result depends on bytes outside the input");
        } finally {
            allocator.free(memory);
        }
    }

    private static String readAmong(MemorySegment memory, byte[] bytes, byte around) {
        memory.fill(around);
        long address = memory.address() + AROUND_BYTES;
        RawMemory.copy(bytes, 0, address, bytes.length);
        int record = LeanHello.recordBytes(address, bytes.length);
        check(record <= bytes.length, "a record longer than what was received");
        if (record <= 0) {
            return "record " + record;
        }
        LeanHello hello = LeanHello.at(address, record);
        FallbackReason reason = hello.index();
        if (reason != null) {
            return "left to libssl: " + reason;
        }
        return describe(hello, Arrays.copyOfRange(bytes, 5, record));
    }

    private static String describe(LeanHello hello, byte[] message) {
        HelloReference reference = HelloReference.of(message);
        check(hello.length() == message.length, "size of the message");
        StringBuilder text = new StringBuilder();
        text.append(
                part(hello, hello.sessionId(), hello.sessionIdBytes(), HelloReference.bytes(reference.sessionId())));
        check(reference.versions().contains(TLS_1_3), "TLS 1.3 is not offered");
        numbers(hello, reference);
        for (NamedGroup group : NamedGroup.values()) {
            byte[] share = reference.shares().get(group.id());
            boolean usable = share != null && share.length == group.clientShareBytes();
            check((hello.share(group) != 0) == usable, "a share of " + group);
            text.append(usable ? part(hello, hello.share(group), group.clientShareBytes(), share) : "-");
        }
        boolean consistent = reference.shares().keySet().stream().allMatch(hello::offersGroup);
        check(consistent || !hello.hasConsistentShares(), "a share for a group that is not offered");
        text.append(offers(hello, message, reference));
        names(hello, reference);
        check(hello.isTicketWelcome() == modes(reference).contains("01"), "psk_key_exchange_modes");
        return text.toString();
    }

    private static void numbers(LeanHello hello, HelloReference reference) {
        List<Integer> groups = Objects.requireNonNull(reference.numbers(10));
        List<Integer> signatures = Objects.requireNonNull(reference.numbers(13));
        List<Integer> certificates = reference.numbers(50);
        Stream<Integer> named =
                Stream.of(groups, signatures, reference.suites()).flatMap(List::stream);
        for (int number :
                named.flatMap(each -> Stream.of(each, each ^ 1)).distinct().toList()) {
            check(hello.offersGroup(number) == groups.contains(number), "group " + number);
            check(hello.offersSignature(number) == signatures.contains(number), "signature scheme " + number);
            check(hello.offersSuite(number) == reference.suites().contains(number), "suite " + number);
            boolean acceptable = certificates == null || certificates.contains(number);
            check(hello.acceptsCertificate(number) == acceptable, "certificate's signature " + number);
        }
        int expected = reference.suites().stream()
                .filter(id -> id >= 0x1301 && id <= 0x1305)
                .findFirst()
                .orElse(-1);
        check(hello.firstSuite() == expected, "the first suite");
    }

    private static String offers(LeanHello hello, byte[] message, HelloReference reference) {
        List<byte[]> offers = reference.offers();
        check(hello.isPskOffered() == !offers.isEmpty(), "whether a session is offered");
        if (offers.isEmpty()) {
            return "";
        }
        int binders = 2;
        for (int i = 1; i < offers.size(); i += 2) {
            binders += 1 + offers.get(i).length;
        }
        check(hello.truncatedLength() == message.length - binders, "size without the binders");
        return part(hello, hello.ticket(), hello.ticketBytes(), offers.get(0))
                + part(hello, hello.binder(), hello.binderBytes(), offers.get(1));
    }

    private static void names(LeanHello hello, HelloReference reference) {
        ByteBuffer server = reference.body(0);
        check(Arrays.equals(hello.serverName(), server == null ? null : HelloReference.bytes(server)), "server_name");
        ByteBuffer alpn = reference.body(16);
        check(hello.hasAlpn() == (alpn != null), "whether protocols are offered");
        if (alpn != null) {
            part(hello, hello.alpnAddress(), hello.alpnBytes(), HelloReference.bytes(alpn.position(2)));
        }
        ByteBuffer ticket = reference.body(35);
        check(hello.isOlderTicketOffered() == (ticket != null && ticket.hasRemaining()), "session_ticket");
    }

    private static List<String> modes(HelloReference reference) {
        ByteBuffer modes = reference.body(45);
        return modes == null ? List.of() : octets(HelloReference.bytes(modes.position(1)));
    }

    private static List<String> octets(byte[] bytes) {
        return HexFormat.ofDelimiter(" ").formatHex(bytes).transform(text -> List.of(text.split(" ")));
    }

    /** Checks a part's place and content; returns its content. */
    private static String part(LeanHello hello, long address, int length, byte @Nullable [] expected) {
        long offset = address - hello.address();
        check(offset >= 4 && offset + length <= hello.length(), "a part outside the message");
        byte[] found = new byte[length];
        RawMemory.copy(address, found, 0, length);
        check(Arrays.equals(found, expected), "a part that differs from the reference's");
        return offset + ":" + HEX.formatHex(found) + ";";
    }
}
