package dev.sluice.ffi.libc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.CProbe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The change itself is for good: a test of packages makes it in a process of its own. */
class ProcessUserTest {
    @Test
    void constantsAndStructsMatchTheHeaders() {
        Map<String, Long> ours = new LinkedHashMap<>();
        ours.put("offsetof(struct passwd, pw_uid)", (long) ProcessUser.PASSWD_UID_OFFSET);
        ours.put("offsetof(struct passwd, pw_gid)", (long) ProcessUser.PASSWD_GID_OFFSET);
        ours.put("PR_SET_KEEPCAPS", (long) ProcessUser.PR_SET_KEEPCAPS);
        ours.put("_LINUX_CAPABILITY_VERSION_3", (long) ProcessUser.CAPABILITY_VERSION);
        ours.put("CAP_NET_BIND_SERVICE", (long) ProcessUser.CAP_NET_BIND_SERVICE);
        ours.put("sizeof(struct __user_cap_header_struct)", (long) ProcessUser.CAPABILITY_HEADER_BYTES);
        ours.put("sizeof(struct __user_cap_data_struct)", (long) ProcessUser.CAPABILITY_DATA_BYTES);
        CProbe probe = new CProbe("pwd.h", "sys/prctl.h", "linux/capability.h", "stddef.h");
        ours.keySet().forEach(probe::ask);

        assertThat(probe.answers()).isEqualTo(ours);
    }

    @Test
    void findsUsersByTheirNames() throws IOException {
        for (String line : Files.readAllLines(Path.of("/etc/passwd"))) {
            String[] fields = line.split(":", -1);

            assertThat(ProcessUser.find(fields[0]))
                    .isEqualTo(new ProcessUser.Account(
                            fields[0], Integer.parseUnsignedInt(fields[2]), Integer.parseUnsignedInt(fields[3])));
        }
        assertThat(ProcessUser.find("no-such-user")).isNull();
    }

    @Test
    void knowsTheUserOfThisProcess() throws IOException {
        int owner = (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");

        assertThat(ProcessUser.uid()).isEqualTo(owner);
        assertThat(ProcessUser.isRoot()).isEqualTo(owner == 0);
    }
}
