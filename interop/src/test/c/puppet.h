/*
 * A TLS client that does what it is told on standard input, so that a test in another language decides about every
 * write, key update and end. puppet.c reads the orders; libssl.c and gnutls.c carry them out.
 *
 *   puppet PORT ROOT_PEM VERSION       VERSION is 1.2 or 1.3
 *
 * Orders, each one byte, on standard input:
 *   W  then a length (4 bytes, big endian) and so many bytes: one write
 *   K  update keys and ask for the peer's own update; k: update only
 *   C  close_notify; reading goes on
 *   F  end the TCP stream without close_notify; reading goes on
 *   R  reset the TCP connection, and exit
 * Standard output is the plaintext that comes. Standard error tells "connected VERSION SUITE", and "updates N" (key
 * updates that came) and "end HOW" where the plaintext ends.
 */
#ifndef PUPPET_H
#define PUPPET_H

#include <stddef.h>

/* What tls_read returns when it returns no bytes. */
enum { NOTHING_YET = 0, END_CLOSE_NOTIFY = -1, END_TRUNCATED = -2, END_RESET = -3, END_ERROR = -4 };

/* Completes a handshake over a connected socket, or exits. */
void tls_connect(int socket, const char *root, const char *version);
void tls_write(const void *bytes, size_t length);
int tls_read(void *bytes, size_t room);
/* Whether plaintext waits that poll(2) on the socket does not tell of. */
int tls_pending(void);
void tls_update_keys(int ask);
void tls_close_notify(void);
int tls_updates_received(void);

/* Says why on standard error and exits with 1. */
_Noreturn void die(const char *what, const char *why);

#endif
