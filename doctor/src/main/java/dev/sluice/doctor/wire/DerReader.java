package dev.sluice.doctor.wire;

/** A reader of DER, as far as needed for an OCSP response, with the bounds of {@link ByteReader}. */
public final class DerReader {
    /** SEQUENCE. */
    public static final int SEQUENCE = 0x30;

    /** GeneralizedTime. */
    public static final int GENERALIZED_TIME = 0x18;

    private static final int LONG_FORM = 0x80;
    private static final int MAX_LENGTH_BYTES = 3;

    private final ByteReader in;

    /** Creates a reader of a reader's remaining bytes. */
    public DerReader(ByteReader in) {
        this.in = in;
    }

    /** Returns whether no byte remains. */
    public boolean isEmpty() {
        return in.isEmpty();
    }

    /** Reads the next value, which must have this tag. */
    public DerReader expect(int tag, String field) throws MalformedException {
        Value value = next(field);
        if (value.tag() != tag) {
            throw new MalformedException(
                    String.format("%s has the tag 0x%02x instead of 0x%02x", field, value.tag(), tag));
        }
        return new DerReader(value.content());
    }

    /** Reads the next value of any tag. */
    public Value next(String field) throws MalformedException {
        int tag = in.u8(field);
        int length = in.u8(field);
        if (length >= LONG_FORM) {
            int count = length - LONG_FORM;
            if (count == 0 || count > MAX_LENGTH_BYTES) {
                throw new MalformedException(field + " has a length of " + count + " bytes");
            }
            length = 0;
            for (int i = 0; i < count; i++) {
                length = length << 8 | in.u8(field);
            }
        }
        return new Value(tag, in.part(length, field));
    }

    /** Returns the remaining bytes. */
    public byte[] rest() {
        return in.rest();
    }

    /**
     * A value.
     *
     * @param tag its tag
     * @param content its content
     */
    public record Value(int tag, ByteReader content) {}
}
