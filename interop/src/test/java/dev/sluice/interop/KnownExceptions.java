package dev.sluice.interop;

import java.util.Set;

/**
 * The places where {@link StructureTest} does not hold yet. An entry is removed as soon as it is not needed, and none
 * is added. Packages are named without {@code dev.sluice}.
 */
final class KnownExceptions {
    /** Dependencies that close a cycle of packages. */
    static final Set<String> CYCLES = Set.of();

    /** Packages with more than 40 files. */
    static final Set<String> LARGE_PACKAGES = Set.of();

    /** Simple names that more than one class has. */
    static final Set<String> REPEATED_NAMES = Set.of("DerReader", "Json");

    /** Packages whose package-info is shorter than five lines. */
    static final Set<String> TERSE_PACKAGES = Set.of();

    private KnownExceptions() {}
}
