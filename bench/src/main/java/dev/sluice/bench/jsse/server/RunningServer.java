package dev.sluice.bench.jsse.server;

/** A server under test. */
interface RunningServer extends AutoCloseable {
    /** Returns its port on 127.0.0.1. */
    int port();

    /** Returns the library that protects its connections, with its version. */
    String library();

    @Override
    void close();
}
