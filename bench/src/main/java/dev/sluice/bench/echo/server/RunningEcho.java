package dev.sluice.bench.echo.server;

/** An echo server that listens on 127.0.0.1. */
interface RunningEcho extends AutoCloseable {
    /** Where it listens. */
    int port();

    /** What it runs on, for people. */
    String describe();

    @Override
    void close();
}
