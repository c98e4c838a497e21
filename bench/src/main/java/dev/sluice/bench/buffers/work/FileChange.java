package dev.sluice.bench.buffers.work;

/** The changes of a file on its way through a buffer. */
public enum FileChange {
    /** The first byte is replaced by the last, which is what the published code does. */
    ONE_BYTE("one byte changed"),
    /** The byte order of each long is reversed, which is what the published text says. */
    EACH_LONG("each long reversed");

    private final String label;

    FileChange(String label) {
        this.label = label;
    }

    /** Returns the change for display. */
    public String label() {
        return label;
    }
}
