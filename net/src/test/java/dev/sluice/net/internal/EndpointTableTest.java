package dev.sluice.net.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class EndpointTableTest {
    private final EndpointTable table = new EndpointTable();

    @Test
    void findsEachByItsTokenAndNoneByALateOne() {
        List<Endpoint> endpoints = new ArrayList<>();
        Set<Long> tokens = new HashSet<>();
        for (int i = 0; i < 1_000; i++) {
            Endpoint endpoint = new Nobody();
            table.add(endpoint);
            endpoints.add(endpoint);
            tokens.add(EndpointTable.token(endpoint, Operation.SEND));
        }
        assertThat(tokens).hasSize(1_000);
        for (Endpoint endpoint : endpoints) {
            long token = EndpointTable.token(endpoint, Operation.SEND);
            assertThat(table.find(token)).isSameAs(endpoint);
            assertThat(EndpointTable.operation(token)).isEqualTo(Operation.SEND);
            table.remove(endpoint);
            assertThat(table.find(token)).isNull();
        }
        assertThat(table.size()).isZero();
    }

    @Test
    void aSlotIsUsedAgainWithTheNextGeneration() {
        Endpoint first = new Nobody();
        table.add(first);
        long late = EndpointTable.token(first, Operation.RECEIVE);
        int slot = first.slot;
        table.remove(first);
        Endpoint second = new Nobody();
        table.add(second);
        assertThat(second.slot).isEqualTo(slot);
        assertThat(table.find(late)).isNull();
        assertThat(table.find(EndpointTable.token(second, Operation.RECEIVE))).isSameAs(second);
    }

    @Test
    void aQueueKeepsItsOrderAsItGrows() {
        EndpointQueue queue = new EndpointQueue();
        List<Endpoint> expected = new ArrayList<>();
        for (int round = 0; round < 300; round++) {
            for (int i = 0; i < 3; i++) {
                Endpoint endpoint = new Nobody();
                queue.add(endpoint);
                expected.add(endpoint);
            }
            assertThat(queue.poll()).isSameAs(expected.removeFirst());
        }
        while (!expected.isEmpty()) {
            assertThat(queue.size()).isEqualTo(expected.size());
            assertThat(queue.poll()).isSameAs(expected.removeFirst());
        }
        assertThat(queue.poll()).isNull();
        assertThat(queue.isEmpty()).isTrue();
    }

    private static final class Nobody extends Endpoint {
        @Override
        void onThrown(Throwable thrown) {}

        @Override
        void onDetached() {}

        @Override
        void onLoopClosing() {}
    }
}
