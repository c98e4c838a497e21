package dev.sluice.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class SummaryTest {
    @Test
    void oddCountGivesTheMiddle() {
        assertThat(Summary.of(new double[] {9, 1, 5})).isEqualTo(new Summary(5, 4, 1, 9, 3));
    }

    @Test
    void evenCountGivesTheMeanOfTheMiddleTwo() {
        assertThat(Summary.of(new double[] {4, 1, 2, 3})).isEqualTo(new Summary(2.5, 1, 1, 4, 4));
    }

    @Test
    void oneDisturbedRoundMovesNeitherMedianNorDeviation() {
        Summary clean = Summary.of(new double[] {10, 11, 12, 13, 14});
        Summary spoiled = Summary.of(new double[] {10, 11, 12, 13, 900});
        assertThat(spoiled.median()).isEqualTo(clean.median());
        assertThat(spoiled.mad()).isEqualTo(clean.mad());
    }

    @Test
    void pairedRatiosCancelACommonDrift() {
        double[] ours = {1, 2, 4};
        double[] theirs = {2, 4, 8};
        Summary ratios = Summary.ofPairedRatios(ours, theirs);
        assertThat(ratios.median()).isCloseTo(0.5, within(1e-12));
        assertThat(ratios.max() - ratios.min()).isZero();
    }

    @Test
    void leavesFiguresInTheirOrder() {
        double[] figures = {3, 1, 2};
        Summary.of(figures);
        assertThat(figures).containsExactly(3, 1, 2);
    }

    @Test
    void rejectsUnpairedAndEmptyFigures() {
        assertThatThrownBy(() -> Summary.ofPairedRatios(new double[2], new double[3]))
                .hasMessageContaining("numerators=2, denominators=3");
        assertThatThrownBy(() -> Summary.of(new double[0])).isInstanceOf(IllegalArgumentException.class);
    }
}
