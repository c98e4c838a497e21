/** TLS contexts, the state machine and the engines over OpenSSL. */
module dev.sluice.tls {
    requires transitive dev.sluice.ffi;
    requires static transitive org.jspecify;

    exports dev.sluice.tls;
    exports dev.sluice.tls.failure;
    exports dev.sluice.tls.record;
}
