/** The benchmark harness and its benchmarks. */
module dev.sluice.bench {
    requires dev.sluice.config;
    requires dev.sluice.cost;
    requires dev.sluice.ffi;
    requires dev.sluice.gateway;
    requires dev.sluice.memory;
    requires dev.sluice.net;
    requires dev.sluice.tls;
    requires dev.sluice.transfer;
    requires info.picocli;
    requires java.management;
    requires jdk.management;
    requires jdk.unsupported;
    requires static io.grpc;
    requires static io.grpc.okhttp;
    requires static io.grpc.stub;
    requires static io.netty.buffer;
    requires static io.netty.codec.http;
    requires static io.netty.common;
    requires static io.netty.handler;
    requires static io.netty.transport;
    requires static io.netty.transport.classes.io_uring;
    requires static jmh.core;
    requires static org.agrona;
    requires static org.conscrypt;
    requires static transitive org.jspecify;

    uses java.security.Provider;

    opens dev.sluice.bench to
            info.picocli;
}
