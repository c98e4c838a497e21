package dev.sluice.cost.plan;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a load takes.
 *
 * @param load that was planned for
 * @param cores CPU seconds per second, by what they are spent on
 * @param bytes of memory, by what holds them
 */
public record Plan(Load load, Map<Work, Double> cores, Map<Held, Double> bytes) {
    /** What CPU time is spent on; the first three are the article's. */
    public enum Work {
        /** Public-key operations of handshakes. */
        ASYMMETRIC("1 asymmetric", "asymmetric"),
        /** The rest of handshakes: key derivation, transcript, certificates, messages, tickets. */
        DERIVATION("2 derivation and messages", "derivation"),
        /** Sealing and opening records. */
        RECORDS("3 records (AEAD)", "records"),
        /** Everything else of a connection: the kernel's TCP on both sides, the gateway. */
        CONNECTIONS("base: connections", "base-connections"),
        /** Moving bytes: the kernel on both sides, the gateway. */
        BYTES("base: bytes moved", "base-bytes");

        private final String text;
        private final String key;

        Work(String text, String key) {
            this.text = text;
            this.key = key;
        }

        /** For people. */
        public String text() {
            return text;
        }

        /** For JSON. */
        public String key() {
            return key;
        }
    }

    /** What memory is held by; the first three are the article's. */
    public enum Held {
        /** Handshakes in flight. */
        HANDSHAKES("4 handshakes in flight", "handshakes"),
        /** Established connections. */
        CONNECTIONS("5 connections", "connections"),
        /** Sessions that the server keeps; none with tickets. */
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

        /** For people. */
        public String text() {
            return text;
        }

        /** For JSON. */
        public String key() {
            return key;
        }
    }

    /** Copies the maps. */
    public Plan {
        cores = new EnumMap<>(cores);
        bytes = new EnumMap<>(bytes);
    }

    /** CPU time in all, in cores that are fully used. */
    public double totalCores() {
        return cores.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    /** Memory in all. */
    public double totalBytes() {
        return bytes.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    /** On what most CPU time is spent. */
    public Work dominating() {
        Work most = Work.ASYMMETRIC;
        for (Work work : Work.values()) {
            if (of(work) > of(most)) {
                most = work;
            }
        }
        return most;
    }

    /** Cores spent on something. */
    public double of(Work work) {
        return cores.getOrDefault(work, 0.0);
    }

    /** Bytes held by something. */
    public double of(Held held) {
        return bytes.getOrDefault(held, 0.0);
    }

    /** As JSON has it. */
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
