package dev.sluice.bench.endurance;

/** The events of a run. */
enum Event {
    /** The first backend resets its connections, and refuses new ones. */
    FIRST_BACKEND_FAILS("a backend fails", "#b3541e"),
    /** It serves again. */
    FIRST_BACKEND_RETURNS,
    /** The same with the second. */
    SECOND_BACKEND_FAILS("a backend fails", "#b3541e"),
    /** It serves again. */
    SECOND_BACKEND_RETURNS,
    /** A new certificate, and SIGHUP. */
    RELOAD,
    /** A new process takes the sockets over. */
    HOT_RESTART("hot restart", "#7a1fa2"),
    /** Hostile clients of the next kind come. */
    ATTACK,
    /** The figures are taken. */
    MOMENT;

    private final String mark;
    private final String colour;

    Event() {
        this("", "");
    }

    Event(String mark, String colour) {
        this.mark = mark;
        this.colour = colour;
    }

    /** Returns the explanation of its mark in charts; empty for none. */
    String mark() {
        return mark;
    }

    /** Returns the colour of its mark. */
    String colour() {
        return colour;
    }
}
