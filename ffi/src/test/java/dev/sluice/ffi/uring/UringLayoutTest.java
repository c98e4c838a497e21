package dev.sluice.ffi.uring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.CProbe;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A comparison of every offset and constant of this package with the headers of the test machine. */
final class UringLayoutTest {
    private static final String[] HEADERS = {"linux/io_uring.h", "linux/time_types.h", "sys/syscall.h"};

    /** Constants absent from the oldest build headers; compared where the header defines them. */
    private static final String YOUNGER = "IORING_SETUP_NO_SQARRAY";

    @Test
    void constantsMatchTheHeader() throws IllegalAccessException {
        Map<String, Long> ours = new LinkedHashMap<>();
        for (Field field : UringConstants.class.getDeclaredFields()) {
            if (Modifier.isPublic(field.getModifiers())) {
                ours.put(field.getName(), field.getLong(null));
            }
        }
        assertThat(ours).hasSizeGreaterThan(25).containsEntry(YOUNGER, 0x10000L);
        CProbe probe = new CProbe(HEADERS).askIfDefined(YOUNGER);
        ours.keySet().stream().filter(name -> !name.equals(YOUNGER)).forEach(probe::ask);
        Map<String, Long> theirs = probe.answers();
        theirs.forEach((name, value) -> assertThat(ours.get(name)).as(name).isEqualTo(value));
        assertThat(theirs).hasSizeGreaterThanOrEqualTo(ours.size() - 1);
    }

    @Test
    void structsMatchTheHeader() {
        Map<String, Long> ours = new LinkedHashMap<>();
        params(ours);
        entries(ours);
        buffers(ours);
        arguments(ours);
        CProbe probe = new CProbe(HEADERS);
        ours.keySet().forEach(probe::ask);
        assertThat(ours).isEqualTo(probe.answers());
    }

    private static void params(Map<String, Long> ours) {
        put(ours, "offsetof(struct io_uring_params, sq_entries)", Params.SQ_ENTRIES_OFFSET);
        put(ours, "offsetof(struct io_uring_params, cq_entries)", Params.CQ_ENTRIES_OFFSET);
        put(ours, "offsetof(struct io_uring_params, flags)", Params.FLAGS_OFFSET);
        put(ours, "offsetof(struct io_uring_params, features)", Params.FEATURES_OFFSET);
        put(ours, "offsetof(struct io_uring_params, sq_off.head)", Params.SQ_HEAD_OFFSET);
        put(ours, "offsetof(struct io_uring_params, sq_off.tail)", Params.SQ_TAIL_OFFSET);
        put(ours, "offsetof(struct io_uring_params, sq_off.flags)", Params.SQ_FLAGS_OFFSET);
        put(ours, "offsetof(struct io_uring_params, sq_off.array)", Params.SQ_ARRAY_OFFSET);
        put(ours, "offsetof(struct io_uring_params, cq_off.head)", Params.CQ_HEAD_OFFSET);
        put(ours, "offsetof(struct io_uring_params, cq_off.tail)", Params.CQ_TAIL_OFFSET);
        put(ours, "offsetof(struct io_uring_params, cq_off.cqes)", Params.CQ_CQES_OFFSET);
        put(ours, "sizeof(struct io_uring_params)", Params.BYTES);
    }

    private static void entries(Map<String, Long> ours) {
        put(ours, "offsetof(struct io_uring_sqe, opcode)", Sqe.OPCODE_OFFSET);
        put(ours, "offsetof(struct io_uring_sqe, flags)", Sqe.FLAGS_OFFSET);
        put(ours, "offsetof(struct io_uring_sqe, ioprio)", Sqe.IOPRIO_OFFSET);
        put(ours, "offsetof(struct io_uring_sqe, fd)", Sqe.FD_OFFSET);
        put(ours, "offsetof(struct io_uring_sqe, off)", Sqe.OFF_OFFSET);
        put(ours, "offsetof(struct io_uring_sqe, addr)", Sqe.ADDR_OFFSET);
        put(ours, "offsetof(struct io_uring_sqe, len)", Sqe.LEN_OFFSET);
        put(ours, "offsetof(struct io_uring_sqe, msg_flags)", Sqe.OP_FLAGS_OFFSET);
        put(ours, "offsetof(struct io_uring_sqe, accept_flags)", Sqe.OP_FLAGS_OFFSET);
        put(ours, "offsetof(struct io_uring_sqe, poll32_events)", Sqe.OP_FLAGS_OFFSET);
        put(ours, "offsetof(struct io_uring_sqe, user_data)", Sqe.USER_DATA_OFFSET);
        put(ours, "offsetof(struct io_uring_sqe, buf_group)", Sqe.BUF_GROUP_OFFSET);
        put(ours, "sizeof(struct io_uring_sqe)", Sqe.BYTES);
        put(ours, "offsetof(struct io_uring_cqe, user_data)", Cqe.USER_DATA_OFFSET);
        put(ours, "offsetof(struct io_uring_cqe, res)", Cqe.RES_OFFSET);
        put(ours, "offsetof(struct io_uring_cqe, flags)", Cqe.FLAGS_OFFSET);
        put(ours, "sizeof(struct io_uring_cqe)", Cqe.BYTES);
    }

    private static void buffers(Map<String, Long> ours) {
        put(ours, "offsetof(struct io_uring_buf, addr)", BufferRing.ADDR_OFFSET);
        put(ours, "offsetof(struct io_uring_buf, len)", BufferRing.LEN_OFFSET);
        put(ours, "offsetof(struct io_uring_buf, bid)", BufferRing.BID_OFFSET);
        put(ours, "sizeof(struct io_uring_buf)", BufferRing.ENTRY_BYTES);
        put(ours, "offsetof(struct io_uring_buf_ring, tail)", BufferRing.TAIL_OFFSET);
        put(ours, "offsetof(struct io_uring_buf_reg, ring_addr)", BufferRing.REG_RING_ADDR_OFFSET);
        put(ours, "offsetof(struct io_uring_buf_reg, ring_entries)", BufferRing.REG_RING_ENTRIES_OFFSET);
        put(ours, "offsetof(struct io_uring_buf_reg, bgid)", BufferRing.REG_BGID_OFFSET);
        put(ours, "sizeof(struct io_uring_buf_reg)", BufferRing.REG_BYTES);
    }

    private static void arguments(Map<String, Long> ours) {
        put(ours, "offsetof(struct io_uring_rsrc_update, offset)", EnterHandle.OFFSET_OFFSET);
        put(ours, "offsetof(struct io_uring_rsrc_update, data)", EnterHandle.DATA_OFFSET);
        put(ours, "sizeof(struct io_uring_rsrc_update)", EnterHandle.BYTES);
        put(ours, "offsetof(struct io_uring_getevents_arg, sigmask)", GetEventsArgument.SIGMASK_OFFSET);
        put(ours, "offsetof(struct io_uring_getevents_arg, sigmask_sz)", GetEventsArgument.SIGMASK_SIZE_OFFSET);
        put(ours, "offsetof(struct io_uring_getevents_arg, ts)", GetEventsArgument.TS_OFFSET);
        put(ours, "sizeof(struct io_uring_getevents_arg)", GetEventsArgument.BYTES);
        put(ours, "offsetof(struct __kernel_timespec, tv_sec)", GetEventsArgument.SECONDS_OFFSET);
        put(ours, "offsetof(struct __kernel_timespec, tv_nsec)", GetEventsArgument.NANOSECONDS_OFFSET);
        put(ours, "sizeof(struct __kernel_timespec)", GetEventsArgument.TIMESPEC_BYTES);
        put(ours, "SYS_io_uring_setup", UringSyscalls.SYS_IO_URING_SETUP);
        put(ours, "SYS_io_uring_enter", UringSyscalls.SYS_IO_URING_ENTER);
        put(ours, "SYS_io_uring_register", UringSyscalls.SYS_IO_URING_REGISTER);
    }

    private static void put(Map<String, Long> ours, String expression, int value) {
        ours.put(expression, (long) value);
    }
}
