package dev.sluice.tls.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProtectedRecordsTest {
    private static final int HANDSHAKE = 22;
    private static final int CHANGE_CIPHER_SPEC = 20;
    private static final int ALERT = 21;
    private static final int APPLICATION_DATA = 23;

    private final MallocAllocator allocator = new MallocAllocator();
    private final MemorySegment room = allocator.allocate(2_000, 8);
    private final ByteArrayOutputStream stream = new ByteArrayOutputStream();

    @AfterEach
    void free() {
        allocator.free(room);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 100, 2_000})
    void countsRecordsAfterTheChangeCipherSpecInAnyPieces(int piece) {
        record(HANDSHAKE, 300);
        record(HANDSHAKE, 0);
        record(CHANGE_CIPHER_SPEC, 1);
        record(HANDSHAKE, 25);
        record(HANDSHAKE, 256);
        record(ALERT, 26);
        record(APPLICATION_DATA, 511);

        ProtectedRecords records = ProtectedRecords.ofStream();
        read(records, stream.toByteArray(), piece);

        assertThat(records.count()).isEqualTo(4);
        assertThat(records.isLost()).isFalse();
    }

    @Test
    void countsARecordFromTheEndOfItsHeader() {
        record(APPLICATION_DATA, 600);
        byte[] bytes = stream.toByteArray();
        ProtectedRecords rest = ProtectedRecords.ofRest();

        read(rest, bytes, 4, 4);
        assertThat(rest.count()).isZero();
        RawMemory.putByte(room.address(), bytes[4]);
        rest.read(room.address(), 1);
        assertThat(rest.count()).isEqualTo(1);
    }

    @Test
    void knowsNothingAfterAnSsl2ClientHello() {
        ProtectedRecords records = ProtectedRecords.ofStream();

        read(records, new byte[] {(byte) 0x80, 0x2E, 1, 3, 3, 0, 21, 0, 0, 0, 16}, 3);

        assertThat(records.isLost()).isTrue();
    }

    private void record(int type, int length) {
        stream.writeBytes(new byte[] {(byte) type, 3, 3, (byte) (length >> 8), (byte) length});
        byte[] body = new byte[length];
        Arrays.fill(body, (byte) CHANGE_CIPHER_SPEC);
        stream.writeBytes(body);
    }

    private void read(ProtectedRecords records, byte[] bytes, int piece) {
        read(records, bytes, bytes.length, piece);
    }

    private void read(ProtectedRecords records, byte[] bytes, int end, int piece) {
        for (int at = 0; at < end; at += piece) {
            int length = Math.min(piece, end - at);
            RawMemory.copy(bytes, at, room.address(), length);
            records.read(room.address(), length);
        }
    }
}
