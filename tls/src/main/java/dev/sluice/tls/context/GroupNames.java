package dev.sluice.tls.context;

import dev.sluice.ffi.openssl.Ssl;
import dev.sluice.ffi.openssl.raw.OpenSslConstants;
import java.util.Locale;
import java.util.Map;

/** Unified names of key-exchange groups, independent of the OpenSSL version. */
public final class GroupNames {
    /** NIDs of obj_mac.h, which OpenSSL before 3.2 reports, and TLS registry ids for groups without a NID. */
    private static final Map<Integer, String> BY_NUMBER = Map.ofEntries(
            Map.entry(415, "P-256"),
            Map.entry(715, "P-384"),
            Map.entry(716, "P-521"),
            Map.entry(1034, "X25519"),
            Map.entry(1035, "X448"),
            Map.entry(1126, "ffdhe2048"),
            Map.entry(1127, "ffdhe3072"),
            Map.entry(1128, "ffdhe4096"),
            Map.entry(OpenSslConstants.TLSEXT_nid_unknown | 4587, "SecP256r1MLKEM768"),
            Map.entry(OpenSslConstants.TLSEXT_nid_unknown | 4588, "X25519MLKEM768"),
            Map.entry(OpenSslConstants.TLSEXT_nid_unknown | 4589, "SecP384r1MLKEM1024"));

    private static final Map<String, String> SPELLINGS = Map.of(
            "secp256r1", "P-256",
            "prime256v1", "P-256",
            "secp384r1", "P-384",
            "secp521r1", "P-521",
            "x25519", "X25519",
            "x448", "X448");

    private GroupNames() {}

    /** Returns the group of a connection; "" without a key exchange or if unknown. */
    public static String of(Ssl ssl) {
        int number = ssl.groupNumber();
        if (number == 0) {
            return "";
        }
        String name = ssl.groupName();
        return name.isEmpty()
                ? BY_NUMBER.getOrDefault(number, "group " + (number & ~OpenSslConstants.TLSEXT_nid_unknown))
                : SPELLINGS.getOrDefault(name.toLowerCase(Locale.ROOT), name);
    }
}
