package dev.sluice.tls;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeSet;

/** A search of a file for byte strings: raw, as hexadecimal text, and as hexadecimal text in UTF-16. */
public final class BytePatterns {
    private static final int CHUNK_BYTES = 1 << 20;
    private static final int PAIRS = 1 << 16;

    private final SequencedMap<String, byte[]> patterns = new LinkedHashMap<>();
    private final boolean[] begins = new boolean[PAIRS];
    private int longest;

    private BytePatterns() {}

    public static BytePatterns of(List<byte[]> strings) {
        BytePatterns result = new BytePatterns();
        for (int i = 0; i < strings.size(); i++) {
            String hex = HexFormat.of().formatHex(strings.get(i));
            result.add("raw " + i, strings.get(i));
            result.add("hex " + i, hex.getBytes(StandardCharsets.US_ASCII));
            result.add("HEX " + i, hex.toUpperCase(Locale.ROOT).getBytes(StandardCharsets.US_ASCII));
            result.add("hex in UTF-16 " + i, hex.getBytes(StandardCharsets.UTF_16BE));
        }
        return result;
    }

    private void add(String name, byte[] pattern) {
        patterns.put(name, pattern);
        begins[pair(pattern, 0)] = true;
        longest = Math.max(longest, pattern.length);
    }

    /** Returns the names of the strings that occur: {@code raw 0} for the first one in raw form, and so on. */
    public Set<String> foundIn(Path file) throws IOException {
        Set<String> found = new TreeSet<>();
        byte[] window = new byte[CHUNK_BYTES + longest];
        int kept = 0;
        try (InputStream in = Files.newInputStream(file)) {
            int read;
            while ((read = in.readNBytes(window, kept, CHUNK_BYTES)) > 0) {
                int end = kept + read;
                search(window, end, found);
                kept = Math.min(longest, end);
                System.arraycopy(window, end - kept, window, 0, kept); // a string may span two chunks
            }
        }
        return found;
    }

    private void search(byte[] window, int end, Set<String> found) {
        for (int at = 0; at + 1 < end; at++) {
            if (begins[pair(window, at)]) {
                for (var pattern : patterns.entrySet()) {
                    byte[] wanted = pattern.getValue();
                    if (at + wanted.length <= end
                            && Arrays.equals(window, at, at + wanted.length, wanted, 0, wanted.length)) {
                        found.add(pattern.getKey());
                    }
                }
            }
        }
    }

    private static int pair(byte[] bytes, int at) {
        return ((bytes[at] & 0xFF) << 8) | (bytes[at + 1] & 0xFF);
    }
}
