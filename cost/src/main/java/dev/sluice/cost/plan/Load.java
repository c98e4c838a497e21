package dev.sluice.cost.plan;

import dev.sluice.cost.figures.CostException;
import dev.sluice.cost.measure.KeyKind;
import dev.sluice.tls.context.ProtocolVersion;

/**
 * The load of a terminator, and its configuration.
 *
 * @param connections open connections
 * @param newPerSecond new connections per second
 * @param resumption share of resumed handshakes, 0 to 1
 * @param downPerSecond bytes to clients per second
 * @param upPerSecond bytes from clients per second
 * @param recordBytes average payload of a record
 * @param settings the configuration
 */
public record Load(
        long connections,
        double newPerSecond,
        double resumption,
        double downPerSecond,
        double upPerSecond,
        double recordBytes,
        Settings settings) {
    /** The largest payload of a record. */
    public static final int MAX_RECORD_BYTES = 16_384;

    /**
     * The configuration of a terminator.
     *
     * @param version TLS version
     * @param key key type of the certificate
     * @param tickets tickets sent after a full handshake
     * @param postQuantum true for X25519MLKEM768
     * @param cipher name in figures, such as {@code aes-128-gcm}
     * @param engine the engine of record protection
     * @param handshakeSeconds duration of a handshake, mostly the clients' round trip
     * @param cachedSessions sessions cached for resumption by id; 0 with tickets
     */
    public record Settings(
            ProtocolVersion version,
            KeyKind key,
            int tickets,
            boolean postQuantum,
            String cipher,
            Engine engine,
            double handshakeSeconds,
            long cachedSessions) {
        /** Returns the settings with another version, without post-quantum key exchange if it does not support that. */
        Settings withVersion(ProtocolVersion other) {
            boolean hybrid = postQuantum && other == ProtocolVersion.TLS_1_3;
            return new Settings(other, key, tickets, hybrid, cipher, engine, handshakeSeconds, cachedSessions);
        }

        /** Returns the settings with another key type. */
        Settings withKey(KeyKind other) {
            return new Settings(version, other, tickets, postQuantum, cipher, engine, handshakeSeconds, cachedSessions);
        }

        /** Returns the settings with or without post-quantum key exchange. */
        Settings withPostQuantum(boolean hybrid) {
            return new Settings(version, key, tickets, hybrid, cipher, engine, handshakeSeconds, cachedSessions);
        }
    }

    /** Checks the ranges. */
    public Load {
        require(connections >= 0, "connections", connections, "0 or more");
        require(newPerSecond >= 0, "new connections per second", newPerSecond, "0 or more");
        require(resumption >= 0 && resumption <= 1, "the share of resumed handshakes", resumption, "0 to 1");
        require(downPerSecond >= 0, "bytes to clients per second", downPerSecond, "0 or more");
        require(upPerSecond >= 0, "bytes from clients per second", upPerSecond, "0 or more");
        require(
                recordBytes >= 1 && recordBytes <= MAX_RECORD_BYTES,
                "a record's bytes",
                recordBytes,
                "1 to " + MAX_RECORD_BYTES);
        require(
                settings.handshakeSeconds() >= 0 && Double.isFinite(settings.handshakeSeconds()),
                "a handshake's seconds",
                settings.handshakeSeconds(),
                "0 or more");
        require(
                !settings.postQuantum() || settings.version() == ProtocolVersion.TLS_1_3,
                "post-quantum key exchange",
                "on with TLS 1.2",
                "off, or TLS 1.3");
    }

    /** Returns the load with another share of resumed handshakes. */
    Load withResumption(double share) {
        return new Load(connections, newPerSecond, share, downPerSecond, upPerSecond, recordBytes, settings);
    }

    /** Returns the load with another record size. */
    Load withRecordBytes(double bytes) {
        return new Load(connections, newPerSecond, resumption, downPerSecond, upPerSecond, bytes, settings);
    }

    /** Returns the load with other settings. */
    Load with(Settings other) {
        return new Load(connections, newPerSecond, resumption, downPerSecond, upPerSecond, recordBytes, other);
    }

    private static void require(boolean holds, String what, Object value, String allowed) {
        if (!holds) {
            throw new CostException(what + " must be " + allowed + ", not " + value);
        }
    }
}
