package dev.sluice.bench.hostile;

import java.io.IOException;
import java.util.Locale;

/** The kinds of hostile clients, each on its own connection. */
public enum HostileKind {
    /** Connects and leaves. */
    CONNECT(false, 256, Attacks::connect),
    /** Connects and sends nothing, until the gateway's time limit. */
    SILENT(false, 1_000, Attacks::silent),
    /** Sends half a ClientHello and nothing more. */
    HALF_HELLO(false, 1_000, Attacks::halfHello),
    /** Sends random bytes. */
    GARBAGE(false, 128, Attacks::garbage),
    /** Speaks HTTP without TLS. */
    PLAIN_HTTP(false, 128, Attacks::plainHttp),
    /** Sends a ClientHello, which causes work, and resets immediately. */
    HELLO_RESET(false, 128, Attacks::helloReset),
    /** Completes the handshake and resets. */
    HANDSHAKE_RESET(true, 64, Attacks::handshakeReset),
    /** Makes the backend send endlessly, and reads nothing. */
    NOT_READING(true, 16, Attacks::notReading),
    /** Requests renegotiation (TLS 1.2) after the backend's end and close_notify. */
    RENEGOTIATION_AFTER_CLOSE(true, 64, Attacks::renegotiationAfterClose),
    /** Requests it twice, in one segment. */
    RENEGOTIATIONS_AFTER_CLOSE(true, 64, Attacks::renegotiationsAfterClose),
    /** Requests key updates endlessly, and reads none. */
    KEY_UPDATE_FLOOD(true, 64, Attacks::keyUpdateFlood),
    /** Requests key updates with a byte of data between them, so that the count does not reveal a flood. */
    KEY_UPDATES_AMONG_DATA(true, 64, Attacks::keyUpdatesAmongData),
    /** Sends empty records endlessly. */
    EMPTY_RECORD_FLOOD(true, 64, Attacks::emptyRecordFlood),
    /** Sends harmless warnings endlessly. */
    WARNING_FLOOD(true, 64, Attacks::warningFlood),
    /** Sends a record with a wrong tag. */
    BAD_TAG(true, 64, Attacks::badTag),
    /** Sends an oversized record. */
    OVERSIZE_RECORD(true, 64, Attacks::oversizeRecord),
    /** Sends half a record, then FIN. */
    TRUNCATED_RECORD(true, 64, Attacks::truncatedRecord),
    /** Sends data, then FIN without close_notify. */
    FIN_WITHOUT_CLOSE(true, 64, Attacks::finWithoutClose),
    /** Sends data after its close_notify. */
    DATA_AFTER_CLOSE(true, 64, Attacks::dataAfterClose);

    private final boolean shakesHands;
    private final int atOnce;

    @SuppressWarnings("ImmutableEnumChecker") // a stateless method
    private final Attack attack;

    HostileKind(boolean shakesHands, int atOnce, Attack attack) {
        this.shakesHands = shakesHands;
        this.atOnce = atOnce;
        this.attack = attack;
    }

    /** The behaviour of one client. */
    @FunctionalInterface
    interface Attack {
        /**
         * Runs the attack.
         *
         * @param number number of the client, from 0
         */
        void by(HostileClients clients, int number) throws IOException, InterruptedException;
    }

    /** Returns whether its clients complete a handshake. */
    public boolean shakesHands() {
        return shakesHands;
    }

    /** Returns the number of concurrent clients. */
    int atOnce() {
        return atOnce;
    }

    Attack attack() {
        return attack;
    }

    /** Returns its name in tables and options. */
    public String title() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the name for picocli. */
    @Override
    public String toString() {
        return title();
    }
}
