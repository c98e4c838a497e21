/*
 * TLS 1.3 records in C, as the measure for everybody else: the bare EVP calls that protect a record in place, and
 * libssl over a BIO pair. Compiled when a benchmark needs it, against the OpenSSL under test; its headers need not be
 * installed, which is why the prototypes stand here.
 *
 * Usage: baseline evp|evp-two-keys|libssl CERTIFICATE.pem KEY.pem
 *
 * Talks over its standard input and output, a line for a line, as RecordWorker says:
 *   begin OPERATION SUITE BYTES ROUND_MILLIS ...   ok          OPERATION: seal, open, both
 *   round                                          ok nanos=N  per record
 *   count SUITE BYTES RECORDS                      ok          that many records sealed and opened
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- <openssl/evp.h>, <openssl/ssl.h>, <openssl/bio.h> */
typedef void CTX, CIPHER, SSL, SSL_CTX, BIO;
extern CIPHER *EVP_CIPHER_fetch(void *library, const char *name, const char *properties);
extern CTX *EVP_CIPHER_CTX_new(void);
extern int EVP_EncryptInit_ex(CTX *, const CIPHER *, void *engine, const uint8_t *key, const uint8_t *iv);
extern int EVP_EncryptUpdate(CTX *, uint8_t *out, int *out_length, const uint8_t *in, int length);
extern int EVP_EncryptFinal_ex(CTX *, uint8_t *out, int *out_length);
extern int EVP_DecryptInit_ex(CTX *, const CIPHER *, void *engine, const uint8_t *key, const uint8_t *iv);
extern int EVP_DecryptUpdate(CTX *, uint8_t *out, int *out_length, const uint8_t *in, int length);
extern int EVP_DecryptFinal_ex(CTX *, uint8_t *out, int *out_length);
extern int EVP_CIPHER_CTX_ctrl(CTX *, int command, int argument, void *pointer);
extern const char *OpenSSL_version(int what);
extern const void *TLS_method(void);
extern SSL_CTX *SSL_CTX_new(const void *method);
extern void SSL_CTX_free(SSL_CTX *);
extern long SSL_CTX_ctrl(SSL_CTX *, int command, long argument, void *pointer);
extern int SSL_CTX_set_ciphersuites(SSL_CTX *, const char *names);
extern int SSL_CTX_use_certificate_file(SSL_CTX *, const char *file, int type);
extern int SSL_CTX_use_PrivateKey_file(SSL_CTX *, const char *file, int type);
extern SSL *SSL_new(SSL_CTX *);
extern void SSL_free(SSL *);
extern void SSL_set_bio(SSL *, BIO *in, BIO *out);
extern void SSL_set_connect_state(SSL *);
extern void SSL_set_accept_state(SSL *);
extern int SSL_do_handshake(SSL *);
extern int SSL_write(SSL *, const void *, int length);
extern int SSL_read(SSL *, void *, int capacity);
extern int BIO_new_bio_pair(BIO **a, size_t a_size, BIO **b, size_t b_size);
extern int BIO_nread(BIO *, char **buffer, int length);

enum { GET_TAG = 16, SET_TAG = 17 };          /* EVP_CTRL_AEAD_* */
enum { SET_MIN_PROTO_VERSION = 123, TLS1_3 = 0x0304, PEM = 1 };

enum { HEADER = 5, TAG = 16, NONCE = 12, MAX_PAYLOAD = 16384 };
enum { BATCH = 32, SLOT = MAX_PAYLOAD + 256, RING = 17 * 1024 };

static void require(int condition, const char *what) {
    if (!condition) {
        printf("failed: %s\n", what);
        fflush(stdout);
        exit(1);
    }
}

static int bytes; /* of payload */
static uint8_t *records; /* room for BATCH of them */

/* ---- bare EVP: contexts are made and keys are loaded before, records are sealed and opened where they lie */

struct direction {
    CTX *context;
    uint8_t key[32];
    uint8_t iv[NONCE];
    uint64_t sequence;
};

enum { CONNECTIONS = 2 };
static struct direction sealing[CONNECTIONS], opening[CONNECTIONS];
static int connections = 1; /* 2: they take turns on one pair of contexts, so that each record loads its key */
static int turn;

static void nonce_of(struct direction *d, uint8_t *nonce) {
    uint64_t iv, sequence = __builtin_bswap64(d->sequence++);
    memcpy(nonce, d->iv, 4);
    memcpy(&iv, d->iv + 4, 8);
    iv ^= sequence;
    memcpy(nonce + 4, &iv, 8);
}

static void evp_seal(struct direction *d, uint8_t *record) {
    uint8_t nonce[NONCE], *text = record + HEADER;
    int inner = bytes + 1, length = inner + TAG, out;
    record[0] = 23, record[1] = record[2] = 3, record[3] = (uint8_t)(length >> 8), record[4] = (uint8_t)length;
    text[bytes] = 23;
    nonce_of(d, nonce);
    int ok = EVP_EncryptInit_ex(d->context, 0, 0, connections > 1 ? d->key : 0, nonce)
        & EVP_EncryptUpdate(d->context, 0, &out, record, HEADER)
        & EVP_EncryptUpdate(d->context, text, &out, text, inner)
        & EVP_EncryptFinal_ex(d->context, text + inner, &out)
        & EVP_CIPHER_CTX_ctrl(d->context, GET_TAG, TAG, text + inner);
    require(ok == 1, "sealing");
}

static void evp_open(struct direction *d, uint8_t *record) {
    uint8_t nonce[NONCE], *text = record + HEADER;
    int inner = bytes + 1, out;
    nonce_of(d, nonce);
    int ok = EVP_DecryptInit_ex(d->context, 0, 0, connections > 1 ? d->key : 0, nonce)
        & EVP_DecryptUpdate(d->context, 0, &out, record, HEADER)
        & EVP_DecryptUpdate(d->context, text, &out, text, inner)
        & EVP_CIPHER_CTX_ctrl(d->context, SET_TAG, TAG, text + inner);
    require(ok == 1 && EVP_DecryptFinal_ex(d->context, text + inner, &out) == 1 && text[bytes] == 23, "opening");
}

static void evp_setup(const char *suite, int batch) {
    (void)batch;
    const char *name = strstr(suite, "AES_128") ? "AES-128-GCM" : strstr(suite, "AES_256") ? "AES-256-GCM" : "ChaCha20-Poly1305";
    CIPHER *cipher = EVP_CIPHER_fetch(0, name, 0);
    CTX *seals = EVP_CIPHER_CTX_new(), *opens = EVP_CIPHER_CTX_new();
    require(cipher && seals && opens, "the cipher");
    require(EVP_EncryptInit_ex(seals, cipher, 0, 0, 0) && EVP_DecryptInit_ex(opens, cipher, 0, 0, 0), "the contexts");
    for (int i = 0; i < CONNECTIONS; i++) {
        memset(&sealing[i], i + 1, sizeof sealing[i]);
        sealing[i].sequence = 0;
        opening[i] = sealing[i];
        sealing[i].context = seals;
        opening[i].context = opens;
    }
    require(EVP_EncryptInit_ex(seals, 0, 0, sealing->key, 0) && EVP_DecryptInit_ex(opens, 0, 0, opening->key, 0), "the key");
}

static int next_turn(void) {
    return connections == 1 ? 0 : (turn ^= 1);
}

static void evp_seal_one(void) { evp_seal(&sealing[next_turn()], records); }

static void evp_seal_batch(void) {
    for (int i = 0; i < BATCH; i++) evp_seal(sealing, records + i * SLOT);
}

static void evp_open_batch(void) {
    for (int i = 0; i < BATCH; i++) evp_open(opening, records + i * SLOT);
}

static void evp_both(void) {
    int connection = next_turn();
    evp_seal(&sealing[connection], records);
    evp_open(&opening[connection], records);
}

/* ---- libssl: the two ends of a BIO pair, so that what one writes the other reads without a copy in between */

static const char *certificate, *key;
static SSL *client, *server;
static BIO *client_bio, *server_bio;

static SSL_CTX *context_of(const char *suite) {
    SSL_CTX *context = SSL_CTX_new(TLS_method());
    require(context && SSL_CTX_ctrl(context, SET_MIN_PROTO_VERSION, TLS1_3, 0), "TLS 1.3");
    require(SSL_CTX_set_ciphersuites(context, suite), "the suite");
    return context;
}

static void libssl_setup(const char *suite, int batch) {
    SSL_CTX *for_server = context_of(suite), *for_client = context_of(suite);
    require(SSL_CTX_use_certificate_file(for_server, certificate, PEM) == 1, "the certificate");
    require(SSL_CTX_use_PrivateKey_file(for_server, key, PEM) == 1, "the key");
    SSL_free(client);
    SSL_free(server);
    client = SSL_new(for_client);
    server = SSL_new(for_server);
    size_t ring = batch ? (size_t)BATCH * SLOT : RING;
    require(client && server && BIO_new_bio_pair(&client_bio, ring, &server_bio, ring), "the connection");
    SSL_set_bio(client, client_bio, client_bio);
    SSL_set_bio(server, server_bio, server_bio);
    SSL_set_connect_state(client);
    SSL_set_accept_state(server);
    int clients = 0, servers = 0;
    for (int i = 0; i < 10 && (clients != 1 || servers != 1); i++) {
        clients = SSL_do_handshake(client);
        servers = SSL_do_handshake(server);
    }
    require(clients == 1 && servers == 1, "the handshake");
    SSL_CTX_free(for_client);
    SSL_CTX_free(for_server);
}

static void libssl_seal(void) { require(SSL_write(client, records, bytes) == bytes, "SSL_write"); }

static void libssl_open(void) { require(SSL_read(server, records, SLOT) == bytes, "SSL_read"); }

static void libssl_seal_one(void) {
    char *sealed;
    libssl_seal();
    for (int left = bytes; left > 0;) { /* drops what was sealed; the ring may have it in two pieces */
        int taken = BIO_nread(server_bio, &sealed, 2 * MAX_PAYLOAD);
        if (taken <= 0) break;
        left -= taken;
    }
}

static void libssl_seal_batch(void) {
    for (int i = 0; i < BATCH; i++) libssl_seal();
}

static void libssl_open_batch(void) {
    for (int i = 0; i < BATCH; i++) libssl_open();
}

static void libssl_both(void) {
    libssl_seal();
    libssl_open();
}

/* ---- measuring */

struct path {
    void (*setup)(const char *suite, int batch);
    void (*seal_one)(void);
    void (*seal_batch)(void);
    void (*open_batch)(void);
    void (*both)(void);
};

static const struct path EVP = {evp_setup, evp_seal_one, evp_seal_batch, evp_open_batch, evp_both};
static const struct path LIBSSL = {libssl_setup, libssl_seal_one, libssl_seal_batch, libssl_open_batch, libssl_both};

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* Records one after the other; the clock is read once in a while. */
static double per_record(void (*one)(void), int64_t nanos) {
    int64_t begin = now(), end = begin, count = 0;
    for (; end - begin < nanos; end = now(), count += 64)
        for (int i = 0; i < 64; i++) one();
    return (double)(end - begin) / (double)count;
}

/* A record can be opened once, so that batches are sealed before, outside of the time. */
static double per_opened_record(const struct path *path, int64_t nanos) {
    int64_t end = now() + nanos, spent = 0, count = 0;
    while (now() < end) {
        path->seal_batch();
        int64_t begin = now();
        path->open_batch();
        spent += now() - begin;
        count += BATCH;
    }
    return (double)spent / (double)count;
}

static double measure(const struct path *path, const char *operation, int64_t nanos) {
    return strcmp(operation, "seal") == 0 ? per_record(path->seal_one, nanos)
        : strcmp(operation, "both") == 0  ? per_record(path->both, nanos)
                                          : per_opened_record(path, nanos);
}

int main(int argc, char **argv) {
    require(argc == 4, "usage: baseline evp|evp-two-keys|libssl CERTIFICATE.pem KEY.pem");
    const struct path *path = strcmp(argv[1], "libssl") == 0 ? &LIBSSL : &EVP;
    connections = strcmp(argv[1], "evp-two-keys") == 0 ? CONNECTIONS : 1;
    certificate = argv[2];
    key = argv[3];
    records = aligned_alloc(64, (size_t)BATCH * SLOT);
    require(records != 0, "memory");
    memset(records, 1, (size_t)BATCH * SLOT);
    printf("ok library=%s\n", OpenSSL_version(0));
    fflush(stdout);

    char line[256], operation[16] = "", suite[64];
    long count = 0, millis = 0;
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "begin %15s %63s %d %ld", operation, suite, &bytes, &millis) == 4) {
            path->setup(suite, strcmp(operation, "open") == 0);
            measure(path, operation, millis * 1000000); /* warms up */
            printf("ok\n");
        } else if (sscanf(line, "count %63s %d %ld", suite, &bytes, &count) == 3) {
            path->setup(suite, 0);
            printf("ok\n"); /* whoever counts reads the counter now, */
            fflush(stdout);
            require(fgets(line, sizeof line, stdin) != 0, "the counter was read");
            for (long i = 0; i < count; i++) path->both();
            printf("ok\n"); /* and now */
        } else {
            printf("ok nanos=%.3f\n", measure(path, operation, millis * 1000000));
        }
        fflush(stdout);
    }
    return 0;
}
