package dev.sluice.doctor.probe;

/** The steps to an answer, at each of which a server may stop. */
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

    /** What the server was to do. */
    String text() {
        return text;
    }
}
