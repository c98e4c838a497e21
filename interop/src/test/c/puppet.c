/* The orders, and the socket: see puppet.h. */
#include "puppet.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static unsigned char plaintext[1 << 20];

void die(const char *what, const char *why) {
    fprintf(stderr, "failed %s: %s\n", what, why);
    exit(1);
}

static int connect_to(int port) {
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int on = 1, s = socket(AF_INET, SOCK_STREAM, 0);
    if (s < 0 || connect(s, (struct sockaddr *)&address, sizeof address) != 0) {
        die("connect", strerror(errno));
    }
    setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return s;
}

/* Reads exactly so much of an order; its end may only come between two orders. */
static void take(void *to, size_t length) {
    for (size_t at = 0; at < length;) {
        ssize_t count = read(STDIN_FILENO, (char *)to + at, length - at);
        if (count <= 0) {
            die("orders", "end in the middle of one");
        }
        at += count;
    }
}

static void write_plaintext(void) {
    uint32_t length;
    take(&length, sizeof length);
    length = ntohl(length);
    if (length > sizeof plaintext) {
        die("orders", "a write is too long");
    }
    take(plaintext, length);
    tls_write(plaintext, length);
}

_Noreturn static void reset(int s) {
    struct linger at_once = {.l_onoff = 1, .l_linger = 0};
    setsockopt(s, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    close(s);
    exit(0);
}

static void obey(int s) {
    char order;
    if (read(STDIN_FILENO, &order, 1) <= 0) {
        exit(0);
    }
    switch (order) {
        case 'W': write_plaintext(); break;
        case 'K': tls_update_keys(1); break;
        case 'k': tls_update_keys(0); break;
        case 'C': tls_close_notify(); break;
        case 'F': shutdown(s, SHUT_WR); break;
        case 'R': reset(s);
        default: die("orders", "an unknown one");
    }
}

static void pass_on(const unsigned char *bytes, int length) {
    for (int at = 0; at < length;) {
        ssize_t count = write(STDOUT_FILENO, bytes + at, length - at);
        if (count < 0) {
            die("output", strerror(errno));
        }
        at += count;
    }
}

/* Returns whether more may come. */
static int receive(void) {
    static unsigned char bytes[1 << 16];
    static const char *const ends[] = {"", "close_notify", "truncated", "reset", "error"};
    int count = tls_read(bytes, sizeof bytes);
    if (count >= 0) {
        pass_on(bytes, count);
        return 1;
    }
    fprintf(stderr, "updates %d\nend %s\n", tls_updates_received(), ends[-count]);
    close(STDOUT_FILENO);
    return 0;
}

int main(int argc, char **argv) {
    if (argc != 4) {
        die("usage", "puppet PORT ROOT_PEM VERSION");
    }
    signal(SIGPIPE, SIG_IGN);
    int s = connect_to(atoi(argv[1]));
    tls_connect(s, argv[2], argv[3]);
    struct pollfd sources[] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = s, .events = POLLIN}};
    for (;;) {
        int pending = sources[1].fd >= 0 && tls_pending();
        if (poll(sources, 2, pending ? 0 : -1) < 0) {
            die("poll", strerror(errno));
        }
        if ((pending || sources[1].revents) && !receive()) {
            sources[1].fd = -1; /* poll(2) passes over it */
        }
        if (sources[0].revents) {
            obey(s);
        }
    }
}
