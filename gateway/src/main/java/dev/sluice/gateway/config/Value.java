package dev.sluice.gateway.config;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * A value in the file with its place and the name under which messages speak of it.
 *
 * <p>A value that is not what was asked for is reported to {@link Problems}, and the fallback (null, an empty list, the
 * default) stands in so that reading goes on and finds the other problems too.
 */
final class Value {
    private static final Complaint ABSENT = new Complaint(
            "does not exist; relative paths start at the configuration file's directory", ProblemKind.TRANSIENT);

    /** Why a file cannot be used. */
    private record Complaint(String text, ProblemKind kind) {}

    private final Reading reading;
    private final Node node;
    private final String name;

    Value(Reading reading, Node node, String name) {
        this.reading = reading;
        this.node = node;
        this.name = name;
    }

    Node node() {
        return node;
    }

    String name() {
        return name;
    }

    /** The same value under another name. */
    Value named(String newName) {
        return new Value(reading, node, newName);
    }

    /** Where the value stands: {@code file:line:column}. */
    String place() {
        return place(node);
    }

    private static String place(Node node) {
        return node.getStartMark()
                .map(mark -> mark.getName() + ":" + (mark.getLine() + 1) + ":" + (mark.getColumn() + 1))
                .orElse("");
    }

    /** Reports something wrong with this value. */
    void problem(String message) {
        problem(message, ProblemKind.PERMANENT);
    }

    /** Reports something wrong with this value. */
    void problem(String message, ProblemKind kind) {
        reading.problems().add(node.getStartMark(), message, kind);
    }

    /** It comes to this, which is shown instead of its text where a configuration is printed. */
    void means(String text) {
        reading.transcript().meaning(node, Environment.escaped(text));
    }

    /**
     * It holds a secret: this is shown instead of its text where a configuration is printed.
     *
     * @param text may name variables of the environment where the secret stood
     */
    void isSecret(String text) {
        reading.transcript().meaning(node, text);
    }

    /** The text of a scalar, variables of the environment replaced. */
    @Nullable
    String text() {
        if (node instanceof ScalarNode scalar && !Tag.NULL.equals(scalar.getTag())) {
            return reading.text(scalar);
        }
        String quote = node instanceof SequenceNode ? "; text that starts with [ needs quotes" : "";
        problem(name + " must be text, not " + kind() + quote);
        return null;
    }

    /**
     * An address to listen on, found if it is a name; null when it is none, or has none now, which is reported.
     *
     * @param place what messages begin with
     */
    @Nullable
    InetSocketAddress toListen(String place) {
        String text = text();
        if (text == null) {
            return null;
        }
        try {
            return Addresses.toListen(text, reading.hosts());
        } catch (Addresses.UnresolvedException unresolved) {
            problem(place + unresolved.getMessage(), ProblemKind.TRANSIENT);
        } catch (IllegalArgumentException bad) {
            problem(place + bad.getMessage());
        }
        return null;
    }

    /** A whole number within bounds. */
    int integer(int least, int most, int fallback) {
        String text = text();
        if (text == null) {
            return fallback;
        }
        try {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                reading.transcript().meaning(node, number);
                return number;
            }
        } catch (NumberFormatException notANumber) {
            // reported below, like a number out of bounds
        }
        problem(name + " is \"" + text + "\"; write a whole number from " + least + " to " + most);
        return fallback;
    }

    /** A duration within bounds. */
    Duration duration(Duration least, Duration most, Duration fallback) {
        String text = text();
        if (text == null) {
            return fallback;
        }
        Duration duration = Quantities.duration(text);
        if (duration == null) {
            problem(name + " is \"" + text + "\", not a duration; write a number and a unit (ms, s, m, h, d), such as "
                    + Quantities.text(fallback));
            return fallback;
        }
        if (duration.compareTo(least) < 0 || duration.compareTo(most) > 0) {
            problem(name + " is " + text + "; it must be from " + Quantities.text(least) + " to "
                    + Quantities.text(most));
            return fallback;
        }
        return duration;
    }

    /** A number from 0 on, with a point or without; NaN for off. */
    double decimalOrOff(double most, double fallback) {
        String text = text();
        if (text == null) {
            return fallback;
        }
        if (isOff()) {
            return Double.NaN;
        }
        double number = Quantities.decimal(text);
        if (number >= 0 && number <= most) {
            reading.transcript().meaning(node, Quantities.plain(number));
            return number;
        }
        problem(name + " is \"" + text + "\"; write a number from 0 to " + Quantities.text(most) + ", or off");
        return fallback;
    }

    /** Whether it is the word off, or YAML's own false. */
    boolean isOff() {
        return node instanceof ScalarNode scalar
                && (scalar.getValue().equals("off") || scalar.getValue().equals("false"));
    }

    /** A size within bounds, in bytes. */
    long bytes(long least, long most, long fallback) {
        String text = text();
        if (text == null) {
            return fallback;
        }
        long bytes = Quantities.bytes(text);
        if (bytes >= least && bytes <= most) {
            return bytes;
        }
        problem(name + " is \"" + text + "\"; write a size (B, KiB, MiB, GiB) from " + Quantities.text(least) + " to "
                + Quantities.text(most));
        return fallback;
    }

    /** A part of a whole: a number above 0, at most 1. */
    double share(double fallback) {
        String text = text();
        if (text == null) {
            return fallback;
        }
        try {
            double share = Double.parseDouble(text);
            if (share > 0 && share <= 1) {
                return share;
            }
        } catch (NumberFormatException notANumber) {
            // reported below, like a number out of bounds
        }
        problem(name + " is \"" + text + "\"; write a number above 0 and at most 1, such as 0.1 for a tenth");
        return fallback;
    }

    /** One of several words. */
    <E> E choice(List<E> choices, Function<E, String> word, E fallback) {
        String text = text();
        if (text == null) {
            return fallback;
        }
        List<String> words = new ArrayList<>();
        for (E choice : choices) {
            if (word.apply(choice).equals(text)) {
                return choice;
            }
            words.add(word.apply(choice));
        }
        problem(name + " is \"" + text + "\"; write one of " + String.join(", ", words));
        return fallback;
    }

    /** {@code on} or {@code off}, or YAML's own {@code true} and {@code false}. */
    boolean onOff(boolean fallback) {
        String text = text();
        if (text == null) {
            return fallback;
        }
        return switch (text) {
            case "on", "true" -> true;
            case "off", "false" -> false;
            default -> {
                problem(name + " is \"" + text + "\"; write on or off");
                yield fallback;
            }
        };
    }

    /** The elements of a list; a value that is no list is a list of one. */
    List<Value> items() {
        List<Value> items = new ArrayList<>();
        if (node instanceof SequenceNode sequence) {
            for (Node item : sequence.getValue()) {
                items.add(new Value(reading, item, name));
            }
        } else {
            items.add(this);
        }
        if (items.isEmpty()) {
            problem(name + " is an empty list; name at least one, or leave the key out");
        }
        return items;
    }

    /** The texts of a list. */
    List<String> texts() {
        List<String> texts = new ArrayList<>();
        for (Value item : items()) {
            String text = item.text();
            if (text != null) {
                texts.add(text);
            }
        }
        return texts;
    }

    /** Whether it has keys. */
    boolean isSection() {
        return node instanceof MappingNode;
    }

    /** The section that this value is, its keys checked; null when it is none. */
    @Nullable
    Section section(List<String> knownKeys) {
        if (node instanceof MappingNode mapping) {
            return Section.withKnownKeys(reading, mapping, name, knownKeys);
        }
        problem(name + " must be a section with keys (" + String.join(", ", knownKeys) + "), not " + kind());
        return null;
    }

    /** The entries of a section whose keys are names that the user chose; each value's name is its key. */
    List<Value> namedEntries() {
        if (!(node instanceof MappingNode mapping)) {
            problem(name + " must be a section with one entry per name, not " + kind());
            return List.of();
        }
        List<Value> entries = new ArrayList<>();
        Map<String, Node> seen = new HashMap<>();
        for (NodeTuple tuple : mapping.getValue()) {
            String key = nameIn(tuple.getKeyNode());
            if (key == null) {
                continue;
            }
            Node before = seen.putIfAbsent(key, tuple.getKeyNode());
            if (before != null) {
                reading.problems()
                        .add(
                                tuple.getKeyNode(),
                                name + " has \"" + key + "\" twice, here and at " + place(before)
                                        + "; remove or rename one");
            }
            entries.add(new Value(reading, tuple.getValueNode(), key));
        }
        return entries;
    }

    /** A name that the user chose, as it is: no variables. */
    private @Nullable String nameIn(Node key) {
        if (key instanceof ScalarNode scalar && !Tag.NULL.equals(scalar.getTag())) {
            return scalar.getValue();
        }
        return new Value(reading, key, "a name in " + name).text();
    }

    /** A file that can be read, relative to the configuration's directory. */
    @Nullable
    Path file(Path directory) {
        return path(directory, Value::unreadable);
    }

    /** A directory, relative to the configuration's. */
    @Nullable
    Path directory(Path directory) {
        return path(
                directory,
                path -> Files.isDirectory(path)
                        ? null
                        : Files.exists(path) ? new Complaint("is no directory", ProblemKind.PERMANENT) : ABSENT);
    }

    /** A path relative to the configuration's directory, whatever lies there. */
    @Nullable
    Path location(Path directory) {
        return path(directory, anything -> null);
    }

    private @Nullable Path path(Path directory, Function<Path, @Nullable Complaint> complaint) {
        String text = text();
        if (text == null) {
            return null;
        }
        try {
            Path path = directory.resolve(text);
            Complaint reason = complaint.apply(path);
            if (reason == null) {
                means(path.toString());
                return path;
            }
            problem(name + " " + path + " " + reason.text(), reason.kind());
        } catch (InvalidPathException invalid) {
            problem(name + " \"" + text + "\" is no path: " + invalid.getReason());
        }
        return null;
    }

    private static @Nullable Complaint unreadable(Path path) {
        if (Files.isDirectory(path)) {
            return new Complaint("is a directory; name the file in it", ProblemKind.PERMANENT);
        }
        try {
            FileChannel.open(path).close();
            return null;
        } catch (NoSuchFileException missing) {
            return ABSENT;
        } catch (IOException denied) {
            return new Complaint(
                    "cannot be read (" + denied.getClass().getSimpleName() + "); let user "
                            + System.getProperty("user.name") + " read it",
                    ProblemKind.of(denied));
        }
    }

    private String kind() {
        return switch (node) {
            case MappingNode mapping -> "a section";
            case SequenceNode sequence -> "a list";
            case ScalarNode scalar when Tag.NULL.equals(scalar.getTag()) -> "empty";
            default -> "text";
        };
    }
}
