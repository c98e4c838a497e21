package dev.sluice.cost.plan;

import dev.sluice.cost.figures.CostException;
import dev.sluice.cost.measure.KeyKind;
import dev.sluice.tls.ProtocolVersion;

/**
 * What a terminator has to carry, and how it is configured.
 *
 * @param connections open at once
 * @param newPerSecond connections that begin each second
 * @param resumption the share of those that resume, 0 to 1
 * @param downPerSecond bytes to clients each second
 * @param upPerSecond bytes from clients each second
 * @param recordBytes payload of a record, on average
 * @param settings how it is configured
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
     * How a terminator is configured.
     *
     * @param version of TLS
     * @param key of the certificate
     * @param tickets sent after a full handshake
     * @param postQuantum whether the key exchange is X25519MLKEM768
     * @param cipher as figures name it, such as {@code aes-128-gcm}
     * @param engine who protects records
     * @param handshakeSeconds how long a handshake is in flight: mostly the clients' round trip
     * @param cachedSessions that are kept for clients that resume by id; 0 with tickets
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
        /** With another version; one that has no post-quantum key exchange goes without. */
        public Settings withVersion(ProtocolVersion other) {
            boolean hybrid = postQuantum && other == ProtocolVersion.TLS_1_3;
            return new Settings(other, key, tickets, hybrid, cipher, engine, handshakeSeconds, cachedSessions);
        }

        /** With another kind of certificate. */
        public Settings withKey(KeyKind other) {
            return new Settings(version, other, tickets, postQuantum, cipher, engine, handshakeSeconds, cachedSessions);
        }

        /** With or without post-quantum key exchange. */
        public Settings withPostQuantum(boolean hybrid) {
            return new Settings(version, key, tickets, hybrid, cipher, engine, handshakeSeconds, cachedSessions);
        }
    }

    /** Checks the ranges. */
    public Load {
        require(connections >= 0, "connections", connections, "0 or more");
        require(newPerSecond >= 0, "new connections per second", newPerSecond, "0 or more");
        require(resumption >= 0 && resumption <= 1, "the share that resumes", resumption, "0 to 1");
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

    /** With another share of connections that resume. */
    public Load withResumption(double share) {
        return new Load(connections, newPerSecond, share, downPerSecond, upPerSecond, recordBytes, settings);
    }

    /** With records of another size. */
    public Load withRecordBytes(double bytes) {
        return new Load(connections, newPerSecond, resumption, downPerSecond, upPerSecond, bytes, settings);
    }

    /** Configured otherwise. */
    public Load with(Settings other) {
        return new Load(connections, newPerSecond, resumption, downPerSecond, upPerSecond, recordBytes, other);
    }

    private static void require(boolean holds, String what, Object value, String allowed) {
        if (!holds) {
            throw new CostException(what + " must be " + allowed + ", not " + value);
        }
    }
}
