package dev.sluice.ffi.openssl.raw;

/** Macros of OpenSSL's headers, under their C names. {@code OpenSslConstantsTest} compares each with the headers. */
public final class OpenSslConstants {
    // openssl/crypto.h
    public static final int OPENSSL_VERSION = 0;
    public static final int OPENSSL_CPU_INFO = 9;

    // openssl/ssl3.h: arguments of the message callback, and types of handshake messages
    public static final int SSL3_RT_HEADER = 0x100;
    public static final int SSL3_RT_HANDSHAKE = 22;
    public static final int SSL3_MT_NEWSESSION_TICKET = 4;
    public static final int SSL3_MT_KEY_UPDATE = 24;

    // openssl/ssl.h: commands of SSL_ctrl and SSL_CTX_ctrl
    public static final int SSL_CTRL_SET_MSG_CALLBACK_ARG = 16;
    public static final int SSL_CTRL_MODE = 33;
    public static final int SSL_CTRL_SET_SESS_CACHE_SIZE = 42;
    public static final int SSL_CTRL_SET_SESS_CACHE_MODE = 44;
    public static final int SSL_CTRL_SET_TLSEXT_SERVERNAME_CB = 53;
    public static final int SSL_CTRL_SET_TLSEXT_HOSTNAME = 55;
    public static final int SSL_CTRL_SET_TLSEXT_STATUS_REQ_CB = 63;
    public static final int SSL_CTRL_SET_TLSEXT_STATUS_REQ_TYPE = 65;
    public static final int SSL_CTRL_SET_TLSEXT_STATUS_REQ_OCSP_RESP = 71;
    public static final int SSL_CTRL_GET_TLSEXT_TICKET_KEYS = 58;
    public static final int SSL_CTRL_SET_TLSEXT_TICKET_KEYS = 59;
    public static final int SSL_CTRL_GET_TLSEXT_STATUS_REQ_OCSP_RESP = 70;
    public static final int SSL_CTRL_GET_TLSEXT_STATUS_REQ_TYPE = 127;
    public static final int SSL_CTRL_SET_GROUPS_LIST = 92;
    public static final int SSL_CTRL_SET_SIGALGS_LIST = 98;
    public static final int SSL_CTRL_SET_VERIFY_CERT_STORE = 106;
    public static final int SSL_CTRL_SET_CURRENT_CERT = 117;
    public static final int SSL_CERT_SET_FIRST = 1;
    public static final int SSL_CERT_SET_NEXT = 2;
    public static final int SSL_CTRL_SET_MIN_PROTO_VERSION = 123;
    public static final int SSL_CTRL_SET_MAX_PROTO_VERSION = 124;
    public static final int SSL_CTRL_GET_SIGNATURE_NID = 132;
    public static final int SSL_CTRL_GET_NEGOTIATED_GROUP = 134;
    public static final int SSL_CTRL_SET_RETRY_VERIFY = 136;

    // openssl/ssl.h: modes and options
    public static final int SSL_MODE_ENABLE_PARTIAL_WRITE = 0x1;
    public static final int SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER = 0x2;
    public static final int SSL_MODE_NO_AUTO_CHAIN = 0x8;
    public static final int SSL_MODE_RELEASE_BUFFERS = 0x10;
    public static final int SSL_OP_LEGACY_SERVER_CONNECT = 0x4;
    public static final int SSL_OP_NO_TICKET = 0x4000;
    public static final int SSL_OP_NO_COMPRESSION = 0x20000;
    public static final int SSL_OP_PRIORITIZE_CHACHA = 0x200000;
    public static final int SSL_OP_CIPHER_SERVER_PREFERENCE = 0x400000;
    public static final int SSL_OP_NO_ANTI_REPLAY = 0x1000000;
    public static final int SSL_OP_NO_RENEGOTIATION = 0x40000000;
    public static final int SSL_SESS_CACHE_OFF = 0;
    public static final int SSL_SESS_CACHE_SERVER = 2;

    // openssl/ssl.h: results of SSL_get_error
    public static final int SSL_ERROR_NONE = 0;
    public static final int SSL_ERROR_SSL = 1;
    public static final int SSL_ERROR_WANT_READ = 2;
    public static final int SSL_ERROR_WANT_WRITE = 3;
    public static final int SSL_ERROR_WANT_X509_LOOKUP = 4;
    public static final int SSL_ERROR_SYSCALL = 5;
    public static final int SSL_ERROR_ZERO_RETURN = 6;
    public static final int SSL_ERROR_WANT_RETRY_VERIFY = 12;

    // openssl/ssl.h: early data
    public static final int SSL_READ_EARLY_DATA_ERROR = 0;
    public static final int SSL_READ_EARLY_DATA_SUCCESS = 1;
    public static final int SSL_READ_EARLY_DATA_FINISH = 2;
    public static final int SSL_EARLY_DATA_NOT_SENT = 0;
    public static final int SSL_EARLY_DATA_REJECTED = 1;
    public static final int SSL_EARLY_DATA_ACCEPTED = 2;

    // openssl/ssl.h: status of a ticket, and the decision about its session
    public static final int SSL_TICKET_SUCCESS = 5;
    public static final int SSL_TICKET_SUCCESS_RENEW = 6;
    public static final int SSL_TICKET_RETURN_IGNORE_RENEW = 2;
    public static final int SSL_TICKET_RETURN_USE = 3;
    public static final int SSL_TICKET_RETURN_USE_RENEW = 4;

    // openssl/ssl.h: shutdown state
    public static final int SSL_SENT_SHUTDOWN = 1;
    public static final int SSL_RECEIVED_SHUTDOWN = 2;

    // openssl/ssl.h, openssl/tls1.h: verification, callbacks, versions, extensions
    public static final int SSL_VERIFY_NONE = 0;
    public static final int SSL_VERIFY_PEER = 1;
    public static final int SSL_VERIFY_FAIL_IF_NO_PEER_CERT = 2;
    public static final int SSL_CLIENT_HELLO_ERROR = 0;
    public static final int SSL_CLIENT_HELLO_SUCCESS = 1;
    public static final int SSL_TLSEXT_ERR_OK = 0;
    public static final int SSL_TLSEXT_ERR_ALERT_FATAL = 2;
    public static final int SSL_TLSEXT_ERR_NOACK = 3;
    public static final int SSL_MAX_SSL_SESSION_ID_LENGTH = 32;
    public static final int TLSEXT_NAMETYPE_host_name = 0;
    public static final int TLSEXT_STATUSTYPE_ocsp = 1;
    public static final int TLSEXT_TYPE_server_name = 0;
    public static final int TLSEXT_TYPE_application_layer_protocol_negotiation = 16;
    public static final int TLSEXT_TYPE_session_ticket = 35;
    public static final int TLSEXT_TYPE_psk = 41;
    public static final int TLSEXT_TYPE_early_data = 42;
    public static final int TLSEXT_max_fragment_length_512 = 1;
    public static final int TLSEXT_max_fragment_length_4096 = 4;
    public static final int TLSEXT_nid_unknown = 0x1000000;
    public static final int TLS1_2_VERSION = 0x303;
    public static final int TLS1_3_VERSION = 0x304;

    // openssl/ssl.h, openssl/tls1.h: alerts
    public static final int SSL_AD_UNEXPECTED_MESSAGE = 10;
    public static final int SSL_AD_BAD_RECORD_MAC = 20;
    public static final int SSL_AD_RECORD_OVERFLOW = 22;
    public static final int SSL_AD_HANDSHAKE_FAILURE = 40;
    public static final int SSL_AD_BAD_CERTIFICATE = 42;
    public static final int SSL_AD_UNSUPPORTED_CERTIFICATE = 43;
    public static final int SSL_AD_CERTIFICATE_REVOKED = 44;
    public static final int SSL_AD_CERTIFICATE_EXPIRED = 45;
    public static final int SSL_AD_CERTIFICATE_UNKNOWN = 46;
    public static final int SSL_AD_ILLEGAL_PARAMETER = 47;
    public static final int SSL_AD_UNKNOWN_CA = 48;
    public static final int SSL_AD_DECODE_ERROR = 50;
    public static final int SSL_AD_DECRYPT_ERROR = 51;
    public static final int SSL_AD_PROTOCOL_VERSION = 70;
    public static final int SSL_AD_INTERNAL_ERROR = 80;
    public static final int SSL_AD_INAPPROPRIATE_FALLBACK = 86;
    public static final int SSL_AD_NO_RENEGOTIATION = 100;
    public static final int SSL_AD_MISSING_EXTENSION = 109;
    public static final int SSL_AD_UNRECOGNIZED_NAME = 112;
    public static final int SSL_AD_NO_APPLICATION_PROTOCOL = 120;
    public static final int SSL_AD_REASON_OFFSET = 1000;

    // openssl/sslerr.h: reasons that need distinct handling
    public static final int SSL_R_BAD_ECPOINT = 306;
    public static final int SSL_R_BAD_EXTENSION = 110;
    public static final int SSL_R_BAD_KEY_SHARE = 108;
    public static final int SSL_R_BAD_KEY_UPDATE = 122;
    public static final int SSL_R_BAD_RECORD_TYPE = 443;
    public static final int SSL_R_BAD_SIGNATURE = 123;
    public static final int SSL_R_CALLBACK_FAILED = 234;
    public static final int SSL_R_CERTIFICATE_VERIFY_FAILED = 134;
    public static final int SSL_R_CLIENTHELLO_TLSEXT = 226;
    public static final int SSL_R_DATA_LENGTH_TOO_LONG = 146;
    public static final int SSL_R_DECRYPTION_FAILED_OR_BAD_RECORD_MAC = 281;
    public static final int SSL_R_DIGEST_CHECK_FAILED = 149;
    public static final int SSL_R_ENCRYPTED_LENGTH_TOO_LONG = 150;
    public static final int SSL_R_EXCESSIVE_MESSAGE_SIZE = 152;
    public static final int SSL_R_HTTPS_PROXY_REQUEST = 155;
    public static final int SSL_R_HTTP_REQUEST = 156;
    public static final int SSL_R_INAPPROPRIATE_FALLBACK = 373;
    public static final int SSL_R_INVALID_ALERT = 205;
    public static final int SSL_R_LENGTH_MISMATCH = 159;
    public static final int SSL_R_MIXED_HANDSHAKE_AND_NON_HANDSHAKE_DATA = 293;
    public static final int SSL_R_NOT_ON_RECORD_BOUNDARY = 182;
    public static final int SSL_R_NO_APPLICATION_PROTOCOL = 235;
    public static final int SSL_R_NO_PROTOCOLS_AVAILABLE = 191;
    public static final int SSL_R_NO_RENEGOTIATION = 339;
    public static final int SSL_R_NO_SHARED_CIPHER = 193;
    public static final int SSL_R_NO_SHARED_GROUPS = 410;
    public static final int SSL_R_NO_SHARED_SIGNATURE_ALGORITHMS = 376;
    public static final int SSL_R_NO_SUITABLE_GROUPS = 295;
    public static final int SSL_R_NO_SUITABLE_KEY_SHARE = 101;
    public static final int SSL_R_NO_SUITABLE_SIGNATURE_ALGORITHM = 118;
    public static final int SSL_R_PACKET_LENGTH_TOO_LONG = 198;
    public static final int SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE = 199;
    public static final int SSL_R_TOO_MANY_KEY_UPDATES = 132;
    public static final int SSL_R_TOO_MUCH_EARLY_DATA = 164;
    public static final int SSL_R_TOO_MANY_WARN_ALERTS = 409;
    public static final int SSL_R_UNEXPECTED_EOF_WHILE_READING = 294;
    public static final int SSL_R_UNEXPECTED_MESSAGE = 244;
    public static final int SSL_R_UNEXPECTED_RECORD = 245;
    public static final int SSL_R_UNKNOWN_PROTOCOL = 252;
    public static final int SSL_R_UNSUPPORTED_PROTOCOL = 258;
    public static final int SSL_R_VERSION_TOO_LOW = 396;
    public static final int SSL_R_WRONG_SSL_VERSION = 266;
    public static final int SSL_R_WRONG_VERSION_NUMBER = 267;

    // openssl/err.h and the errors of its libraries: layout of a queued error
    public static final int ERR_LIB_SYS = 2;
    public static final int ERR_LIB_EVP = 6;
    public static final int ERR_LIB_PEM = 9;
    public static final int ERR_LIB_ASN1 = 13;
    public static final int ERR_LIB_CRYPTO = 15;
    public static final int ERR_LIB_EC = 16;
    public static final int ERR_LIB_SSL = 20;
    public static final int ERR_LIB_PKCS12 = 35;
    public static final int ERR_LIB_PROV = 57;
    public static final int ERR_LIB_OFFSET = 23;
    public static final int ERR_LIB_MASK = 0xFF;
    public static final int ERR_REASON_MASK = 0x7FFFFF;
    public static final int ERR_RFLAG_COMMON = 0x80000;
    public static final int ERR_R_EVP_LIB = 6 | ERR_RFLAG_COMMON;
    public static final int ERR_R_X509_LIB = 11 | ERR_RFLAG_COMMON;
    public static final int ERR_R_ASN1_LIB = 13 | ERR_RFLAG_COMMON;
    public static final int ERR_R_EC_LIB = 16 | ERR_RFLAG_COMMON;
    public static final int ERR_R_FATAL = 0xC0000;
    public static final int ERR_R_MALLOC_FAILURE = 256 | ERR_R_FATAL;
    public static final int ERR_R_INTERNAL_ERROR = 259 | ERR_R_FATAL;
    public static final int ERR_R_NESTED_ASN1_ERROR = 266 | ERR_RFLAG_COMMON;
    public static final int ERR_R_FETCH_FAILED = 269 | ERR_RFLAG_COMMON;
    public static final int ERR_TXT_STRING = 0x2;
    public static final int EC_R_INVALID_ENCODING = 102;
    public static final int EC_R_POINT_AT_INFINITY = 106;
    public static final int EC_R_POINT_IS_NOT_ON_CURVE = 107;
    public static final int PEM_R_NO_START_LINE = 108;
    public static final int PKCS12_R_MAC_VERIFY_FAILURE = 113;
    public static final int PROV_R_FAILED_DURING_DERIVATION = 164;

    // openssl/core_dispatch.h: operations, and the functions that a provider implements
    public static final int OSSL_OP_KEYMGMT = 10;
    public static final int OSSL_OP_SIGNATURE = 12;
    public static final int OSSL_FUNC_PROVIDER_QUERY_OPERATION = 1027;
    public static final int OSSL_FUNC_KEYMGMT_NEW = 1;
    public static final int OSSL_FUNC_KEYMGMT_FREE = 10;
    public static final int OSSL_FUNC_KEYMGMT_GET_PARAMS = 11;
    public static final int OSSL_FUNC_KEYMGMT_GETTABLE_PARAMS = 12;
    public static final int OSSL_FUNC_KEYMGMT_QUERY_OPERATION_NAME = 20;
    public static final int OSSL_FUNC_KEYMGMT_HAS = 21;
    public static final int OSSL_FUNC_KEYMGMT_IMPORT = 40;
    public static final int OSSL_FUNC_KEYMGMT_IMPORT_TYPES = 41;
    public static final int OSSL_FUNC_KEYMGMT_EXPORT = 42;
    public static final int OSSL_FUNC_KEYMGMT_EXPORT_TYPES = 43;
    public static final int OSSL_FUNC_SIGNATURE_NEWCTX = 1;
    public static final int OSSL_FUNC_SIGNATURE_DIGEST_SIGN_INIT = 8;
    public static final int OSSL_FUNC_SIGNATURE_DIGEST_SIGN = 11;
    public static final int OSSL_FUNC_SIGNATURE_FREECTX = 16;
    public static final int OSSL_FUNC_SIGNATURE_SET_CTX_PARAMS = 20;
    public static final int OSSL_FUNC_SIGNATURE_SETTABLE_CTX_PARAMS = 21;
    public static final int OSSL_KEYMGMT_SELECT_PRIVATE_KEY = 0x1;
    public static final int OSSL_KEYMGMT_SELECT_KEYPAIR = 0x3;

    // openssl/rsa.h
    public static final int RSA_PKCS1_PSS_PADDING = 6;

    // openssl/bio.h
    public static final int BIO_CTRL_INFO = 3;
    public static final int BIO_CTRL_PENDING = 10;
    public static final int BIO_C_SHUTDOWN_WR = 142;
    public static final int BIO_C_GET_WRITE_GUARANTEE = 140;

    // openssl/x509.h, openssl/x509v3.h, openssl/x509_vfy.h, openssl/obj_mac.h, openssl/asn1.h
    public static final int MBSTRING_ASC = 0x1001;
    public static final int NID_rsaEncryption = 6;
    public static final int NID_sha1 = 64;
    public static final int NID_X9_62_id_ecPublicKey = 408;
    public static final int NID_sha256 = 672;
    public static final int NID_sha384 = 673;
    public static final int NID_sha512 = 674;
    public static final int NID_rsassaPss = 912;
    public static final int NID_ED25519 = 1087;
    public static final int NID_ED448 = 1088;
    public static final int NID_basic_constraints = 87;
    public static final int NID_key_usage = 83;
    public static final int NID_ext_key_usage = 126;
    public static final int NID_subject_alt_name = 85;
    public static final int X509_VERSION_3 = 2;
    public static final int X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS = 0x4;
    public static final int X509_V_OK = 0;
    public static final int X509_V_ERR_UNABLE_TO_GET_CRL = 3;
    public static final int X509_V_ERR_CERT_SIGNATURE_FAILURE = 7;
    public static final int X509_V_ERR_CRL_SIGNATURE_FAILURE = 8;
    public static final int X509_V_ERR_CERT_NOT_YET_VALID = 9;
    public static final int X509_V_ERR_CERT_HAS_EXPIRED = 10;
    public static final int X509_V_ERR_CRL_NOT_YET_VALID = 11;
    public static final int X509_V_ERR_CRL_HAS_EXPIRED = 12;
    public static final int X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT = 18;
    public static final int X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN = 19;
    public static final int X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY = 20;
    public static final int X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE = 21;
    public static final int X509_V_ERR_CERT_CHAIN_TOO_LONG = 22;
    public static final int X509_V_ERR_CERT_REVOKED = 23;
    public static final int X509_V_ERR_INVALID_PURPOSE = 26;
    public static final int X509_V_ERR_CERT_REJECTED = 28;
    public static final int X509_V_ERR_HOSTNAME_MISMATCH = 62;
    public static final int X509_V_ERR_IP_ADDRESS_MISMATCH = 64;
    public static final int X509_V_ERR_OCSP_VERIFY_FAILED = 74;
    public static final int X509_V_ERR_INVALID_CA = 79;
    public static final int X509_V_FLAG_CRL_CHECK = 0x4;
    public static final int X509_V_FLAG_CRL_CHECK_ALL = 0x8;
    public static final int X509_V_FLAG_PARTIAL_CHAIN = 0x80000;
    public static final int EVP_MAX_MD_SIZE = 64;
    public static final int EVP_CTRL_AEAD_SET_IVLEN = 0x9;
    /** {@code EVP_CTRL_AEAD_GET_TAG}: returns the tag. */
    public static final int EVP_CTRL_AEAD_GET_TAG = 0x10;

    /** XN_FLAG_RFC2253 of openssl/x509.h: a name as RFC 2253 text. */
    public static final int XN_FLAG_RFC2253 = 0x1110317;

    private OpenSslConstants() {}

    // openssl/ocsp.h
    public static final int OCSP_TRUSTOTHER = 0x200;
    public static final int OCSP_RESPONSE_STATUS_SUCCESSFUL = 0;
}
