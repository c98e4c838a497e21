package dev.sluice.config.key;

import dev.sluice.config.yaml.Quantities;
import dev.sluice.config.yaml.Value;
import dev.sluice.config.yaml.Words;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The type of a key's value, bounds included: a scalar that reads itself, or a form that a reader takes apart. */
public sealed interface KeyType {
    /**
     * A single value that is read by its type alone.
     *
     * @param <T> the Java type of the value
     */
    sealed interface Scalar<T> extends KeyType {
        /** Reads a value; reports one that is not of this type, and returns the fallback then. */
        T read(Value value, T fallback);

        /** Returns a value as YAML has it, a text or a number; null where the value stands for an absent key. */
        @Nullable
        Object written(T value);
    }

    /** A whole number within bounds. */
    record Whole(int least, int most) implements Scalar<Integer> {
        @Override
        public Integer read(Value value, Integer fallback) {
            String text = value.text();
            if (text == null) {
                return fallback;
            }
            try {
                int number = Integer.parseInt(text);
                if (number >= least && number <= most) {
                    value.isNumber(number);
                    return number;
                }
            } catch (NumberFormatException notANumber) {
                // reported below, like a number out of bounds
            }
            value.problem(value.name() + " is \"" + text + "\"; write a whole number from " + least + " to " + most);
            return fallback;
        }

        @Override
        public @Nullable Object written(Integer value) {
            return value < least || value > most ? null : value;
        }
    }

    /** A duration within bounds. */
    record Time(Duration least, Duration most) implements Scalar<Duration> {
        @Override
        public Duration read(Value value, Duration fallback) {
            String text = value.text();
            if (text == null) {
                return fallback;
            }
            Duration duration = Quantities.duration(text);
            if (duration == null) {
                value.problem(value.name() + " is \"" + text
                        + "\", not a duration; write a number and a unit (ms, s, m, h, d), such as "
                        + Quantities.text(fallback.compareTo(least) < 0 ? least : fallback));
                return fallback;
            }
            if (duration.compareTo(least) < 0 || duration.compareTo(most) > 0) {
                value.problem(value.name() + " is " + text + "; it must be from " + Quantities.text(least) + " to "
                        + Quantities.text(most));
                return fallback;
            }
            return duration;
        }

        @Override
        public @Nullable Object written(Duration value) {
            return value.compareTo(least) < 0 ? null : Quantities.text(value);
        }
    }

    /** A duration within bounds, in seconds, or off: NaN. */
    record SecondsOrOff(Duration least, Duration most) implements Scalar<Double> {
        @Override
        public Double read(Value value, Double fallback) {
            return value.isOff() ? Double.NaN : seconds(new Time(least, most).read(value, duration(fallback)));
        }

        @Override
        public Object written(Double value) {
            return Quantities.text(duration(value));
        }

        private static Double seconds(Duration duration) {
            return duration.toMillis() / 1e3;
        }

        private static Duration duration(double seconds) {
            return Duration.ofMillis(Math.round(seconds * 1e3));
        }
    }

    /** A size within bounds, in bytes. */
    record Size(long least, long most) implements Scalar<Long> {
        @Override
        public Long read(Value value, Long fallback) {
            String text = value.text();
            if (text == null) {
                return fallback;
            }
            long bytes = Quantities.bytes(text);
            if (bytes >= least && bytes <= most) {
                return bytes;
            }
            value.problem(value.name() + " is \"" + text + "\"; write a size (B, KiB, MiB, GiB) from "
                    + Quantities.text(least) + " to " + Quantities.text(most));
            return fallback;
        }

        @Override
        public Object written(Long value) {
            return Quantities.text(value.longValue());
        }
    }

    /** A number from 0, with a point or without, or off: NaN. */
    record NumberOrOff(double most) implements Scalar<Double> {
        @Override
        public Double read(Value value, Double fallback) {
            String text = value.text();
            if (text == null) {
                return fallback;
            }
            if (value.isOff()) {
                return Double.NaN;
            }
            double number = Quantities.decimal(text);
            if (number >= 0 && number <= most) {
                value.isNumber(Quantities.plain(number));
                return number;
            }
            value.problem(value.name() + " is \"" + text + "\"; write a number from 0 to " + Quantities.text(most)
                    + ", or off");
            return fallback;
        }

        @Override
        public Object written(Double value) {
            return Quantities.plain(value);
        }
    }

    /** A part of a whole: a number above 0, at most 1. */
    record Share() implements Scalar<Double> {
        @Override
        public Double read(Value value, Double fallback) {
            String text = value.text();
            if (text == null) {
                return fallback;
            }
            try {
                double share = Double.parseDouble(text);
                if (share > 0 && share <= 1) {
                    value.isNumber(Quantities.plain(share));
                    return share;
                }
            } catch (NumberFormatException notANumber) {
                // reported below, like a number out of bounds
            }
            value.problem(value.name() + " is \"" + text
                    + "\"; write a number above 0 and at most 1, such as 0.1 for a tenth");
            return fallback;
        }

        @Override
        public Object written(Double value) {
            return Quantities.plain(value);
        }
    }

    /** {@code on} or {@code off}, or YAML's own {@code true} and {@code false}. */
    record OnOff() implements Scalar<Boolean> {
        @Override
        public Boolean read(Value value, Boolean fallback) {
            return value.onOff(fallback);
        }

        @Override
        public Object written(Boolean value) {
            return value ? "on" : "off";
        }
    }

    /** A threshold that can only be on, 0, or off, NaN: one event is one too many. */
    record AnyOrOff() implements Scalar<Double> {
        @Override
        public Double read(Value value, Double fallback) {
            return value.onOff(true) ? fallback : Double.NaN;
        }

        @Override
        public Object written(Double value) {
            return "on";
        }
    }

    /**
     * One of several words.
     *
     * @param word the spelling of a choice
     */
    record Choice<E>(List<E> choices, Function<E, String> word) implements Scalar<E> {
        /** Returns the choice among an enum's constants, in lower case with dashes. */
        static <E extends Enum<E>> Choice<E> of(Class<E> type) {
            return new Choice<>(List.of(type.getEnumConstants()), Words::dashed);
        }

        /** Returns the words, in order. */
        List<String> words() {
            return choices.stream().map(word).toList();
        }

        @Override
        public E read(Value value, E fallback) {
            String text = value.text();
            if (text == null) {
                return fallback;
            }
            for (E choice : choices) {
                if (word.apply(choice).equals(text)) {
                    return choice;
                }
            }
            value.problem(value.name() + " is \"" + text + "\"; write one of "
                    + words().stream().collect(Collectors.joining(", ")));
            return fallback;
        }

        @Override
        public Object written(E value) {
            return word.apply(value);
        }
    }

    /**
     * A text that its reader checks.
     *
     * @param form its form in words, for the reference page
     */
    record Text(String form) implements KeyType {}

    /**
     * A list of texts that its reader checks; a single one stands for a list of one.
     *
     * @param form the form of an element in words, for the reference page
     */
    record Texts(String form) implements KeyType {}

    /** Sections with keys of their own. */
    record Group(Shape shape, SectionKeys section) implements KeyType {}

    /** The ways in which a key holds sections. */
    enum Shape {
        /** One section. */
        SECTION,
        /** One section, {@code on} for its defaults, or {@code off}. */
        ON_OFF_OR_SECTION,
        /** One section, or {@code off}. */
        OFF_OR_SECTION,
        /** One section, or a text that stands for its first key. */
        TEXT_OR_SECTION,
        /** A list of sections or texts that stand for the first key; a single one stands for a list of one. */
        TEXTS_OR_SECTIONS,
        /** A list of sections; a single one stands for a list of one. */
        LIST,
        /** Sections under names of the operator's choice. */
        NAMED
    }
}
