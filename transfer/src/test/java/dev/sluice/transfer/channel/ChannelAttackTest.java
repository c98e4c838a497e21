package dev.sluice.transfer.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.memory.Ledger;
import dev.sluice.testkit.NativeBalance;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An attacker on the path changes records, and each change is an error before a wrong byte is delivered. */
@Timeout(60)
class ChannelAttackTest {
    @RegisterExtension
    final NativeBalance<?> balance = NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    @Test
    void deliversWhatNobodyChanges() throws Exception {
        try (MiddleMan path = new MiddleMan()) {
            sendThree(path, 3, records -> records);
            assertDelivered(path, 1, 2, 3);
            path.attack(1, records -> records);
            path.client().finish();
            assertThat(path.server().incoming().await()).isFalse();
        }
    }

    @Test
    void rejectsAReplayedRecord() throws Exception {
        try (MiddleMan path = new MiddleMan()) {
            sendThree(path, 3, records -> List.of(records.get(0), records.get(0), records.get(1), records.get(2)));
            assertDelivered(path, 1);
            assertFailed(path, ChannelFailure.BAD_RECORD);
        }
    }

    @Test
    void rejectsReorderedRecords() throws Exception {
        try (MiddleMan path = new MiddleMan()) {
            sendThree(path, 3, records -> List.of(records.get(0), records.get(2), records.get(1)));
            assertDelivered(path, 1);
            assertFailed(path, ChannelFailure.BAD_RECORD);
        }
    }

    @Test
    void rejectsADroppedRecord() throws Exception {
        try (MiddleMan path = new MiddleMan()) {
            sendThree(path, 3, records -> List.of(records.get(1), records.get(2)));
            assertFailed(path, ChannelFailure.BAD_RECORD);
        }
    }

    /** Header, first and last byte of the ciphertext, first and last byte of the tag. */
    @Test
    void rejectsEveryFlippedBit() throws Exception {
        for (int position : new int[] {0, 1, 3, 4, 5, 8, 9, -17, -16, -1}) {
            try (MiddleMan path = new MiddleMan()) {
                sendThree(path, 1, records -> List.of(flipped(records.get(0), position)));
                path.client().abort();
                assertThatThrownBy(() -> path.server().incoming().getInt())
                        .as("position " + position)
                        .isInstanceOf(ChannelException.class);
            }
        }
    }

    private static byte[] flipped(byte[] record, int position) {
        byte[] changed = record.clone();
        changed[Math.floorMod(position, record.length)] ^= 1;
        return changed;
    }

    /** With one key and one nonce for both directions, a record would open on the side that sent it. */
    @Test
    void rejectsARecordSentBackToItsSender() throws Exception {
        try (MiddleMan path = new MiddleMan()) {
            path.server().outgoing().putInt(1);
            path.server().send();
            assertThat(path.client().incoming().getInt()).isEqualTo(1);
            path.attack(1, records -> List.of(path.lastOfServer()));
            path.client().outgoing().putInt(1);
            path.client().send();
            assertFailed(path, ChannelFailure.BAD_RECORD);
        }
    }

    /** Same plaintext, same position in the stream: the directions still encrypt it differently. */
    @Test
    void directionsHaveKeysOfTheirOwn() throws Exception {
        try (MiddleMan path = new MiddleMan()) {
            List<byte[]> fromClient = new ArrayList<>();
            path.attack(1, records -> {
                fromClient.add(records.get(0));
                return records;
            });
            path.client().outgoing().put(new byte[100], 0, 100);
            path.client().send();
            path.server().incoming().skip(100);
            path.server().outgoing().put(new byte[100], 0, 100);
            path.server().send();
            path.client().incoming().skip(100);
            byte[] one = fromClient.getFirst();
            byte[] other = path.lastOfServer();
            assertThat(one).hasSameSizeAs(other);
            assertThat(Arrays.mismatch(one, other)).isEqualTo(5);
        }
    }

    @Test
    void truncationIsAnErrorOfItsOwn() throws Exception {
        try (MiddleMan path = new MiddleMan()) {
            sendThree(path, 3, records -> List.of(records.get(0), new byte[0]));
            assertDelivered(path, 1);
            assertFailed(path, ChannelFailure.TRUNCATED);
        }
    }

    @Test
    void truncationInsideARecordIsAnErrorOfItsOwn() throws Exception {
        try (MiddleMan path = new MiddleMan()) {
            sendThree(path, 1, records -> List.of(Arrays.copyOf(records.get(0), 20), new byte[0]));
            assertFailed(path, ChannelFailure.TRUNCATED);
        }
    }

    @Test
    void suppressedEndIsATruncation() throws Exception {
        try (MiddleMan path = new MiddleMan()) {
            path.attack(1, records -> List.of(new byte[0]));
            path.client().finish();
            assertFailed(path, ChannelFailure.TRUNCATED);
        }
    }

    @Test
    void bytesAfterTheEndAreIgnored() throws Exception {
        try (MiddleMan path = new MiddleMan()) {
            path.attack(1, records -> List.of(records.get(0), new byte[] {23, 3, 3, 0, 1, 0}));
            path.client().finish();
            assertThat(path.server().incoming().await()).isFalse();
            assertThat(path.server().incoming().await()).isFalse();
        }
    }

    @Test
    void aFailureReachesTheOtherSideAsAnAlert() throws Exception {
        try (MiddleMan path = new MiddleMan()) {
            sendThree(path, 3, records -> List.of(flipped(records.get(0), 9)));
            assertFailed(path, ChannelFailure.BAD_RECORD);
            assertThatThrownBy(() -> path.client().incoming().await())
                    .isInstanceOfSatisfying(
                            ChannelException.class, e -> assertThat(e.failure()).isEqualTo(ChannelFailure.PEER_FAILED));
            path.server().outgoing().putInt(1);
            assertThatThrownBy(() -> path.server().send()).isInstanceOf(ChannelException.class);
        }
    }

    private static void sendThree(MiddleMan path, int held, UnaryOperator<List<byte[]>> change) throws Exception {
        path.attack(held, change);
        for (int i = 1; i <= held; i++) {
            path.client().outgoing().putInt(i);
            path.client().outgoing().endRecord();
        }
        path.client().send();
    }

    private static void assertDelivered(MiddleMan path, int... values) throws ChannelException {
        for (int value : values) {
            assertThat(path.server().incoming().getInt()).isEqualTo(value);
        }
    }

    private static void assertFailed(MiddleMan path, ChannelFailure expected) {
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> path.server().incoming().await())
                    .isInstanceOfSatisfying(
                            ChannelException.class, e -> assertThat(e.failure()).isEqualTo(expected));
        }
    }
}
