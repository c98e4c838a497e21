package dev.sluice.bench.buffers.work;

/** The use of a buffer between its allocation and its release. */
public enum BufferUse {
    /** None. */
    UNTOUCHED("not touched"),
    /** A byte of each page is written. */
    TOUCHED("one byte of each page written"),
    /** It must be full of zeros, by the allocator or else by a fill. */
    ZEROED("full of zeros");

    private final String label;

    BufferUse(String label) {
        this.label = label;
    }

    /** Returns the use for display. */
    public String label() {
        return label;
    }

    /** Uses a buffer. */
    <B> void use(BufferSource<B> source, B buffer) {
        switch (this) {
            case UNTOUCHED -> {}
            case TOUCHED -> source.touch(buffer);
            case ZEROED -> source.zero(buffer);
        }
    }
}
