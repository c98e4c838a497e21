package dev.sluice.bench.load;

import java.util.function.BooleanSupplier;

/** Makes connections to 127.0.0.1 and drives them on one thread. */
interface Dialer extends AutoCloseable {
    /**
     * Connects without TLS.
     *
     * @param port on 127.0.0.1
     */
    void dialPlain(int port, Stream.Handler handler);

    /**
     * Connects with TLS as {@link TlsProfile} says.
     *
     * @param port on 127.0.0.1
     * @param slot connections of one slot resume each other's sessions, one after the other; negative: never resume
     */
    void dialTls(int port, int slot, Stream.Handler handler);

    /**
     * Runs a task and then what follows from it, until a condition holds.
     *
     * @param task run on the dialer's thread; usually dials or sends
     * @param done asked on the dialer's thread after every event
     * @return false when time was over first
     */
    boolean drive(Runnable task, BooleanSupplier done, long timeoutMillis);

    /** Runs a task on the dialer's thread after its next look at the sockets, which waits for nothing. From that thread. */
    void soon(Runnable task);

    /** What it speaks TLS with, one word. */
    String describe();

    @Override
    void close();
}
