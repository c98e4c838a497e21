/* OpenSSL, whichever the loader finds. */
#include "puppet.h"

#include <errno.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <string.h>

static SSL *ssl;
static int updates_received;

static const char *reason(void) {
    const char *text = ERR_reason_error_string(ERR_peek_last_error());
    return text ? text : strerror(errno);
}

static void count_updates(
        int sent, int version, int type, const void *bytes, size_t length, SSL *of, void *argument) {
    (void)version, (void)of, (void)argument;
    if (!sent && type == SSL3_RT_HANDSHAKE && length > 0 && *(const char *)bytes == SSL3_MT_KEY_UPDATE) {
        updates_received++;
    }
}

void tls_connect(int socket, const char *root, const char *version) {
    int wire = strcmp(version, "1.3") == 0 ? TLS1_3_VERSION : TLS1_2_VERSION;
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    SSL_CTX_set_min_proto_version(context, wire);
    SSL_CTX_set_max_proto_version(context, wire);
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
    SSL_CTX_clear_mode(context, SSL_MODE_AUTO_RETRY); /* a record without plaintext gives the turn back */
    SSL_CTX_set_msg_callback(context, count_updates);
    if (SSL_CTX_load_verify_locations(context, root, NULL) != 1) {
        die("root certificate", reason());
    }
    ssl = SSL_new(context);
    SSL_set1_host(ssl, "localhost");
    SSL_set_tlsext_host_name(ssl, "localhost");
    SSL_set_fd(ssl, socket);
    if (SSL_connect(ssl) != 1) {
        die("handshake", reason());
    }
    fprintf(stderr, "connected %s %s\n", SSL_get_version(ssl), SSL_CIPHER_standard_name(SSL_get_current_cipher(ssl)));
}

void tls_write(const void *bytes, size_t length) {
    size_t written;
    if (SSL_write_ex(ssl, bytes, length, &written) != 1) {
        die("write", reason());
    }
}

int tls_read(void *bytes, size_t room) {
    ERR_clear_error();
    errno = 0;
    int count = SSL_read(ssl, bytes, (int)room);
    if (count > 0) {
        return count;
    }
    switch (SSL_get_error(ssl, count)) {
        case SSL_ERROR_WANT_READ: return NOTHING_YET;
        case SSL_ERROR_ZERO_RETURN: return END_CLOSE_NOTIFY;
        case SSL_ERROR_SYSCALL: return errno == ECONNRESET ? END_RESET : END_TRUNCATED;
    }
    if (ERR_GET_REASON(ERR_peek_last_error()) == SSL_R_UNEXPECTED_EOF_WHILE_READING) {
        return END_TRUNCATED;
    }
    fprintf(stderr, "read: %s\n", reason());
    return END_ERROR;
}

int tls_pending(void) {
    return SSL_pending(ssl) > 0;
}

void tls_update_keys(int ask) {
    if (SSL_key_update(ssl, ask ? SSL_KEY_UPDATE_REQUESTED : SSL_KEY_UPDATE_NOT_REQUESTED) != 1 ||
        SSL_do_handshake(ssl) != 1) {
        die("key update", reason());
    }
}

void tls_close_notify(void) {
    SSL_shutdown(ssl);
}

int tls_updates_received(void) {
    return updates_received;
}
