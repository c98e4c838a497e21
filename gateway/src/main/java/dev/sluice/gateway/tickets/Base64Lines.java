package dev.sluice.gateway.tickets;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Base64 of RFC 4648 from native memory to native memory: the JDK's would leave what it decodes on the Java heap, where
 * it cannot be wiped for sure.
 */
final class Base64Lines {
    private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    private static final int DIGIT_BITS = 6;
    private static final int DIGIT_MASK = (1 << DIGIT_BITS) - 1;

    private Base64Lines() {}

    /** Length of the text of so many bytes, padding included. */
    static int textLength(int bytes) {
        return (bytes + 2) / 3 * 4;
    }

    /**
     * Decodes one line.
     *
     * @param text without its line end; padding may be missing
     * @param to takes three bytes for four characters
     * @return how many bytes there were; -1: it is no Base64
     */
    static int decode(MemorySegment text, MemorySegment to) {
        int digits = (int) text.byteSize();
        while (digits > 0 && digits > text.byteSize() - 2 && charAt(text, digits - 1) == '=') {
            digits--;
        }
        if (digits % 4 == 1) {
            return -1;
        }
        int bits = 0;
        int held = 0;
        int length = 0;
        for (int i = 0; i < digits; i++) {
            int value = ALPHABET.indexOf(charAt(text, i));
            if (value < 0) {
                return -1;
            }
            held = held << DIGIT_BITS | value;
            bits += DIGIT_BITS;
            if (bits >= Byte.SIZE) {
                bits -= Byte.SIZE;
                to.set(ValueLayout.JAVA_BYTE, length++, (byte) (held >> bits));
            }
        }
        return length;
    }

    /** Encodes, with padding; returns how many characters there are. */
    static int encode(MemorySegment bytes, MemorySegment to) {
        int count = (int) bytes.byteSize();
        int length = textLength(count);
        for (int i = 0; i < length; i++) {
            int firstBit = i * DIGIT_BITS;
            int at = firstBit / Byte.SIZE;
            char digit = at >= count ? '=' : ALPHABET.charAt(window(bytes, at, count) >> shift(firstBit) & DIGIT_MASK);
            to.set(ValueLayout.JAVA_BYTE, i, (byte) digit);
        }
        return length;
    }

    /** Two bytes from an index, the second one zero behind the end. */
    private static int window(MemorySegment bytes, int at, int count) {
        int second = at + 1 < count ? bytes.get(ValueLayout.JAVA_BYTE, at + 1L) & 0xFF : 0;
        return (bytes.get(ValueLayout.JAVA_BYTE, at) & 0xFF) << Byte.SIZE | second;
    }

    private static int shift(int firstBit) {
        return 2 * Byte.SIZE - DIGIT_BITS - firstBit % Byte.SIZE;
    }

    private static char charAt(MemorySegment text, long at) {
        return (char) (text.get(ValueLayout.JAVA_BYTE, at) & 0xFF);
    }
}
