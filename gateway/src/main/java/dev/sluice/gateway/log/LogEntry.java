package dev.sluice.gateway.log;

import dev.sluice.config.log.LogLevel;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A line of the log before it has a form.
 *
 * @param text the whole line, as somebody wrote it: it may hold any characters, peers' included
 * @param failure what it reports; null: no failure of a connection
 */
record LogEntry(
        Instant time, LogLevel level, String text, @Nullable LoggedFailure failure) {}
