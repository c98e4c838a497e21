/** A provider of the Java Secure Socket Extension over native OpenSSL. */
module dev.sluice.jsse {
    requires transitive dev.sluice.tls;
    requires static transitive org.jspecify;

    exports dev.sluice.jsse;

    provides java.security.Provider with
            dev.sluice.jsse.SluiceProvider;
}
