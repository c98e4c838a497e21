/** TLS contexts, the state machine and the engines over OpenSSL. */
module dev.sluice.tls {
    requires transitive dev.sluice.ffi;
    requires static transitive org.jspecify;

    exports dev.sluice.tls.certificate;
    exports dev.sluice.tls.context;
    exports dev.sluice.tls.ech;
    exports dev.sluice.tls.engine;
    exports dev.sluice.tls.failure;
    exports dev.sluice.tls.lean;
    exports dev.sluice.tls.record;
    exports dev.sluice.tls.ticket;
}
