package dev.sluice.gateway.dns;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;

/** The hosts file, hosts(5), as far as it says which names DNS is not asked for. */
final class HostsFile {
    private static final Path FILE = Path.of("/etc/hosts");

    private HostsFile() {}

    /** Returns true for a name that the system's file lists. The file is read each time: it may have been changed. */
    static boolean lists(String host) {
        return lists(FILE, host);
    }

    static boolean lists(Path file, String host) {
        String name = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
        try (Stream<String> lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
            return lines.flatMap(HostsFile::names).anyMatch(name::equalsIgnoreCase);
        } catch (IOException | UncheckedIOException absent) {
            return false;
        }
    }

    /** Returns the words of a line after the address. */
    private static Stream<String> names(String line) {
        int comment = line.indexOf('#');
        String text = comment < 0 ? line : line.substring(0, comment);
        return Arrays.stream(text.strip().split("\\s+", -1)).skip(1);
    }
}
