package dev.sluice.cost.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class NumbersTest {
    @Test
    void showsSignificantDigits() {
        assertThat(Numbers.of(0)).isEqualTo("0");
        assertThat(Numbers.of(0.0945)).isEqualTo("0.095");
        assertThat(Numbers.of(1.234)).isEqualTo("1.23");
        assertThat(Numbers.of(12.34)).isEqualTo("12.3");
        assertThat(Numbers.of(12_345.6)).isEqualTo("12,346");
    }

    @Test
    void showsErrorsRelativeToTheMedian() {
        assertThat(Numbers.error(new Estimate(200, 190, 210, 15))).isEqualTo("±5.0 %");
        assertThat(Numbers.error(new Estimate(100, 50, 150, 5))).isEqualTo("±50 %");
    }

    @Test
    void showsBytesInAFittingUnit() {
        assertThat(Numbers.bytes(497)).isEqualTo("497 B");
        assertThat(Numbers.bytes(71 * 1024 * 1024)).isEqualTo("71.0 MiB");
        assertThat(Numbers.bytes(0)).isEqualTo("0 B");
    }

    @Test
    void showsChangesWithTheirSign() {
        assertThat(Numbers.change(2, 1)).isEqualTo("−50 %");
        assertThat(Numbers.change(2, 3)).isEqualTo("+50 %");
        assertThat(Numbers.change(1000, 1001)).isEqualTo("±0 %");
        assertThat(Numbers.change(0, 0)).isEqualTo("±0 %");
        assertThat(Numbers.change(0, 1)).isEqualTo("more");
    }

    @Test
    void writesAlignedAndMarkdownTables() {
        TextTable table = new TextTable("", "µs");
        table.row("rsa", "1,234");
        table.row("ed25519", "5");

        assertThat(table.text()).isEqualTo("              µs\n  rsa      1,234\n  ed25519      5\n");
        assertThat(table.markdown()).isEqualTo("|  | µs |\n| --- | ---: |\n| rsa | 1,234 |\n| ed25519 | 5 |\n");
        assertThatThrownBy(() -> table.row("one")).hasMessageContaining("1 cells");
    }
}
