/** Secure channels between machines that know each other's keys or share a one-time code, and what moves over them. */
module dev.sluice.transfer {
    requires transitive dev.sluice.tls;
    requires dev.sluice.net;
    requires static transitive org.jspecify;

    exports dev.sluice.transfer.channel;
    exports dev.sluice.transfer.export;
    exports dev.sluice.transfer.identity;
    exports dev.sluice.transfer.meet;
    exports dev.sluice.transfer.mount;
    exports dev.sluice.transfer.move;
    exports dev.sluice.transfer.pairing;
    exports dev.sluice.transfer.protocol;
    exports dev.sluice.transfer.rpc;
    exports dev.sluice.transfer.tree;
}
