package dev.sluice.tls.engine;

/** The byte transport of one of our engines in a test. */
interface EngineTransport extends AutoCloseable {
    /** Returns the engine, which the transport owns. */
    TlsEngine engine();

    /** Feeds the engine as many bytes as it accepts; returns their number. */
    int feed(byte[] bytes, int offset);

    /** Returns the bytes that the engine sent. */
    byte[] drain();

    /** Ends the stream. */
    void endOfStream();

    @Override
    void close();
}
