package dev.sluice.gateway.config;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
    private final Problems problems;
    private final Node node;
    private final String name;

    Value(Problems problems, Node node, String name) {
        this.problems = problems;
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
        return new Value(problems, node, newName);
    }

    /** Where the value stands: {@code file:line:column}. */
    String place(String file) {
        return node.getStartMark()
                .map(mark -> file + ":" + (mark.getLine() + 1) + ":" + (mark.getColumn() + 1))
                .orElse(file);
    }

    /** Reports something wrong with this value. */
    void problem(String message) {
        problems.add(node, message);
    }

    /** The text of a scalar. */
    @Nullable
    String text() {
        if (node instanceof ScalarNode scalar && !Tag.NULL.equals(scalar.getTag())) {
            return scalar.getValue();
        }
        String quote = node instanceof SequenceNode ? "; text that starts with [ needs quotes" : "";
        problem(name + " must be text, not " + kind() + quote);
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
                items.add(new Value(problems, item, name));
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
            return Section.withKnownKeys(problems, mapping, name, knownKeys);
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
        List<String> seen = new ArrayList<>();
        for (NodeTuple tuple : mapping.getValue()) {
            String key = new Value(problems, tuple.getKeyNode(), "a name in " + name).text();
            if (key == null) {
                continue;
            }
            if (seen.contains(key)) {
                problems.add(tuple.getKeyNode(), name + " has \"" + key + "\" twice; remove or rename one");
            }
            seen.add(key);
            entries.add(new Value(problems, tuple.getValueNode(), key));
        }
        return entries;
    }

    /** A file that can be read, relative to the configuration's directory. */
    @Nullable
    Path file(Path directory) {
        String text = text();
        if (text == null) {
            return null;
        }
        try {
            Path path = directory.resolve(text);
            String reason = unreadable(path);
            if (reason == null) {
                return path;
            }
            problem(name + " " + path + " " + reason);
        } catch (InvalidPathException invalid) {
            problem(name + " \"" + text + "\" is no path: " + invalid.getReason());
        }
        return null;
    }

    private static @Nullable String unreadable(Path path) {
        if (!Files.exists(path)) {
            return "does not exist; relative paths start at the configuration file's directory";
        }
        if (Files.isDirectory(path)) {
            return "is a directory; name the file in it";
        }
        try (FileChannel opened = FileChannel.open(path)) {
            return opened.isOpen() ? null : "cannot be read";
        } catch (IOException denied) {
            return "cannot be read (" + denied.getClass().getSimpleName() + "); let user "
                    + System.getProperty("user.name") + " read it";
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
