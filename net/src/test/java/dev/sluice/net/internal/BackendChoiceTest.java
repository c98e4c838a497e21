package dev.sluice.net.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.uring.UringConstants;
import dev.sluice.memory.Ledger;
import dev.sluice.net.BackendUnavailableException;
import dev.sluice.net.EventLoop.Backend;
import dev.sluice.net.EventLoopConfig;
import dev.sluice.simulator.Chance;
import dev.sluice.simulator.Faults;
import dev.sluice.simulator.RingRules;
import dev.sluice.simulator.SimulatedKernel;
import dev.sluice.testkit.NativeBalance;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The choice from the best ring down to epoll: what is taken when something is refused, and what the log says of it.
 */
class BackendChoiceTest {
    private static final int SUBMISSION_BYTES = 64;
    private static final int COMPLETION_BYTES = 16;

    @RegisterExtension
    final NativeBalance<?> balance = NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    private static final List<RingRules> KERNELS =
            List.of(RingRules.LINUX_6_6, RingRules.LINUX_6_1, RingRules.LINUX_5_19);

    @Test
    void eachKernelGivesTheBestItHas() {
        assertThat(reason(RingRules.LINUX_6_6))
                .isEqualTo("io_uring: granted by the kernel (single issuer, deferred task work, no index array,"
                        + " 256 submissions, 4096 completions)");
        assertThat(reason(RingRules.LINUX_6_1)).contains("(single issuer, deferred task work, 256");
        assertThat(reason(RingRules.LINUX_5_19)).contains("(cooperative task work, 256");
    }

    /** A flag that is unknown takes us a rung down, to one without it. */
    @ParameterizedTest
    @CsvSource({
        "NO_SQARRAY, 'single issuer, deferred task work, 256'",
        "SINGLE_ISSUER, cooperative task work",
        "DEFER_TASKRUN, cooperative task work",
        "COOP_TASKRUN, 'single issuer, deferred task work, no index array'"
    })
    void setsUpWithoutAnUnknownFlag(String flag, String granted) {
        assertThat(reason(RingRules.LINUX_6_6.without(flag(flag)))).contains(granted);
    }

    @ParameterizedTest
    @ValueSource(strings = {"CQSIZE", "CLAMP", "SUBMIT_ALL", "TASKRUN_FLAG"})
    void fallsBackToEpollWithoutANeededFlag(String flag) {
        for (RingRules kernel : KERNELS) {
            assertThat(reason(kernel.without(flag(flag))))
                    .startsWith("epoll: io_uring cannot run here: io_uring_setup")
                    .contains("EINVAL")
                    .contains("5.19");
        }
    }

    private static int flag(String name) {
        return switch (name) {
            case "NO_SQARRAY" -> UringConstants.IORING_SETUP_NO_SQARRAY;
            case "SINGLE_ISSUER" -> UringConstants.IORING_SETUP_SINGLE_ISSUER;
            case "DEFER_TASKRUN" -> UringConstants.IORING_SETUP_DEFER_TASKRUN;
            case "COOP_TASKRUN" -> UringConstants.IORING_SETUP_COOP_TASKRUN;
            case "CQSIZE" -> UringConstants.IORING_SETUP_CQSIZE;
            case "CLAMP" -> UringConstants.IORING_SETUP_CLAMP;
            case "SUBMIT_ALL" -> UringConstants.IORING_SETUP_SUBMIT_ALL;
            case "TASKRUN_FLAG" -> UringConstants.IORING_SETUP_TASKRUN_FLAG;
            default -> throw new IllegalArgumentException(name);
        };
    }

    @Test
    void queuesShrinkToWhatMayBeLocked() {
        for (RingRules kernel : KERNELS) {
            for (int completions = 4096; completions >= 512; completions /= 2) {
                assertThat(reason(kernel.lockedBytes(bytes(256, completions))))
                        .contains("256 submissions, " + completions + " completions");
            }
            for (int submissions = 128; submissions >= 32; submissions /= 2) {
                assertThat(reason(kernel.lockedBytes(bytes(submissions, 2 * submissions))))
                        .contains(submissions + " submissions, " + 2 * submissions + " completions");
            }
            assertThat(reason(kernel.lockedBytes(bytes(32, 64) - 1)))
                    .startsWith("epoll: io_uring cannot run here: io_uring_setup")
                    .contains("ENOMEM")
                    .contains("RLIMIT_MEMLOCK");
        }
    }

    private static long bytes(int submissions, int completions) {
        return (long) submissions * SUBMISSION_BYTES + (long) completions * COMPLETION_BYTES;
    }

    @ParameterizedTest
    @CsvSource({
        "EPERM, kernel.io_uring_disabled",
        "ENOSYS, seccomp",
        "EINVAL, 5.19",
        "ENOMEM, RLIMIT_MEMLOCK",
        "EMFILE, RLIMIT_NOFILE",
        "ENFILE, RLIMIT_NOFILE"
    })
    void aRefusalLeavesEpollAndSaysWhatToDo(String errno, String remedy) {
        assertThat(reason(RingRules.LINUX_6_6.refusing(number(errno))))
                .startsWith("epoll: io_uring cannot run here: io_uring_setup with 256 entries: ")
                .contains(errno)
                .contains(remedy);
    }

    private static int number(String errno) {
        return switch (errno) {
            case "EPERM" -> Errno.EPERM;
            case "ENOSYS" -> Errno.ENOSYS;
            case "EINVAL" -> Errno.EINVAL;
            case "ENOMEM" -> Errno.ENOMEM;
            case "EMFILE" -> Errno.EMFILE;
            case "ENFILE" -> Errno.ENFILE;
            default -> throw new IllegalArgumentException(errno);
        };
    }

    @Test
    void aRingThatLacksAFeatureIsGivenBack() {
        assertThat(reason(RingRules.LINUX_6_6.lacking(UringConstants.IORING_FEAT_EXT_ARG)))
                .startsWith("epoll: io_uring cannot run here: the kernel's io_uring lacks features");
    }

    @Test
    void fallsBackToEpollWhenSetUpFailsLate() {
        for (int mappings = 0; mappings < 2; mappings++) {
            assertThat(reasonWith("mmap", -Errno.ENOMEM, mappings))
                    .contains("mmap of ")
                    .contains("ENOMEM")
                    .contains("memory limit");
        }
        assertThat(reasonWith("eventfd", -Errno.EMFILE, 0))
                .contains("eventfd: EMFILE")
                .contains("RLIMIT_NOFILE");
        // The first one sets the ring up, the second one registers it, the third one registers its buffers.
        assertThat(reasonWith("syscall", -Errno.EINVAL, 2))
                .contains("provided buffers: EINVAL")
                .contains("5.19");
    }

    @Test
    void staysWithIoUringWhenTheThreadHasNoPlaceForTheRing() {
        WatchedKernel kernel =
                new WatchedKernel(kernel(RingRules.LINUX_6_6)).refusing("syscall", -Errno.EBUSY, /* afterCalls= */ 1);
        assertThat(reason(kernel)).startsWith("io_uring: granted by the kernel");
    }

    @Test
    void failsWithTheReasonWhereTheBackendIsRequired() {
        SimulatedKernel kernel = kernel(RingRules.LINUX_6_6.refusing(Errno.EPERM));
        EventLoopConfig config = EventLoopConfig.defaults().withBackend(Backend.IO_URING);
        assertThatThrownBy(() -> Loop.driven(config, kernel))
                .isInstanceOf(BackendUnavailableException.class)
                .hasMessageContaining("io_uring cannot run here: io_uring_setup")
                .hasMessageContaining("kernel.io_uring_disabled");
        assertThat(kernel.openDescriptors()).isZero();
    }

    private static SimulatedKernel kernel(RingRules rules) {
        SimulatedKernel kernel = new SimulatedKernel(new Chance(0), Faults.none(), 1, 1);
        kernel.ringRules = rules;
        return kernel;
    }

    private static String reason(RingRules rules) {
        return reason(new WatchedKernel(kernel(rules)));
    }

    private static String reason(WatchedKernel kernel) {
        Loop loop = Loop.driven(EventLoopConfig.defaults(), kernel.watched());
        String reason = loop.backendReason();
        loop.end();
        assertThat(kernel.openDescriptors()).as("open descriptors").isZero();
        return reason;
    }

    private static String reasonWith(String call, long refusal, int afterCalls) {
        String reason = reason(new WatchedKernel(kernel(RingRules.LINUX_6_6)).refusing(call, refusal, afterCalls));
        assertThat(reason).startsWith("epoll: io_uring cannot run here: ");
        return reason;
    }
}
