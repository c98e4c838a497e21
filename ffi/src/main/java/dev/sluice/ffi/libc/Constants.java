package dev.sluice.ffi.libc;

/** Constants of the C library's headers on Linux; a test compares each with its header. */
public final class Constants {
    // sys/socket.h
    /** Unix sockets. */
    public static final int AF_UNIX = 1;
    /** IPv4. */
    public static final int AF_INET = 2;
    /** IPv6. */
    public static final int AF_INET6 = 10;
    /** Byte stream. */
    public static final int SOCK_STREAM = 1;
    /** Datagrams. */
    public static final int SOCK_DGRAM = 2;
    /** Messages over a connection. */
    public static final int SOCK_SEQPACKET = 5;
    /** Calls return EAGAIN rather than block. */
    public static final int SOCK_NONBLOCK = 0x800;
    /** Closed on exec. */
    public static final int SOCK_CLOEXEC = 0x80000;
    /** Level of the socket options below. */
    public static final int SOL_SOCKET = 1;
    /** Binds although earlier connections remain in TIME_WAIT. */
    public static final int SO_REUSEADDR = 2;
    /** The pending error, cleared by reading it. */
    public static final int SO_ERROR = 4;
    /** Send buffer in bytes. */
    public static final int SO_SNDBUF = 7;
    /** Receive buffer in bytes. */
    public static final int SO_RCVBUF = 8;
    /** Behaviour of close with unsent bytes. */
    public static final int SO_LINGER = 13;
    /** The most time that a receive blocks: a struct timeval. */
    public static final int SO_RCVTIMEO = 20;
    /** The most time that a send or connect blocks: a struct timeval. */
    public static final int SO_SNDTIMEO = 21;
    /** Several sockets share one address. */
    public static final int SO_REUSEPORT = 15;
    /** Probes a silent peer. */
    public static final int SO_KEEPALIVE = 9;
    /** True for a listening socket. */
    public static final int SO_ACCEPTCONN = 30;
    /** Protocol family of a socket. */
    public static final int SO_DOMAIN = 39;
    /** End of reading. */
    public static final int SHUT_RD = 0;
    /** End of writing. */
    public static final int SHUT_WR = 1;
    /** End of both. */
    public static final int SHUT_RDWR = 2;
    /** No SIGPIPE. */
    public static final int MSG_NOSIGNAL = 0x4000;
    /** All of it, or an error. */
    public static final int MSG_WAITALL = 0x100;
    /** Returns the available bytes, or EAGAIN. */
    public static final int MSG_DONTWAIT = 0x40;
    /** Leaves unread what is received. */
    public static final int MSG_PEEK = 2;
    /** TCP discards what is received instead of copying it. */
    public static final int MSG_TRUNC = 0x20;
    /** More data follows: a partial segment waits for it. */
    public static final int MSG_MORE = 0x8000;
    /** Control messages were dropped for lack of room. */
    public static final int MSG_CTRUNC = 8;
    /** Received descriptors are closed on exec. */
    public static final int MSG_CMSG_CLOEXEC = 0x40000000;
    /** A control message that carries descriptors. */
    public static final int SCM_RIGHTS = 1;

    // netinet/in.h, netinet/tcp.h
    /** Level of the TCP options. */
    public static final int IPPROTO_TCP = 6;
    /** Small segments leave at once. */
    public static final int TCP_NODELAY = 1;
    /** Idle seconds before the first keepalive probe. */
    public static final int TCP_KEEPIDLE = 4;
    /** Seconds between unanswered keepalive probes. */
    public static final int TCP_KEEPINTVL = 5;
    /** Unanswered keepalive probes that end the connection. */
    public static final int TCP_KEEPCNT = 6;
    /** The state of a connection, a {@link TcpInfo}; read only. */
    public static final int TCP_INFO = 11;
    /** Adds a kernel protocol on top of a connection, by name. */
    public static final int TCP_ULP = 31;
    /** Level of the options of linux/tls.h. */
    public static final int SOL_TLS = 282;

    // linux/tls.h
    /** Keys for sending; the value is a {@link TlsCryptoInfo}. */
    public static final int TLS_TX = 1;
    /** Keys for receiving; the value is a {@link TlsCryptoInfo}. */
    public static final int TLS_RX = 2;
    /** A control message: the type of the record to send. */
    public static final int TLS_SET_RECORD_TYPE = 1;
    /** A control message: the type of the received record. */
    public static final int TLS_GET_RECORD_TYPE = 2;
    /** AES-128-GCM. */
    public static final int TLS_CIPHER_AES_GCM_128 = 51;
    /** AES-256-GCM. */
    public static final int TLS_CIPHER_AES_GCM_256 = 52;
    /** ChaCha20-Poly1305. */
    public static final int TLS_CIPHER_CHACHA20_POLY1305 = 54;
    /** TLS 1.2, as the kernel numbers it. */
    public static final int TLS_1_2_VERSION = 0x0303;
    /** TLS 1.3, as the kernel numbers it. */
    public static final int TLS_1_3_VERSION = 0x0304;

    // sys/epoll.h
    /** Closed on exec. */
    public static final int EPOLL_CLOEXEC = 0x80000;
    /** Adds a descriptor. */
    public static final int EPOLL_CTL_ADD = 1;
    /** Removes a descriptor. */
    public static final int EPOLL_CTL_DEL = 2;
    /** Changes the events of a descriptor. */
    public static final int EPOLL_CTL_MOD = 3;
    /** Readable. */
    public static final int EPOLLIN = 1;
    /** Writable. */
    public static final int EPOLLOUT = 4;
    /** Error pending. */
    public static final int EPOLLERR = 8;
    /** Both directions ended. */
    public static final int EPOLLHUP = 0x10;
    /** The peer ended its direction. */
    public static final int EPOLLRDHUP = 0x2000;
    /** Reports changes only. */
    public static final int EPOLLET = 1 << 31;

    // sys/eventfd.h
    /** Closed on exec. */
    public static final int EFD_CLOEXEC = 0x80000;
    /** Reads return EAGAIN rather than block. */
    public static final int EFD_NONBLOCK = 0x800;

    // fcntl.h
    /** Sets the descriptor flags. */
    public static final int F_SETFD = 2;
    /** Closed on exec. */
    public static final int FD_CLOEXEC = 1;
    /** Duplicates a descriptor; the copy is closed on exec. */
    public static final int F_DUPFD_CLOEXEC = 1030;
    /** Reads the file status flags. */
    public static final int F_GETFL = 3;
    /** Sets the file status flags. */
    public static final int F_SETFL = 4;
    /** Calls return EAGAIN rather than block. */
    public static final int O_NONBLOCK = 0x800;

    // sys/mman.h
    /** Readable memory. */
    public static final int PROT_READ = 1;
    /** Writable memory. */
    public static final int PROT_WRITE = 2;
    /** Shared with the kernel or other processes. */
    public static final int MAP_SHARED = 1;
    /** Private memory. */
    public static final int MAP_PRIVATE = 2;
    /** No file behind it. */
    public static final int MAP_ANONYMOUS = 0x20;
    /** Pages present from the start. */
    public static final int MAP_POPULATE = 0x8000;

    // sys/resource.h
    /** Open descriptors of the process. */
    public static final int RLIMIT_NOFILE = 7;

    // time.h
    /** The processor time of the calling thread. */
    public static final int CLOCK_THREAD_CPUTIME_ID = 3;

    private Constants() {}
}
