package dev.sluice.config.yaml;

import java.util.Locale;

/** The spelling of an enum's constants in a configuration. */
public final class Words {
    private Words() {}

    /** Returns a constant's name in lower case with dashes. */
    public static String dashed(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
