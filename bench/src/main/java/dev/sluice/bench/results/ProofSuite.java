package dev.sluice.bench.results;

import java.util.Locale;

/** The suites of {@code tools/proofs/run}, in the order in which pages show them. */
enum ProofSuite {
    /** Malformed conversations with the gateway, beside nginx. */
    TLSFUZZER("tlsfuzzer"),
    /** The engines in both roles, beside libssl. */
    BOGO("BoringSSL's runner"),
    /** A scanner. */
    SSLYZE("sslyze"),
    /** A scanner. */
    TESTSSL("testssl.sh"),
    /** The doctor beside both scanners. */
    DOCTOR("sslyze and testssl.sh"),
    /** Our own tests on others' test vectors, and with failing calls. */
    UNIT_TESTS("Sluice's tests"),
    /** Our own tests with others' clients. */
    CLIENT_TESTS("Sluice's tests"),
    /** Our own tests with others' servers, and with peers that break rules. */
    HARDSHIP_TESTS("Sluice's tests"),
    /** Our own tests in a virtual machine whose kernel protects the records. */
    KERNEL_TESTS("Sluice's tests");

    private final String title;

    ProofSuite(String title) {
        this.title = title;
    }

    /**
     * Returns the suite of a name.
     *
     * @throws IllegalArgumentException when there is none
     */
    static ProofSuite named(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /** Returns its name, as {@code tools/proofs/run} takes it. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns its name for readers. */
    String title() {
        return title;
    }

    /** Returns true for a selection of Sluice's own tests. */
    boolean ownTests() {
        return compareTo(UNIT_TESTS) >= 0;
    }
}
