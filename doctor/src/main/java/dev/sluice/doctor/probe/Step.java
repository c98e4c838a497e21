package dev.sluice.doctor.probe;

/** The steps to an answer; a server may fail at each. */
public enum Step {
    CONNECT("accept the connection"),
    START_TLS("agree to TLS"),
    SERVER_HELLO("send its ServerHello"),
    CERTIFICATE("send its certificate"),
    FINISHED("finish the handshake"),
    ANSWER("answer the request");

    private final String text;

    Step(String text) {
        this.text = text;
    }

    /** Returns the server's action at this step. */
    String text() {
        return text;
    }
}
