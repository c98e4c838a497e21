package dev.sluice.bench.hostile;

import java.io.IOException;
import java.util.Locale;

/** What hostile clients do, each of them on a connection of its own. */
public enum HostileKind {
    /** Connects and goes. */
    CONNECT(false, 256, Attacks::connect),
    /** Connects and says nothing, until the gateway's time limit ends it. */
    SILENT(false, 1_000, Attacks::silent),
    /** Sends half a ClientHello, and nothing more. */
    HALF_HELLO(false, 1_000, Attacks::halfHello),
    /** Sends random bytes. */
    GARBAGE(false, 128, Attacks::garbage),
    /** Speaks HTTP without TLS. */
    PLAIN_HTTP(false, 128, Attacks::plainHttp),
    /** Sends a ClientHello, which has the gateway work, and resets at once. */
    HELLO_RESET(false, 128, Attacks::helloReset),
    /** Completes the handshake and resets. */
    HANDSHAKE_RESET(true, 64, Attacks::handshakeReset),
    /** Has the backend push without end, and reads nothing. */
    NOT_READING(true, 16, Attacks::notReading),
    /** Asks to renegotiate (TLS 1.2) when the backend has ended and close_notify has come. */
    RENEGOTIATION_AFTER_CLOSE(true, 64, Attacks::renegotiationAfterClose),
    /** The same twice, in one segment. */
    RENEGOTIATIONS_AFTER_CLOSE(true, 64, Attacks::renegotiationsAfterClose),
    /** Asks for key updates without end, and reads none. */
    KEY_UPDATE_FLOOD(true, 64, Attacks::keyUpdateFlood),
    /** The same with a byte of data between any two, so that it is no flood by count. */
    KEY_UPDATES_AMONG_DATA(true, 64, Attacks::keyUpdatesAmongData),
    /** Sends records without content. */
    EMPTY_RECORD_FLOOD(true, 64, Attacks::emptyRecordFlood),
    /** Sends warnings that end nothing. */
    WARNING_FLOOD(true, 64, Attacks::warningFlood),
    /** Sends a record whose tag is wrong. */
    BAD_TAG(true, 64, Attacks::badTag),
    /** Sends a record that is longer than any may be. */
    OVERSIZE_RECORD(true, 64, Attacks::oversizeRecord),
    /** Sends half a record, then FIN. */
    TRUNCATED_RECORD(true, 64, Attacks::truncatedRecord),
    /** Sends data, then FIN without close_notify. */
    FIN_WITHOUT_CLOSE(true, 64, Attacks::finWithoutClose),
    /** Sends data behind its close_notify. */
    DATA_AFTER_CLOSE(true, 64, Attacks::dataAfterClose);

    private final boolean shakesHands;
    private final int atOnce;

    @SuppressWarnings("ImmutableEnumChecker") // a method without state
    private final Attack attack;

    HostileKind(boolean shakesHands, int atOnce, Attack attack) {
        this.shakesHands = shakesHands;
        this.atOnce = atOnce;
        this.attack = attack;
    }

    /** What one client does. */
    @FunctionalInterface
    interface Attack {
        /**
         * Does it.
         *
         * @param number of the client, from 0
         */
        void by(HostileClients clients, int number) throws IOException, InterruptedException;
    }

    /** True when its clients complete a handshake. */
    public boolean shakesHands() {
        return shakesHands;
    }

    /** How many clients are at it at once. */
    int atOnce() {
        return atOnce;
    }

    Attack attack() {
        return attack;
    }

    /** Its name in tables and options. */
    public String title() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** As picocli shows and reads it. */
    @Override
    public String toString() {
        return title();
    }
}
