package dev.sluice.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RoundOrderTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void everyRoundRunsEveryTreatmentOnce(int treatments) {
        RoundOrder order = new RoundOrder(treatments);
        int[] all = IntStream.range(0, treatments).toArray();
        for (int round = 0; round < 3 * order.cycle(); round++) {
            assertThat(Arrays.stream(order.order(round)).sorted().toArray()).isEqualTo(all);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void firstRoundsAreALatinSquare(int treatments) {
        RoundOrder order = new RoundOrder(treatments);
        for (int position = 0; position < treatments; position++) {
            int column = position;
            assertThat(IntStream.range(0, treatments).map(round -> order.order(round)[column]))
                    .doesNotHaveDuplicates();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 6, 7, 8})
    void everyTreatmentFollowsEveryOtherEquallyOften(int treatments) {
        RoundOrder order = new RoundOrder(treatments);
        Map<String, Integer> followings = new HashMap<>();
        for (int round = 0; round < order.cycle(); round++) {
            int[] row = order.order(round);
            for (int position = 1; position < treatments; position++) {
                followings.merge(row[position - 1] + ">" + row[position], 1, Integer::sum);
            }
        }
        assertThat(followings).hasSize(treatments * (treatments - 1));
        assertThat(followings.values()).containsOnly(order.cycle() / treatments);
    }

    @Test
    void rejectsAnEmptyOrder() {
        assertThatThrownBy(() -> new RoundOrder(0)).hasMessageContaining("treatments=0");
    }
}
