package dev.sluice.bench.echo.server;

/** An echo server that listens on 127.0.0.1. */
interface RunningEcho extends AutoCloseable {
    /** Returns the port. */
    int port();

    /** Returns the library and transport, for display. */
    String describe();

    @Override
    void close();
}
