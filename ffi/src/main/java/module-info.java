/**
 * Hand-written bindings to libc, io_uring, OpenSSL, lib25519 and libzstd: the only module that makes restricted calls.
 */
module dev.sluice.ffi {
    requires transitive dev.sluice.memory;
    requires static transitive org.jspecify;

    exports dev.sluice.ffi.fuse;
    exports dev.sluice.ffi.libc;
    exports dev.sluice.ffi.openssl;
    exports dev.sluice.ffi.openssl.agreement;
    exports dev.sluice.ffi.openssl.delegation;
    exports dev.sluice.ffi.openssl.digest;
    exports dev.sluice.ffi.openssl.ocsp;
    exports dev.sluice.ffi.openssl.raw;
    exports dev.sluice.ffi.uring;
    exports dev.sluice.ffi.x25519;
    exports dev.sluice.ffi.zstd;
}
