package dev.sluice.config.acme;

import java.time.Duration;
import java.util.List;

/**
 * A program that adds and removes TXT records.
 *
 * @param command the program and its first arguments; no shell takes part
 * @param timeLimit after which it is killed
 * @param settling the time from the end of the program to the server's query
 */
public record DnsHook(List<String> command, Duration timeLimit, Duration settling) {
    /** Copies the list. */
    public DnsHook {
        command = List.copyOf(command);
    }
}
