package dev.sluice.gateway.log;

import dev.sluice.config.log.LogFormat;
import java.io.IOException;
import java.io.OutputStream;

/** A stream, such as standard error, that stays the caller's. A line is one write. */
final class StreamSink implements LogSink {
    private final OutputStream stream;
    private final LogFormat format;
    private String problem = "";

    StreamSink(OutputStream stream, LogFormat format) {
        this.stream = stream;
        this.format = format;
    }

    @Override
    public Outcome write(LogEntry entry) {
        try {
            stream.write(LogForm.line(entry, format));
            stream.flush();
            return Outcome.TAKEN;
        } catch (IOException e) {
            problem = String.valueOf(e.getMessage());
            return Outcome.REFUSED;
        }
    }

    @Override
    public String problem() {
        return problem;
    }

    @Override
    public void close() {
        // The stream is not this sink's.
    }
}
