package dev.sluice.ffi.libc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.CProbe;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Every offset and constant of this package, against the headers of the machine that the test runs on. */
final class LibCLayoutTest {
    private static final String[] HEADERS = {
        "errno.h",
        "fcntl.h",
        "netinet/in.h",
        "netinet/tcp.h",
        "sys/epoll.h",
        "sys/eventfd.h",
        "sys/mman.h",
        "sys/resource.h",
        "sys/socket.h",
        "sys/un.h"
    };

    @Test
    void constantsAreThoseOfTheHeaders() throws IllegalAccessException {
        Map<String, Long> ours = intConstants(Constants.class);
        ours.putAll(intConstants(Errno.class));
        assertThat(ours).hasSizeGreaterThan(60);
        CProbe probe = new CProbe(HEADERS);
        ours.keySet().forEach(name -> probe.ask("(int) " + name));
        Map<String, Long> theirs = probe.answers();
        ours.forEach((name, value) -> assertThat(value).as(name).isEqualTo(theirs.get("(int) " + name)));
    }

    @Test
    void structsAreLaidOutAsInTheHeaders() {
        Map<String, Long> ours = new LinkedHashMap<>();
        ours.put("offsetof(struct epoll_event, events)", (long) EpollEvent.EVENTS_OFFSET);
        ours.put("offsetof(struct epoll_event, data)", (long) EpollEvent.DATA_OFFSET);
        ours.put("sizeof(struct epoll_event)", (long) EpollEvent.BYTES);
        ours.put("offsetof(struct sockaddr_in, sin_family)", (long) SockAddr.FAMILY_OFFSET);
        ours.put("offsetof(struct sockaddr_in, sin_port)", (long) SockAddr.PORT_OFFSET);
        ours.put("offsetof(struct sockaddr_in, sin_addr)", (long) SockAddr.IPV4_ADDRESS_OFFSET);
        ours.put("sizeof(struct sockaddr_in)", (long) SockAddr.IPV4_BYTES);
        ours.put("offsetof(struct sockaddr_in6, sin6_port)", (long) SockAddr.PORT_OFFSET);
        ours.put("offsetof(struct sockaddr_in6, sin6_addr)", (long) SockAddr.IPV6_ADDRESS_OFFSET);
        ours.put("offsetof(struct sockaddr_in6, sin6_scope_id)", (long) SockAddr.IPV6_SCOPE_OFFSET);
        ours.put("sizeof(struct sockaddr_in6)", (long) SockAddr.IPV6_BYTES);
        ours.put("offsetof(struct sockaddr_un, sun_path)", (long) SockAddr.UNIX_PATH_OFFSET);
        ours.put("sizeof(((struct sockaddr_un *) 0)->sun_path)", (long) SockAddr.UNIX_PATH_BYTES);
        ours.put("sizeof(struct sockaddr_storage)", (long) SockAddr.MAX_BYTES);
        ours.put("offsetof(struct rlimit, rlim_cur)", (long) ResourceLimit.SOFT_OFFSET);
        ours.put("offsetof(struct rlimit, rlim_max)", (long) ResourceLimit.HARD_OFFSET);
        ours.put("sizeof(struct rlimit)", (long) ResourceLimit.BYTES);
        ours.put("offsetof(struct linger, l_linger)", (long) Linger.SECONDS_OFFSET);
        ours.put("sizeof(struct linger)", (long) Linger.BYTES);
        CProbe probe = new CProbe(HEADERS);
        ours.keySet().forEach(probe::ask);
        assertThat(ours).isEqualTo(probe.answers());
    }

    private static Map<String, Long> intConstants(Class<?> holder) throws IllegalAccessException {
        Map<String, Long> constants = new LinkedHashMap<>();
        for (Field field : holder.getDeclaredFields()) {
            if (field.getType() == int.class && Modifier.isPublic(field.getModifiers())) {
                constants.put(field.getName(), (long) field.getInt(null));
            }
        }
        return constants;
    }
}
