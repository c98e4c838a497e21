package dev.sluice.jsse.context;

import dev.sluice.tls.context.ProtocolVersion;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The protocol versions by JSSE's names. */
public final class TlsProtocols {
    /** TLS 1.3. */
    public static final String TLS_1_3 = "TLSv1.3";

    /** TLS 1.2. */
    public static final String TLS_1_2 = "TLSv1.2";

    /** All versions, the newest first. */
    public static final List<String> SUPPORTED = List.of(TLS_1_3, TLS_1_2);

    private TlsProtocols() {}

    /**
     * Returns the versions that an application has named.
     *
     * @throws IllegalArgumentException when one is not supported
     */
    public static List<String> require(String @Nullable [] names) {
        if (names == null) {
            throw new IllegalArgumentException("Protocols cannot be null");
        }
        for (String name : names) {
            if (name == null || !SUPPORTED.contains(name)) {
                throw new IllegalArgumentException("Unsupported protocol: " + name + "; use one of " + SUPPORTED);
            }
        }
        return SUPPORTED.stream().filter(Arrays.asList(names)::contains).toList();
    }

    static ProtocolVersion version(String name) {
        return name.equals(TLS_1_3) ? ProtocolVersion.TLS_1_3 : ProtocolVersion.TLS_1_2;
    }
}
