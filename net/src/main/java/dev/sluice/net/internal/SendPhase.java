package dev.sluice.net.internal;

/**
 * The phases of the sending direction of a {@link StreamConnection}. What is queued leaves in this order: buffers,
 * memory that the caller lent, FIN.
 *
 * <pre>
 *   IDLE ◀──▶ BUFFER, LENT
 *    └──────────┴───────┴──shutdownOutput(), close()──▶ FINISHING ◀──▶ FINISHING_BUFFER, FINISHING_LENT
 *                                                           └──all sent──▶ SHUT
 * </pre>
 */
enum SendPhase {
    /** No send is under way. */
    IDLE,

    /** A send of the queue's head is under way. */
    BUFFER,

    /** A send from memory that the caller lent is under way. */
    LENT,

    /** FIN follows what is queued, and no send is under way. */
    FINISHING,

    /** FIN follows what is queued, the head of which is under way. */
    FINISHING_BUFFER,

    /** FIN follows the send from lent memory that is under way. */
    FINISHING_LENT,

    /** FIN has been sent. */
    SHUT;

    /** Returns true while more may be queued. */
    boolean isOpen() {
        return this == IDLE || this == BUFFER || this == LENT;
    }

    /** Returns the phase in which FIN follows what is queued. */
    SendPhase finishing() {
        return switch (this) {
            case IDLE -> FINISHING;
            case BUFFER -> FINISHING_BUFFER;
            case LENT -> FINISHING_LENT;
            case FINISHING, FINISHING_BUFFER, FINISHING_LENT, SHUT -> this;
        };
    }

    /** Returns the phase with a send of the queue's head under way. */
    SendPhase withBuffer() {
        return switch (this) {
            case IDLE -> BUFFER;
            case FINISHING -> FINISHING_BUFFER;
            case BUFFER, LENT, FINISHING_BUFFER, FINISHING_LENT, SHUT -> throw busy();
        };
    }

    /** Returns the phase with a send from lent memory under way. */
    SendPhase withLent() {
        return switch (this) {
            case IDLE -> LENT;
            case FINISHING -> FINISHING_LENT;
            case BUFFER, LENT, FINISHING_BUFFER, FINISHING_LENT, SHUT -> throw busy();
        };
    }

    private IllegalStateException busy() {
        return new IllegalStateException("another send in phase " + this);
    }

    /** Returns the phase after the send that was under way. */
    SendPhase sent() {
        return switch (this) {
            case IDLE, BUFFER, LENT -> IDLE;
            case FINISHING, FINISHING_BUFFER, FINISHING_LENT -> FINISHING;
            case SHUT -> SHUT;
        };
    }
}
