package dev.sluice.transfer.tree;

/**
 * An extended attribute of the namespace {@code user}.
 *
 * @param name 1 to 255 bytes with the prefix {@code user.}
 * @param value its bytes
 */
@SuppressWarnings("ArrayRecordComponent")
public record ExtendedAttribute(byte[] name, byte[] value) {
    /** The one namespace whose attributes are sent. */
    public static final String NAMESPACE = "user.";

    /** The most bytes of names and values of one file. */
    public static final int TOTAL_BYTES_MAX = 32 * 1024;

    /** Returns the bytes of name and value. */
    public int bytes() {
        return name.length + value.length;
    }
}
