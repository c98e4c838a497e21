/** A provider of the Java Secure Socket Extension over native OpenSSL. */
module dev.sluice.jsse {
    requires transitive dev.sluice.tls;
    requires static transitive org.jspecify;
}
