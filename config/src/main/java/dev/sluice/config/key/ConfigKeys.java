package dev.sluice.config.key;

import java.util.ArrayList;
import java.util.List;

/** The catalogue of all keys of the configuration. A key that is not in it cannot be read. */
public final class ConfigKeys {
    private ConfigKeys() {}

    /** Returns all sections, the root first, each before the sections that it holds. */
    static List<SectionKeys> sections() {
        List<SectionKeys> sections = new ArrayList<>();
        collect(TopKeys.SECTION, sections);
        return List.copyOf(sections);
    }

    private static void collect(SectionKeys section, List<SectionKeys> sections) {
        sections.add(section);
        for (Key key : section.keys()) {
            if (key.type() instanceof KeyType.Group group) {
                collect(group.section(), sections);
            }
        }
    }

    /** Returns the keys whose changes take a restart. */
    public static List<RestartKey> restartKeys() {
        List<RestartKey> keys = new ArrayList<>();
        for (SectionKeys section : sections()) {
            for (Key key : section.keys()) {
                if (key.restart() != null) {
                    keys.add(new RestartKey(section.pathOf(key), key.restart()));
                }
            }
        }
        return List.copyOf(keys);
    }
}
