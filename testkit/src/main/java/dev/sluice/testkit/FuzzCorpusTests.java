package dev.sluice.testkit;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** A run of a module's fuzzers over their committed corpus and its mutations; its test class names the targets. */
public interface FuzzCorpusTests {
    /** Returns the targets of the module. */
    List<FuzzTarget> targets();

    /** Runs the inputs of each corpus. */
    @TestFactory
    default Stream<DynamicTest> passesTheCorpus() {
        return targets().stream().map(target -> DynamicTest.dynamicTest(target.name(), target::runCorpus));
    }

    /** Runs the same mutations of each corpus in every run. */
    @TestFactory
    default Stream<DynamicTest> passesMutationsOfTheCorpus() {
        return targets().stream().map(target -> DynamicTest.dynamicTest(target.name(), target::runMutations));
    }
}
