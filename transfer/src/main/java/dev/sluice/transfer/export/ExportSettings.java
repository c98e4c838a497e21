package dev.sluice.transfer.export;

/**
 * The permissions and limits of an export.
 *
 * @param access the operations that peers may use
 * @param attributes the extended attributes that peers see
 * @param handles the most files and directories that one session has open
 */
public record ExportSettings(Access access, Attributes attributes, int handles) {
    /** The default limit of open files. */
    public static final int DEFAULT_HANDLES = 1024;

    /** A read-only export without extended attributes. */
    public static final ExportSettings READ_ONLY =
            new ExportSettings(Access.READ_ONLY, Attributes.NONE, DEFAULT_HANDLES);

    /** A writable export without extended attributes. */
    public static final ExportSettings READ_WRITE =
            new ExportSettings(Access.READ_WRITE, Attributes.NONE, DEFAULT_HANDLES);

    /** The operations that a peer may use. */
    public enum Access {
        /** Read and list. */
        READ_ONLY,
        /** Everything. */
        READ_WRITE
    }

    /** The extended attributes that a peer may use. */
    public enum Attributes {
        /** None. */
        NONE,
        /** Those whose names begin with "user.". */
        USER
    }

    /** Checks the values. */
    public ExportSettings {
        if (handles < 1) {
            throw new IllegalArgumentException("handles=" + handles + "; use 1 or more");
        }
    }
}
