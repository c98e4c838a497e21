package dev.sluice.bench.load;

import java.util.function.BooleanSupplier;

/** A factory of connections to 127.0.0.1 on one thread. */
interface Dialer extends AutoCloseable {
    /**
     * Connects without TLS.
     *
     * @param port on 127.0.0.1
     */
    void dialPlain(int port, Stream.Handler handler);

    /**
     * Connects with TLS as defined by {@link TlsProfile}.
     *
     * @param port on 127.0.0.1
     * @param slot consecutive connections of a slot resume each other's sessions; negative for no resumption
     */
    void dialTls(int port, int slot, Stream.Handler handler);

    /**
     * Runs a task and its consequences, until a condition holds.
     *
     * @param task run on the dialer's thread; usually dials or sends
     * @param done evaluated on the dialer's thread after every event
     * @return false on a timeout
     */
    boolean drive(Runnable task, BooleanSupplier done, long timeoutMillis);

    /** Runs a task on the dialer's thread after its next non-blocking poll of the sockets. Called on that thread. */
    void soon(Runnable task);

    /** Returns the TLS library in one word. */
    String describe();

    @Override
    void close();
}
