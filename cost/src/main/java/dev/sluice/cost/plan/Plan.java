package dev.sluice.cost.plan;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The estimated resources of a load.
 *
 * @param load the planned load
 * @param cores CPU seconds per second, by kind of work
 * @param bytes bytes of memory, by holder
 */
public record Plan(Load load, Map<Work, Double> cores, Map<Held, Double> bytes) {
    /** The kinds of work that take CPU time; the first three are the article's. */
    public enum Work {
        /** Public-key operations of handshakes. */
        ASYMMETRIC("1 asymmetric", "asymmetric"),
        /** The rest of handshakes: key derivation, transcript, certificates, messages, tickets. */
        DERIVATION("2 derivation and messages", "derivation"),
        /** Sealing and opening records. */
        RECORDS("3 records (AEAD)", "records"),
        /** The rest of a connection: the kernel's TCP on both sides, the gateway. */
        CONNECTIONS("base: connections", "base-connections"),
        /** Moving bytes: the kernel on both sides, the gateway. */
        BYTES("base: bytes moved", "base-bytes");

        private final String text;
        private final String key;

        Work(String text, String key) {
            this.text = text;
            this.key = key;
        }

        /** Returns the text for display. */
        public String text() {
            return text;
        }

        /** Returns the key for JSON. */
        String key() {
            return key;
        }
    }

    /** The holders of memory; the first three are the article's. */
    public enum Held {
        /** Handshakes in flight. */
        HANDSHAKES("4 handshakes in flight", "handshakes"),
        /** Established connections. */
        CONNECTIONS("5 connections", "connections"),
        /** Cached sessions of the server; none with tickets. */
        SESSIONS("6 sessions kept", "sessions"),
        /** The kernel's sockets, to clients and backends. */
        SOCKETS("base: the kernel's sockets", "base-sockets"),
        /** The process itself. */
        PROCESS("base: the process", "base-process");

        private final String text;
        private final String key;

        Held(String text, String key) {
            this.text = text;
            this.key = key;
        }

        /** Returns the text for display. */
        public String text() {
            return text;
        }

        /** Returns the key for JSON. */
        String key() {
            return key;
        }
    }

    /** Copies the maps. */
    public Plan {
        cores = new EnumMap<>(cores);
        bytes = new EnumMap<>(bytes);
    }

    /** Returns the total CPU time, in fully used cores. */
    public double totalCores() {
        return cores.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    /** Returns the total memory. */
    public double totalBytes() {
        return bytes.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    /** Returns the kind of work with the most CPU time. */
    public Work dominating() {
        Work most = Work.ASYMMETRIC;
        for (Work work : Work.values()) {
            if (of(work) > of(most)) {
                most = work;
            }
        }
        return most;
    }

    /** Returns the cores for a kind of work. */
    public double of(Work work) {
        return cores.getOrDefault(work, 0.0);
    }

    /** Returns the bytes of a holder. */
    public double of(Held held) {
        return bytes.getOrDefault(held, 0.0);
    }

    /** Returns the plan as JSON. */
    public Map<String, Object> json() {
        Map<String, Object> work = new LinkedHashMap<>();
        cores.forEach((key, value) -> work.put(key.key(), value));
        Map<String, Object> memory = new LinkedHashMap<>();
        bytes.forEach((key, value) -> memory.put(key.key(), Math.rint(value)));
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("cores", totalCores());
        all.put("bytes", Math.rint(totalBytes()));
        all.put("dominating", dominating().key());
        all.put("cores-by-phase", work);
        all.put("bytes-by-phase", memory);
        return all;
    }
}
