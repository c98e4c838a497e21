package dev.sluice.tls.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.memory.Ledger;
import dev.sluice.memory.Slab;
import dev.sluice.memory.SlabPool;
import dev.sluice.testkit.NativeBalance;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RecordAssemblyTest {
    private static final int CAPACITY = 128;
    private static final int FRONT = 13;
    private static final byte[] BEGIN = {23, 3, 3, 0, 60, 1, 2, 3};
    private static final int RECORD_BYTES = 65;

    @RegisterExtension
    final NativeBalance<?> balance = NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    private final MallocAllocator allocator = new MallocAllocator();
    private final SlabPool pool = new SlabPool(allocator, Ledger.process().account("assembled"), CAPACITY, 1, 1);

    @SuppressWarnings("NullAway.Init")
    private Slab buffer;

    @BeforeEach
    void lease() {
        buffer = Objects.requireNonNull(pool.lease());
    }

    @AfterEach
    void free() {
        buffer.release();
        pool.close();
    }

    private void fill(int start, int length) {
        for (int i = 0; i < length; i++) {
            RawMemory.putByte(buffer.address() + start + i, BEGIN[i]);
        }
        buffer.window(start, start + length);
    }

    @Test
    void asksForTheHeaderFirst() {
        fill(FRONT, 3);
        assertThat(RecordAssembly.recordBytes(buffer)).isZero();
        assertThat(RecordAssembly.missingBytes(buffer)).isEqualTo(2);
    }

    @Test
    void asksForTheRestOfTheRecordByItsHeader() {
        fill(FRONT, BEGIN.length);
        assertThat(RecordAssembly.recordBytes(buffer)).isEqualTo(RECORD_BYTES);
        assertThat(RecordAssembly.missingBytes(buffer)).isEqualTo(RECORD_BYTES - BEGIN.length);
    }

    @Test
    void missesNothingOfACompleteRecord() {
        fill(FRONT, BEGIN.length);
        buffer.window(FRONT, FRONT + RECORD_BYTES + 1);
        assertThat(RecordAssembly.missingBytes(buffer)).isZero();
    }

    @Test
    void leavesBytesInPlaceWhereTheRestFitsBehindThem() {
        int start = CAPACITY - RECORD_BYTES;
        fill(start, BEGIN.length);
        assertThat(RecordAssembly.makeRoom(buffer, FRONT, RECORD_BYTES - BEGIN.length))
                .isZero();
        assertThat(buffer.start()).isEqualTo(start);
    }

    @Test
    void movesBytesToTheFrontWhereTheRestDoesNotFit() {
        int start = CAPACITY - RECORD_BYTES + 1;
        fill(start, BEGIN.length);
        assertThat(RecordAssembly.makeRoom(buffer, FRONT, RECORD_BYTES - BEGIN.length))
                .isEqualTo(BEGIN.length);
        assertThat(buffer.start()).isEqualTo(FRONT);
        assertThat(buffer.length()).isEqualTo(BEGIN.length);
        for (int i = 0; i < BEGIN.length; i++) {
            assertThat(RawMemory.getByte(buffer.payloadAddress() + i)).isEqualTo(BEGIN[i]);
        }
    }

    @Test
    void neverMovesBytesBackwards() {
        fill(2, BEGIN.length);
        assertThat(RecordAssembly.makeRoom(buffer, FRONT, CAPACITY)).isZero();
        assertThat(buffer.start()).isEqualTo(2);
    }
}
