/** Secure channels between machines that know each other's keys or share a one-time code, and what moves over them. */
module dev.sluice.transfer {
    requires transitive dev.sluice.tls;
    requires static transitive org.jspecify;

    exports dev.sluice.transfer.channel;
    exports dev.sluice.transfer.identity;
    exports dev.sluice.transfer.pairing;
}
