package dev.sluice.gateway.acme;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The texts that the nodes of a fleet share about their orders, by name. Private keys in them are sealed by themselves,
 * so a document holds no secret. Immutable.
 *
 * <pre>
 *   +---------------+------------+-------+-------------------------------------+
 *   | SLUICE ACME 1 | generation | count | entries: length and UTF-8 of a name |
 *   |               | (8)        | (4)   | and of its text, lengths of 4 bytes |
 *   +---------------+------------+-------+-------------------------------------+
 * </pre>
 *
 * @param entries texts by name
 */
record FleetDocument(SortedMap<String, String> entries) {
    static final FleetDocument EMPTY = new FleetDocument(new TreeMap<>());

    /** The largest document, which some hundred certificates fill. */
    static final int BYTES_MAX = 4 * 1024 * 1024;

    private static final byte[] FORM = "SLUICE ACME 1".getBytes(StandardCharsets.US_ASCII);

    FleetDocument {
        entries = Collections.unmodifiableSortedMap(new TreeMap<>(entries));
    }

    /** Returns a text; null when there is none. */
    @Nullable
    String get(String name) {
        return entries.get(name);
    }

    /** Returns the document with another text; null: without one. */
    FleetDocument with(String name, @Nullable String text) {
        SortedMap<String, String> next = new TreeMap<>(entries);
        if (text == null) {
            next.remove(name);
        } else {
            next.put(name, text);
        }
        return new FleetDocument(next);
    }

    /** Returns the entries that a condition on name and text keeps. */
    FleetDocument filtered(BiPredicate<String, String> kept) {
        SortedMap<String, String> next = new TreeMap<>();
        entries.forEach((name, text) -> {
            if (kept.test(name, text)) {
                next.put(name, text);
            }
        });
        return new FleetDocument(next);
    }

    /** Returns the bytes of one generation. */
    byte[] encode(long generation) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.write(FORM);
        out.writeLong(generation);
        out.writeInt(entries.size());
        for (var entry : entries.entrySet()) {
            write(out, entry.getKey());
            write(out, entry.getValue());
        }
        if (out.size() > BYTES_MAX) {
            throw new IOException("would have " + out.size() + " bytes, and at most " + BYTES_MAX
                    + " are allowed; let fewer certificates share a store");
        }
        return bytes.toByteArray();
    }

    private static void write(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    /**
     * Reads the bytes of one generation.
     *
     * @throws IOException when they are not those of it
     */
    static FleetDocument decode(byte[] bytes, long generation) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        if (!Arrays.equals(in.readNBytes(FORM.length), FORM)) {
            throw unusable("it is no document of ACME");
        }
        long written = in.readLong();
        if (written != generation) {
            throw unusable("generation " + written + " stands there as " + generation);
        }
        SortedMap<String, String> entries = new TreeMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            entries.put(read(in), read(in));
        }
        return new FleetDocument(entries);
    }

    private static IOException unusable(String why) {
        return new IOException(
                "is not usable: " + why + "; if nothing else needs it, delete it, and the nodes write what they have");
    }

    private static String read(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > in.available()) {
            throw unusable("it ends within a text");
        }
        return new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }
}
