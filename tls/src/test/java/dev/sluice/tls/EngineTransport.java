package dev.sluice.tls;

/** How the bytes of one of our engines get in and out in a test. */
interface EngineTransport extends AutoCloseable {
    /** The engine, owned by the transport. */
    TlsEngine engine();

    /** Gives the engine as much as it takes now; how much that was. */
    int feed(byte[] bytes, int offset);

    /** What the engine has put on the wire. */
    byte[] drain();

    /** The wire's end. */
    void endOfStream();

    @Override
    void close();
}
