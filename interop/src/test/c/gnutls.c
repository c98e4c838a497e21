/* GnuTLS. */
#include "puppet.h"

#include <errno.h>
#include <gnutls/gnutls.h>
#include <stdio.h>
#include <string.h>

static gnutls_session_t session;
static int updates_received;

static void check(const char *what, int result) {
    if (result < 0) {
        die(what, gnutls_strerror(result));
    }
}

static int count_update(
        gnutls_session_t of, unsigned type, unsigned when, unsigned incoming, const gnutls_datum_t *message) {
    (void)of, (void)type, (void)when, (void)message;
    updates_received += incoming != 0;
    return 0;
}

void tls_connect(int socket, const char *root, const char *version) {
    gnutls_certificate_credentials_t trust;
    char priority[100];
    snprintf(priority, sizeof priority, "NORMAL:-VERS-ALL:+VERS-TLS%s", version);
    check("credentials", gnutls_certificate_allocate_credentials(&trust));
    check("root certificate", gnutls_certificate_set_x509_trust_file(trust, root, GNUTLS_X509_FMT_PEM));
    check("session", gnutls_init(&session, GNUTLS_CLIENT));
    check("priority", gnutls_priority_set_direct(session, priority, NULL));
    check("trust", gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, trust));
    check("server name", gnutls_server_name_set(session, GNUTLS_NAME_DNS, "localhost", strlen("localhost")));
    gnutls_session_set_verify_cert(session, "localhost", 0);
    gnutls_handshake_set_hook_function(session, GNUTLS_HANDSHAKE_KEY_UPDATE, GNUTLS_HOOK_POST, count_update);
    gnutls_transport_set_int(session, socket);
    int result;
    do {
        result = gnutls_handshake(session);
    } while (result < 0 && !gnutls_error_is_fatal(result));
    check("handshake", result);
    fprintf(stderr, "connected TLSv%s %s\n", version, gnutls_ciphersuite_get(session));
}

void tls_write(const void *bytes, size_t length) {
    for (size_t at = 0; at < length;) {
        ssize_t count = gnutls_record_send(session, (const char *)bytes + at, length - at);
        if (count < 0 && gnutls_error_is_fatal(count)) {
            die("write", gnutls_strerror(count));
        }
        at += count > 0 ? count : 0;
    }
}

int tls_read(void *bytes, size_t room) {
    errno = 0;
    ssize_t count = gnutls_record_recv(session, bytes, room);
    if (count > 0) {
        return (int)count;
    }
    switch (count) {
        case 0: return END_CLOSE_NOTIFY;
        case GNUTLS_E_PREMATURE_TERMINATION: return END_TRUNCATED;
        case GNUTLS_E_PULL_ERROR: return errno == ECONNRESET ? END_RESET : END_ERROR;
    }
    if (!gnutls_error_is_fatal(count)) {
        return NOTHING_YET;
    }
    fprintf(stderr, "read: %s\n", gnutls_strerror(count));
    return END_ERROR;
}

int tls_pending(void) {
    return gnutls_record_check_pending(session) > 0;
}

void tls_update_keys(int ask) {
    check("key update", gnutls_session_key_update(session, ask ? GNUTLS_KU_PEER : 0));
}

void tls_close_notify(void) {
    gnutls_bye(session, GNUTLS_SHUT_WR);
}

int tls_updates_received(void) {
    return updates_received;
}
