package dev.sluice.ffi.libc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.CProbe;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A comparison of every offset and constant of this package with the headers of the test machine. */
final class LibCLayoutTest {
    private static final String[] HEADERS = {
        "dirent.h",
        "errno.h",
        "fcntl.h",
        "linux/fs.h",
        "linux/openat2.h",
        "linux/tls.h",
        "netinet/in.h",
        "netinet/tcp.h",
        "poll.h",
        "sys/epoll.h",
        "sys/eventfd.h",
        "sys/file.h",
        "sys/mman.h",
        "sys/resource.h",
        "sys/socket.h",
        "sys/stat.h",
        "sys/syscall.h",
        "sys/un.h",
        "sys/vfs.h",
        "time.h",
        "unistd.h"
    };

    @Test
    void constantsMatchTheHeaders() throws IllegalAccessException {
        Map<String, Long> ours = intConstants(Constants.class);
        ours.putAll(intConstants(Errno.class));
        ours.putAll(intConstants(FileConstants.class));
        assertThat(ours).hasSizeGreaterThan(60);
        CProbe probe = new CProbe(HEADERS);
        ours.keySet().forEach(name -> probe.ask("(int) " + name));
        Map<String, Long> theirs = probe.answers();
        ours.forEach((name, value) -> assertThat(value).as(name).isEqualTo(theirs.get("(int) " + name)));
    }

    /** Apart, since glibc's sys/mount.h and the kernel's linux/fs.h exclude each other. */
    @Test
    void constantsOfMountsMatchTheHeaders() throws IllegalAccessException {
        Map<String, Long> ours = intConstants(MountConstants.class);
        CProbe probe = new CProbe("sys/mount.h", "poll.h");
        ours.keySet().forEach(name -> probe.ask("(int) " + name));
        Map<String, Long> theirs = probe.answers();
        ours.forEach((name, value) -> assertThat(value).as(name).isEqualTo(theirs.get("(int) " + name)));
    }

    @Test
    void structsMatchTheHeaders() {
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
        ours.put("offsetof(struct tcp_info, tcpi_last_data_recv)", (long) TcpInfo.LAST_DATA_RECEIVED_OFFSET);
        ours.put("offsetof(struct linger, l_linger)", (long) Linger.SECONDS_OFFSET);
        ours.put("sizeof(struct linger)", (long) Linger.BYTES);
        putMessageHeader(ours);
        putTlsCryptoInfo(ours);
        putFiles(ours);
        CProbe probe = new CProbe(HEADERS);
        ours.keySet().forEach(probe::ask);
        assertThat(ours).isEqualTo(probe.answers());
    }

    private static void putMessageHeader(Map<String, Long> ours) {
        ours.put("offsetof(struct msghdr, msg_iov)", (long) MessageHeader.IOV_OFFSET);
        ours.put("offsetof(struct msghdr, msg_iovlen)", (long) MessageHeader.IOV_LENGTH_OFFSET);
        ours.put("offsetof(struct msghdr, msg_control)", (long) MessageHeader.CONTROL_OFFSET);
        ours.put("offsetof(struct msghdr, msg_controllen)", (long) MessageHeader.CONTROL_LENGTH_OFFSET);
        ours.put("offsetof(struct msghdr, msg_flags)", (long) MessageHeader.FLAGS_OFFSET);
        ours.put("sizeof(struct msghdr)", (long) MessageHeader.HEADER_BYTES);
        ours.put("offsetof(struct iovec, iov_base)", (long) MessageHeader.BASE_OFFSET);
        ours.put("offsetof(struct iovec, iov_len)", (long) MessageHeader.LENGTH_OFFSET);
        ours.put("sizeof(struct iovec)", (long) MessageHeader.IOVEC_BYTES);
        ours.put("offsetof(struct cmsghdr, cmsg_len)", (long) MessageHeader.CONTROL_LEN_OFFSET);
        ours.put("offsetof(struct cmsghdr, cmsg_level)", (long) MessageHeader.CONTROL_LEVEL_OFFSET);
        ours.put("offsetof(struct cmsghdr, cmsg_type)", (long) MessageHeader.CONTROL_TYPE_OFFSET);
        ours.put("CMSG_LEN(0)", (long) MessageHeader.CONTROL_DATA_OFFSET);
        ours.put("CMSG_LEN(1)", (long) MessageHeader.CONTROL_LEN_OF_BYTE);
        ours.put("CMSG_SPACE(1)", (long) MessageHeader.CONTROL_SPACE_OF_BYTE);
    }

    private static void putTlsCryptoInfo(Map<String, Long> ours) {
        ours.put("offsetof(struct tls_crypto_info, version)", (long) TlsCryptoInfo.VERSION_OFFSET);
        ours.put("offsetof(struct tls_crypto_info, cipher_type)", (long) TlsCryptoInfo.CIPHER_OFFSET);
        ours.put("TLS_CIPHER_AES_GCM_128_IV_SIZE", (long) TlsCryptoInfo.GCM_IV_BYTES);
        ours.put("TLS_CIPHER_AES_GCM_128_SALT_SIZE", (long) TlsCryptoInfo.GCM_SALT_BYTES);
        ours.put("TLS_CIPHER_CHACHA20_POLY1305_IV_SIZE", (long) TlsCryptoInfo.CHACHA_IV_BYTES);
        String aes128 = "struct tls12_crypto_info_aes_gcm_128";
        ours.put("offsetof(" + aes128 + ", iv)", (long) TlsCryptoInfo.IV_OFFSET);
        ours.put("offsetof(" + aes128 + ", key)", (long) TlsCryptoInfo.GCM_KEY_OFFSET);
        ours.put("offsetof(" + aes128 + ", salt)", (long) TlsCryptoInfo.GCM_128_SALT_OFFSET);
        ours.put("offsetof(" + aes128 + ", rec_seq)", (long) TlsCryptoInfo.GCM_128_SEQUENCE_OFFSET);
        ours.put("sizeof(" + aes128 + ")", (long) TlsCryptoInfo.GCM_128_BYTES);
        String aes256 = "struct tls12_crypto_info_aes_gcm_256";
        ours.put("offsetof(" + aes256 + ", iv)", (long) TlsCryptoInfo.IV_OFFSET);
        ours.put("offsetof(" + aes256 + ", key)", (long) TlsCryptoInfo.GCM_KEY_OFFSET);
        ours.put("offsetof(" + aes256 + ", salt)", (long) TlsCryptoInfo.GCM_256_SALT_OFFSET);
        ours.put("offsetof(" + aes256 + ", rec_seq)", (long) TlsCryptoInfo.GCM_256_SEQUENCE_OFFSET);
        ours.put("sizeof(" + aes256 + ")", (long) TlsCryptoInfo.GCM_256_BYTES);
        String chacha = "struct tls12_crypto_info_chacha20_poly1305";
        ours.put("offsetof(" + chacha + ", iv)", (long) TlsCryptoInfo.IV_OFFSET);
        ours.put("offsetof(" + chacha + ", key)", (long) TlsCryptoInfo.CHACHA_KEY_OFFSET);
        ours.put("offsetof(" + chacha + ", rec_seq)", (long) TlsCryptoInfo.CHACHA_SEQUENCE_OFFSET);
        ours.put("sizeof(" + chacha + ")", (long) TlsCryptoInfo.CHACHA_BYTES);
        ours.put(
                "sizeof(" + aes256 + ") > sizeof(" + chacha + ") ? sizeof(" + aes256 + ") : sizeof(" + chacha + ")",
                (long) TlsCryptoInfo.MAX_BYTES);
    }

    private static void putFiles(Map<String, Long> ours) {
        ours.put("offsetof(struct statx, stx_nlink)", (long) Statx.LINKS_OFFSET);
        ours.put("offsetof(struct statx, stx_uid)", (long) Statx.OWNER_OFFSET);
        ours.put("offsetof(struct statx, stx_gid)", (long) Statx.GROUP_OFFSET);
        ours.put("offsetof(struct statx, stx_atime.tv_sec)", (long) Statx.ATIME_SECONDS_OFFSET);
        ours.put("offsetof(struct statx, stx_ctime.tv_sec)", (long) Statx.CTIME_SECONDS_OFFSET);
        ours.put("offsetof(struct pollfd, fd)", (long) PollFd.FD_OFFSET);
        ours.put("offsetof(struct pollfd, events)", (long) PollFd.EVENTS_OFFSET);
        ours.put("sizeof(struct pollfd)", (long) PollFd.BYTES);
        ours.put("offsetof(struct statfs, f_bsize)", (long) Statfs.BLOCK_SIZE_OFFSET);
        ours.put("offsetof(struct statfs, f_blocks)", (long) Statfs.BLOCKS_OFFSET);
        ours.put("offsetof(struct statfs, f_bfree)", (long) Statfs.FREE_OFFSET);
        ours.put("offsetof(struct statfs, f_bavail)", (long) Statfs.AVAILABLE_OFFSET);
        ours.put("offsetof(struct statfs, f_files)", (long) Statfs.FILES_OFFSET);
        ours.put("offsetof(struct statfs, f_ffree)", (long) Statfs.FREE_FILES_OFFSET);
        ours.put("offsetof(struct statfs, f_namelen)", (long) Statfs.NAME_BYTES_OFFSET);
        ours.put("offsetof(struct statfs, f_frsize)", (long) Statfs.FRAGMENT_SIZE_OFFSET);
        ours.put("sizeof(struct statfs)", (long) Statfs.BYTES);
        ours.put("offsetof(struct statx, stx_mode)", (long) Statx.MODE_OFFSET);
        ours.put("offsetof(struct statx, stx_ino)", (long) Statx.INODE_OFFSET);
        ours.put("offsetof(struct statx, stx_size)", (long) Statx.SIZE_OFFSET);
        ours.put("offsetof(struct statx, stx_blocks)", (long) Statx.BLOCKS_OFFSET);
        ours.put("offsetof(struct statx, stx_mtime.tv_sec)", (long) Statx.MTIME_SECONDS_OFFSET);
        ours.put("offsetof(struct statx, stx_mtime.tv_nsec)", (long) Statx.MTIME_NANOS_OFFSET);
        ours.put("sizeof(struct statx)", (long) Statx.BYTES);
        ours.put("offsetof(struct open_how, flags)", (long) OpenHow.FLAGS_OFFSET);
        ours.put("offsetof(struct open_how, mode)", (long) OpenHow.MODE_OFFSET);
        ours.put("offsetof(struct open_how, resolve)", (long) OpenHow.RESOLVE_OFFSET);
        ours.put("sizeof(struct open_how)", (long) OpenHow.BYTES);
        ours.put("offsetof(struct dirent64, d_off)", (long) DirectoryEntry.COOKIE_OFFSET);
        ours.put("offsetof(struct dirent64, d_reclen)", (long) DirectoryEntry.LENGTH_OFFSET);
        ours.put("offsetof(struct dirent64, d_type)", (long) DirectoryEntry.TYPE_OFFSET);
        ours.put("offsetof(struct dirent64, d_name)", (long) DirectoryEntry.NAME_OFFSET);
        ours.put("sysconf(_SC_IOV_MAX)", (long) IoVec.COUNT_MAX);
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
