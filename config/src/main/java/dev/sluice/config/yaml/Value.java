package dev.sluice.config.yaml;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
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
 * A value in the file, with its position and its name in messages.
 *
 * <p>A value of another type than the one read is reported to {@link Problems}, and a fallback (null, an empty list,
 * the default) is returned, so that the reading finds all other problems too.
 */
public final class Value {
    private static final Complaint ABSENT = new Complaint(
            "does not exist; relative paths start at the configuration file's directory", ProblemKind.TRANSIENT);

    /** The reason why a file cannot be used. */
    private record Complaint(String text, ProblemKind kind) {}

    private final Reading reading;
    private final Node node;
    private final String name;

    public Value(Reading reading, Node node, String name) {
        this.reading = reading;
        this.node = node;
        this.name = name;
    }

    public Node node() {
        return node;
    }

    /** Returns the reading that this value is part of. */
    public Reading reading() {
        return reading;
    }

    public String name() {
        return name;
    }

    /** Returns the same value under another name. */
    public Value named(String newName) {
        return new Value(reading, node, newName);
    }

    /** Returns the position of the value: {@code file:line:column}. */
    public String place() {
        return place(node);
    }

    private static String place(Node node) {
        return node.getStartMark()
                .map(mark -> mark.getName() + ":" + (mark.getLine() + 1) + ":" + (mark.getColumn() + 1))
                .orElse("");
    }

    /** Reports a problem of this value. */
    public void problem(String message) {
        problem(message, ProblemKind.PERMANENT);
    }

    /** Reports a problem of this value. */
    public void problem(String message, ProblemKind kind) {
        reading.problems().add(node.getStartMark(), message, kind);
    }

    /** Sets the text to print in place of the one in the file. */
    public void means(String text) {
        reading.transcript().meaning(node, Environment.escaped(text));
    }

    /** Sets the number to print in place of the text. */
    public void isNumber(Number number) {
        reading.transcript().meaning(node, number);
    }

    /**
     * Marks the value as a secret, and sets the text to print in its place.
     *
     * @param text may name environment variables in place of the secret
     */
    public void isSecret(String text) {
        reading.transcript().meaning(node, text);
    }

    /** Returns the text of a scalar, environment variables replaced; null when it is not text, which is reported. */
    public @Nullable String text() {
        if (node instanceof ScalarNode scalar && !Tag.NULL.equals(scalar.getTag())) {
            return reading.text(scalar);
        }
        String quote = node instanceof SequenceNode ? "; text that starts with [ needs quotes" : "";
        problem(name + " must be text, not " + kind() + quote);
        return null;
    }

    /**
     * Returns an address to listen on, its name resolved; null when it is not an address, or does not resolve, which is
     * reported.
     *
     * @param place the start of messages
     */
    public @Nullable InetSocketAddress toListen(String place) {
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

    /** Returns true for the word off, and for YAML's own false. */
    public boolean isOff() {
        String text = node instanceof ScalarNode scalar ? reading.text(scalar) : null;
        return "off".equals(text) || "false".equals(text);
    }

    /** Returns true for {@code on}, false for {@code off}; YAML's own {@code true} and {@code false} mean the same. */
    public boolean onOff(boolean fallback) {
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

    /** Returns the elements of a list; another value is a list of one. */
    public List<Value> items() {
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

    /** Returns the texts of a list. */
    public List<String> texts() {
        List<String> texts = new ArrayList<>();
        for (Value item : items()) {
            String text = item.text();
            if (text != null) {
                texts.add(text);
            }
        }
        return texts;
    }

    /** Returns true for a section. */
    public boolean isSection() {
        return node instanceof MappingNode;
    }

    /** Returns the entries of a section whose keys are names of the user's choice; each value's name is its key. */
    public List<Value> namedEntries() {
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

    /** Returns a name of the user's choice as it is, without variables replaced. */
    private @Nullable String nameIn(Node key) {
        if (key instanceof ScalarNode scalar && !Tag.NULL.equals(scalar.getTag())) {
            return scalar.getValue();
        }
        return new Value(reading, key, "a name in " + name).text();
    }

    /** Returns a readable file, relative to the configuration's directory; null when it is none, which is reported. */
    public @Nullable Path file(Path directory) {
        return path(directory, Value::unreadable);
    }

    /** Returns a directory, relative to the configuration's; null when it is none, which is reported. */
    public @Nullable Path directory(Path directory) {
        return path(
                directory,
                path -> Files.isDirectory(path)
                        ? null
                        : Files.exists(path) ? new Complaint("is not a directory", ProblemKind.PERMANENT) : ABSENT);
    }

    /** Returns a path relative to the configuration's directory, which need not exist. */
    public @Nullable Path location(Path directory) {
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
            problem(name + " \"" + text + "\" is not a path: " + invalid.getReason());
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

    /** Returns the kind of value in words, for messages. */
    public String kind() {
        return switch (node) {
            case MappingNode mapping -> "a section";
            case SequenceNode sequence -> "a list";
            case ScalarNode scalar when Tag.NULL.equals(scalar.getTag()) -> "empty";
            default -> "text";
        };
    }
}
