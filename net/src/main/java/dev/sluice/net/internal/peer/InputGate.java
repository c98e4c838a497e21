package dev.sluice.net.internal.peer;

/** The two conditions under which a connection receives: its handler wants it, and the peer takes what is queued. */
enum InputGate {
    /** Receives. */
    OPEN,
    /** The handler has paused it. */
    PAUSED,
    /** Too much is queued for the peer. */
    HELD_BACK,
    /** Both. */
    PAUSED_AND_HELD_BACK;

    InputGate paused() {
        return this == OPEN ? PAUSED : this == HELD_BACK ? PAUSED_AND_HELD_BACK : this;
    }

    InputGate resumed() {
        return this == PAUSED ? OPEN : this == PAUSED_AND_HELD_BACK ? HELD_BACK : this;
    }

    InputGate heldBack() {
        return this == OPEN ? HELD_BACK : this == PAUSED ? PAUSED_AND_HELD_BACK : this;
    }

    InputGate drained() {
        return this == HELD_BACK ? OPEN : this == PAUSED_AND_HELD_BACK ? PAUSED : this;
    }
}
