package dev.sluice.gateway;

import dev.sluice.gateway.GatewayLog.Level;
import dev.sluice.net.EventLoop;
import dev.sluice.net.UncaughtHandler;
import java.io.PrintWriter;
import java.io.StringWriter;

/** Writes what handlers threw to the gateway's log, with the stack trace: it is our own error. */
record UncaughtLog(GatewayLog log) implements UncaughtHandler {
    @Override
    public void onUncaught(EventLoop loop, String where, Throwable thrown) {
        StringWriter trace = new StringWriter();
        thrown.printStackTrace(new PrintWriter(trace));
        log.line(Level.ERROR, loop.name() + ": uncaught in " + where + ": " + trace);
    }
}
