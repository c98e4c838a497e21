package dev.sluice.tls.record;

import static dev.sluice.testkit.FuzzProperty.check;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A fuzzer that feeds {@link KeyLogParser} arbitrary lines, followed by more digits: the slot holds the secret of a
 * well-formed line and nothing otherwise, and nothing around the slot changes.
 *
 * <p>Input: the side, then lines that end in a newline.
 */
public final class KeyLogFuzzer {
    private static final int GUARD_BYTES = 64;
    private static final byte GUARD = 0x5A;
    private static final Pattern LINE =
            Pattern.compile("(CLIENT_TRAFFIC_SECRET_0|SERVER_TRAFFIC_SECRET_0|CLIENT_RANDOM)"
                    + " [0-9a-fA-F]{64} (([0-9a-fA-F]{64}){1}|([0-9a-fA-F]{96}))");
    private static final String BEHIND = "0123456789abcdef".repeat(20);

    private KeyLogFuzzer() {}

    /** Runs one input of Jazzer. */
    public static void fuzzerTestOneInput(byte[] bytes) {
        if (bytes.length == 0) {
            return;
        }
        MallocAllocator allocator = new MallocAllocator();
        MemorySegment memory = allocator.allocate(2L * GUARD_BYTES + ConnectionKeys.BYTES, 64);
        MemorySegment text = allocator.allocate(bytes.length + BEHIND.length() + 2L, 1);
        try {
            memory.fill(GUARD);
            long slot = memory.address() + GUARD_BYTES;
            ConnectionKeys.begin(slot, (bytes[0] & 1) == 0);
            String lines = new String(bytes, 1, bytes.length - 1, StandardCharsets.ISO_8859_1);
            for (String line : lines.split("\n", -1)) {
                line(slot, line, text.address());
            }
            check(allAre(memory.address(), GUARD_BYTES, GUARD), "bytes before the slot changed");
            check(allAre(slot + ConnectionKeys.BYTES, GUARD_BYTES, GUARD), "bytes behind the slot changed");
        } finally {
            allocator.free(text);
            allocator.free(memory);
        }
    }

    private static void line(long slot, String line, long text) {
        byte[] c = (line + "\0" + BEHIND + "\0").getBytes(StandardCharsets.ISO_8859_1);
        RawMemory.copy(c, 0, text, c.length);
        byte[] before = get(slot, ConnectionKeys.BYTES);
        new KeyLogParser().onLine(slot, text);
        int end = line.indexOf('\0');
        Matcher wellFormed = LINE.matcher(end < 0 ? line : line.substring(0, end));
        if (wellFormed.matches()) {
            byte[] secret = HexFormat.of().parseHex(wellFormed.group(2));
            boolean master = wellFormed.group(1).equals("CLIENT_RANDOM");
            if (!master || secret.length == ConnectionKeys.MASTER_SECRET_BYTES) {
                checkFound(slot, wellFormed.group(1), secret);
                return;
            }
        }
        check(nothingNew(slot, before), "a malformed line left something: " + line);
    }

    private static void checkFound(long slot, String label, byte[] secret) {
        long at = switch (label) {
            case "CLIENT_RANDOM" -> ConnectionKeys.masterSecret(slot);
            case "CLIENT_TRAFFIC_SECRET_0" -> TrafficKeys.secretAddress(ConnectionKeys.client(slot));
            default -> TrafficKeys.secretAddress(ConnectionKeys.server(slot));
        };
        int bit = switch (label) {
            case "CLIENT_RANDOM" -> ConnectionKeys.MASTER_SECRET;
            case "CLIENT_TRAFFIC_SECRET_0" -> ConnectionKeys.CLIENT_SECRET;
            default -> ConnectionKeys.SERVER_SECRET;
        };
        check(Arrays.equals(get(at, secret.length), secret), "another secret than the line's");
        check(allAre(at + secret.length, Hash.MAX_BYTES - secret.length, (byte) 0), "the rest of an older secret");
        check(ConnectionKeys.has(slot, bit), "a secret that is not noted");
    }

    /** Returns whether every byte is unchanged or zero. */
    private static boolean nothingNew(long slot, byte[] before) {
        byte[] after = get(slot, before.length);
        for (int i = 0; i < before.length; i++) {
            if (after[i] != before[i] && after[i] != 0) {
                return false;
            }
        }
        return true;
    }

    private static boolean allAre(long address, int count, byte value) {
        for (int i = 0; i < count; i++) {
            if (RawMemory.getByte(address + i) != value) {
                return false;
            }
        }
        return true;
    }

    private static byte[] get(long address, int length) {
        byte[] bytes = new byte[length];
        RawMemory.copy(address, bytes, 0, length);
        return bytes;
    }
}
