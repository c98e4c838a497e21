package dev.sluice.config.certificate;

import java.util.Arrays;

/**
 * A bounds-checked reader of DER (ITU-T X.690), element by element: enough for two extensions of a certificate and the
 * times of an OCSP response, for which a library is not worth its loading at each start.
 */
public final class DerReader {
    /** The tag of an INTEGER. */
    public static final int INTEGER = 0x02;

    /** The tag of an OCTET STRING. */
    public static final int OCTET_STRING = 0x04;

    /** The tag of an OBJECT IDENTIFIER. */
    public static final int OBJECT_IDENTIFIER = 0x06;

    /** The tag of an ENUMERATED. */
    public static final int ENUMERATED = 0x0A;

    /** The tag of a GeneralizedTime. */
    public static final int GENERALIZED_TIME = 0x18;

    /** The tag of a SEQUENCE. */
    public static final int SEQUENCE = 0x30;

    private static final int LONG_FORM = 0x80;

    private final byte[] bytes;
    private final int end;
    private int position;

    /** Creates a reader of an array, which must not change meanwhile. */
    public DerReader(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    private DerReader(byte[] bytes, int begin, int end) {
        this.bytes = bytes;
        this.position = begin;
        this.end = end;
    }

    /** Returns true when an element is left. */
    public boolean hasMore() {
        return position < end;
    }

    /**
     * Returns the tag of the next element.
     *
     * @throws IllegalArgumentException when there is none
     */
    public int tag() {
        return Byte.toUnsignedInt(at(position));
    }

    /**
     * Skips the next element.
     *
     * @return a reader of its contents
     * @throws IllegalArgumentException when it has another tag, or is truncated
     */
    public DerReader enter(int tag) {
        if (tag() != tag) {
            throw new IllegalArgumentException(
                    String.format("an element of DER has the tag 0x%02x, not 0x%02x", tag(), tag));
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

    /**
     * Skips the next element.
     *
     * @return its tag
     * @throws IllegalArgumentException when it is truncated
     */
    public int skip() {
        int tag = tag();
        enter(tag);
        return tag;
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
    public byte[] contents() {
        return Arrays.copyOfRange(bytes, position, end);
    }

    /** Returns true when the rest is these bytes. */
    boolean contains(byte[] expected) {
        return Arrays.equals(contents(), expected);
    }

    /** Returns true when the rest is the contents of a small number. */
    boolean contains(int number) {
        return end - position == 1 && bytes[position] == number;
    }
}
