package dev.sluice.gateway.log;

/** A target of the log, open or not. Confined to the writer's thread. */
interface LogSink extends AutoCloseable {
    /** The outcomes of a write. */
    enum Outcome {
        /** The target has it. */
        TAKEN,
        /** The target's queue is full: the same entry may be taken in a moment. */
        BUSY,
        /** Nobody receives: the same entry may be taken later. */
        UNREACHABLE,
        /** The target takes others, never this one. */
        REFUSED
    }

    Outcome write(LogEntry entry);

    /** Returns why the last entry was not taken. */
    String problem();

    @Override
    void close();
}
