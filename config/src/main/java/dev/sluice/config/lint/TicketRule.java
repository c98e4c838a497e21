package dev.sluice.config.lint;

import dev.sluice.config.lint.HandshakeCosts.Kind;
import dev.sluice.config.model.TicketConfig;
import dev.sluice.config.model.TicketStoreConfig;
import dev.sluice.config.read.ReadConfig;
import dev.sluice.config.yaml.ConfigProblem;
import dev.sluice.config.yaml.Quantities;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** The rule on tickets that are off, whose keys rotate too slowly, or that expire early. */
final class TicketRule implements LintRule {
    private static final String TICKETS = "tickets";

    /** The lifetime beyond which scanners and guides deny a session forward secrecy. */
    private static final Duration ROTATE_MAX = Duration.ofDays(1);

    private final InstantSource clock;

    TicketRule(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public List<ConfigProblem> findings(ReadConfig read, HandshakeCosts costs) {
        TicketConfig tickets = read.config().tickets();
        if (tickets == null) {
            return List.of(off(read, costs));
        }
        List<ConfigProblem> findings = new ArrayList<>();
        if (tickets.store() instanceof TicketStoreConfig.Directory directory) {
            addNeverRotated(findings, read, directory.path());
        } else {
            addRotation(findings, read, tickets, costs);
        }
        return findings;
    }

    private static ConfigProblem off(ReadConfig read, HandshakeCosts costs) {
        return read.at(
                "tickets are off: a returning client takes " + costs.of(Kind.TLS13_ECDSA_FULL)
                        + " µs of CPU time instead of " + costs.of(Kind.TLS13_ECDSA_RESUMED) + " with TLS 1.3, "
                        + costs.of(Kind.TLS12_ECDSA_FULL) + " instead of " + costs.of(Kind.TLS12_ECDSA_RESUMED)
                        + " with TLS 1.2, with RSA " + costs.of(Kind.TLS12_RSA_FULL) + " instead of "
                        + costs.of(Kind.TLS12_RSA_RESUMED) + "; set tickets: on (" + costs.source() + ")",
                TICKETS);
    }

    private static void addRotation(
            List<ConfigProblem> findings, ReadConfig read, TicketConfig tickets, HandshakeCosts costs) {
        Duration rotate = tickets.rotate();
        Duration keep = tickets.keep();
        if (rotate.compareTo(ROTATE_MAX) > 0) {
            findings.add(read.at(
                    "ticket keys rotate every " + Quantities.text(rotate) + ": a stolen key decrypts the recorded"
                            + " TLS 1.2 sessions of " + hours(rotate.plus(keep))
                            + " hours; set rotate: 12h, which costs nothing",
                    TICKETS,
                    "rotate"));
        }
        if (keep.compareTo(rotate) < 0) {
            findings.add(read.at(
                    "tickets are kept for " + Quantities.text(keep) + ", less than their keys seal ("
                            + Quantities.text(rotate) + "): their lifetime depends on the time of issue, and clients"
                            + " that return later take " + costs.of(Kind.TLS13_ECDSA_FULL)
                            + " µs of CPU time instead of " + costs.of(Kind.TLS13_ECDSA_RESUMED)
                            + "; raise keep to at least " + Quantities.text(rotate) + ", or lower rotate ("
                            + costs.source() + ")",
                    TICKETS,
                    "keep"));
        }
    }

    private void addNeverRotated(List<ConfigProblem> findings, ReadConfig read, Path directory) {
        Instant newest = newest(directory);
        Duration age = Duration.between(newest, clock.instant());
        if (!newest.equals(Instant.MIN) && age.compareTo(ROTATE_MAX) > 0) {
            findings.add(read.at(
                    "the newest key in " + directory + " is " + hours(age)
                            + " hours old: a stolen key decrypts the TLS 1.2"
                            + " sessions recorded since; add a new file every 12 hours",
                    TICKETS,
                    "store"));
        }
    }

    private static long hours(Duration duration) {
        return duration.toHours();
    }

    /** Returns the time of the newest file; {@link Instant#MIN}: none is visible. */
    private static Instant newest(Path directory) {
        Instant newest = Instant.MIN;
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                Instant modified = Files.getLastModifiedTime(entry).toInstant();
                newest = modified.isAfter(newest) ? modified : newest;
            }
        } catch (IOException unreadable) {
            return Instant.MIN;
        }
        return newest;
    }
}
