package dev.sluice.ffi.libc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that descriptors passed through a socket refer to the same sockets under other numbers. */
final class DescriptorMessageTest {
    private final LibC libc = new LibC();
    private final long memory = LibC.calloc(1, DescriptorMessage.BYTES + 64L);
    private final long text = memory + DescriptorMessage.BYTES;

    @AfterEach
    void free() {
        LibC.free(memory);
        libc.close();
    }

    private int[] pair(int type) {
        assertThat(libc.socketpair(Constants.AF_UNIX, type | Constants.SOCK_CLOEXEC, 0, text))
                .isZero();
        return new int[] {RawMemory.getInt(text), RawMemory.getInt(text + 4)};
    }

    @Test
    void passesAWorkingCopyOfASocket() {
        int[] way = pair(Constants.SOCK_SEQPACKET);
        int[] passed = pair(Constants.SOCK_STREAM);
        RawMemory.putByte(text, (byte) 'x');
        DescriptorMessage.setForSending(memory, text, 1, passed);
        assertThat(libc.sendmsg(way[0], memory, Constants.MSG_NOSIGNAL)).isEqualTo(1);

        DescriptorMessage.setForReceiving(memory, text, 64);
        assertThat(libc.recvmsg(way[1], memory, Constants.MSG_CMSG_CLOEXEC)).isEqualTo(1);
        int[] copies = DescriptorMessage.descriptors(memory);

        assertThat(RawMemory.getByte(text)).isEqualTo((byte) 'x');
        assertThat(copies).hasSize(2).doesNotContain(passed);
        RawMemory.putByte(text, (byte) 'y');
        assertThat(libc.write(copies[0], text, 1)).isEqualTo(1);
        RawMemory.putByte(text, (byte) 0);
        assertThat(libc.read(passed[1], text, 1)).isEqualTo(1);
        assertThat(RawMemory.getByte(text)).isEqualTo((byte) 'y');
        for (int[] each : new int[][] {way, passed, copies}) {
            libc.close(each[0]);
            libc.close(each[1]);
        }
    }

    @Test
    void returnsNoDescriptorsFromAPlainMessage() {
        int[] way = pair(Constants.SOCK_SEQPACKET);
        assertThat(libc.write(way[0], text, 1)).isEqualTo(1);
        DescriptorMessage.setForReceiving(memory, text, 64);
        assertThat(libc.recvmsg(way[1], memory, 0)).isEqualTo(1);

        assertThat(DescriptorMessage.descriptors(memory)).isEmpty();
        libc.close(way[0]);
        libc.close(way[1]);
    }

    @Test
    void passesAtMostTheKernelsMaximum() {
        int[] way = pair(Constants.SOCK_SEQPACKET);
        int[] many = new int[DescriptorMessage.DESCRIPTORS_MAX];
        Arrays.fill(many, way[0]);
        DescriptorMessage.setForSending(memory, text, 1, many);
        assertThat(libc.sendmsg(way[0], memory, Constants.MSG_NOSIGNAL)).isEqualTo(1);
        DescriptorMessage.setForReceiving(memory, text, 64);
        assertThat(libc.recvmsg(way[1], memory, 0)).isEqualTo(1);
        int[] copies = DescriptorMessage.descriptors(memory);
        assertThat(copies).hasSize(DescriptorMessage.DESCRIPTORS_MAX);
        for (int copy : copies) {
            libc.close(copy);
        }
        libc.close(way[0]);
        libc.close(way[1]);

        assertThatThrownBy(() -> DescriptorMessage.setForSending(memory, text, 1, new int[many.length + 1]))
                .hasMessageContaining("send several messages");
        assertThatThrownBy(() -> DescriptorMessage.setForSending(memory, text, 1, new int[0]))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
