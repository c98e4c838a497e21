package dev.sluice.config.certificate;

import java.util.Arrays;

/**
 * A reader of DER (ITU-T X.690), element by element: enough for two extensions of a certificate, for which a library is
 * not worth its loading at each start.
 */
final class DerReader {
    static final int INTEGER = 0x02;
    static final int OCTET_STRING = 0x04;
    static final int OBJECT_IDENTIFIER = 0x06;
    static final int SEQUENCE = 0x30;

    private static final int LONG_FORM = 0x80;

    private final byte[] bytes;
    private final int end;
    private int position;

    DerReader(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    private DerReader(byte[] bytes, int begin, int end) {
        this.bytes = bytes;
        this.position = begin;
        this.end = end;
    }

    boolean hasMore() {
        return position < end;
    }

    /** Returns the tag of the next element. */
    int tag() {
        return Byte.toUnsignedInt(at(position));
    }

    /**
     * Skips the next element.
     *
     * @return a reader of its contents
     * @throws IllegalArgumentException when it has another tag, or is truncated
     */
    DerReader enter(int tag) {
        if (tag() != tag) {
            throw new IllegalArgumentException("an element of DER has the tag " + tag() + ", not " + tag);
        }
        position++;
        int length = length();
        if (length > end - position) {
            throw new IllegalArgumentException("an element of DER is truncated, length=" + length);
        }
        DerReader inner = new DerReader(bytes, position, position + length);
        position += length;
        return inner;
    }

    private int length() {
        int first = Byte.toUnsignedInt(at(position++));
        if (first < LONG_FORM) {
            return first;
        }
        int count = first - LONG_FORM;
        if (count == 0 || count >= Integer.BYTES) {
            throw new IllegalArgumentException("a length in DER has " + count + " bytes");
        }
        int length = 0;
        for (int i = 0; i < count; i++) {
            length = length << Byte.SIZE | Byte.toUnsignedInt(at(position++));
        }
        return length;
    }

    private byte at(int index) {
        if (index >= end) {
            throw new IllegalArgumentException("DER is truncated");
        }
        return bytes[index];
    }

    /** Returns the bytes that are left. */
    byte[] contents() {
        return Arrays.copyOfRange(bytes, position, end);
    }

    boolean contains(byte[] expected) {
        return Arrays.equals(contents(), expected);
    }

    /** Returns true when the rest is the contents of a small number. */
    boolean contains(int number) {
        return end - position == 1 && bytes[position] == number;
    }
}
