package dev.sluice.config.key;

import dev.sluice.config.key.KeyType.AnyOrOff;
import dev.sluice.config.key.KeyType.Choice;
import dev.sluice.config.key.KeyType.Group;
import dev.sluice.config.key.KeyType.NumberOrOff;
import dev.sluice.config.key.KeyType.OnOff;
import dev.sluice.config.key.KeyType.SecondsOrOff;
import dev.sluice.config.key.KeyType.Share;
import dev.sluice.config.key.KeyType.Size;
import dev.sluice.config.key.KeyType.Text;
import dev.sluice.config.key.KeyType.Texts;
import dev.sluice.config.key.KeyType.Time;
import dev.sluice.config.key.KeyType.Whole;
import dev.sluice.config.yaml.Quantities;
import dev.sluice.testkit.GeneratedPage;
import java.util.Locale;
import java.util.stream.Collectors;

/** The reference page of configurations, generated from the catalogue of keys. */
final class PageOfKeys {
    private static final String HEAD = """
            # Configuration reference

            <!-- Generated from the *Keys classes in dev.sluice.config.key: change those, and run ConfigKeysTest with
            -Dsluice.docs.write=true. -->

            Every key of `sluice gateway --config FILE`, section by section.
            [Configuration files](guide/configuration-files.md) has examples and advice;
            [sluice.schema.json](sluice.schema.json) has the same keys for editors.

            - *default*: the value of an absent key; *required* where there is none.
            - *values*: durations are whole numbers with `ms`, `s`, `m`, `h` or `d`, sizes with `B`, `KiB`, `MiB` or
              `GiB`. A list of one may be written without brackets. `true` and `false` stand for `on` and `off`.
            - *change*: `reload` where a [reload](guide/reload.md) changes the key while the gateway runs, `restart`
              where a change takes a restart.

            Relative paths of files start at the configuration's own directory. In the paths of sections, `[]` stands
            for an element of a list and `NAME` for a name of your choice. `${VARIABLE}` in a value stands for a
            variable of the environment.
            """;

    private PageOfKeys() {}

    /** Returns the page. */
    static String text() {
        return HEAD + ConfigKeys.sections().stream().map(PageOfKeys::section).collect(Collectors.joining());
    }

    private static String section(SectionKeys section) {
        String path = section.path().isEmpty() ? "" : "`" + section.path() + "`. ";
        return "\n## " + section.title() + "\n\n" + GeneratedPage.wrap(path + section.text(), "") + "\n"
                + "| key | default | values | change | description |\n| --- | --- | --- | --- | --- |\n"
                + section.keys().stream().map(key -> row(section, key)).collect(Collectors.joining());
    }

    private static String row(SectionKeys section, Key key) {
        String path = section.pathOf(key);
        boolean restart = ConfigKeys.restartKeys().stream()
                .anyMatch(other -> path.equals(other.path()) || path.startsWith(other.path() + "."));
        return "| `" + key.name() + "` | " + defaultOf(key) + " | " + values(key.type()) + " | "
                + (restart ? "restart" : "reload") + " | " + key.text() + " |\n";
    }

    private static String defaultOf(Key key) {
        if (key.example() != null) {
            return "*required*";
        }
        return key instanceof ValueKey<?> value && key.absent().isEmpty()
                ? code(SchemaOfKeys.written(value))
                : key.absent();
    }

    private static String values(KeyType type) {
        return switch (type) {
            case Whole whole -> number(whole.least()) + " to " + number(whole.most());
            case Time time -> Quantities.text(time.least()) + " to " + Quantities.text(time.most());
            case SecondsOrOff time -> Quantities.text(time.least()) + " to " + Quantities.text(time.most()) + ", `off`";
            case Size size -> Quantities.text(size.least()) + " to " + Quantities.text(size.most());
            case NumberOrOff number -> number.most() == 1 ? "0 to 1, `off`" : "a number from 0, `off`";
            case Share _ -> "above 0, at most 1";
            case OnOff _, AnyOrOff _ -> "`on`, `off`";
            case Choice<?> choice ->
                choice.words().stream().map(PageOfKeys::code).collect(Collectors.joining(", "));
            case Text text -> text.form();
            case Texts texts -> "list of " + texts.form();
            case Group group -> group(group);
        };
    }

    private static String group(Group group) {
        String anchor = "(#" + group.section().title().toLowerCase(Locale.ROOT).replace(' ', '-') + ")";
        return switch (group.shape()) {
            case SECTION -> "[section]" + anchor;
            case ON_OFF_OR_SECTION -> "`on`, `off`, [section]" + anchor;
            case OFF_OR_SECTION -> "`off`, [section]" + anchor;
            case TEXT_OR_SECTION -> "a path, [section]" + anchor;
            case TEXTS_OR_SECTIONS -> "list of addresses or [sections]" + anchor;
            case LIST -> "list of [sections]" + anchor;
            case NAMED -> "[sections]" + anchor + " by name";
        };
    }

    private static String number(int number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static String code(Object text) {
        return "`" + text + "`";
    }
}
