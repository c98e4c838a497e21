package dev.sluice.jsse.context;

import dev.sluice.ffi.openssl.SslCtx;
import dev.sluice.tls.context.ContextBuilder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The cipher suites of this OpenSSL, by the names of the TLS registry, which are JSSE's. */
public final class JsseSuites {
    /** Forward secrecy and authentication by a certificate: what older peers may need comes last. */
    private static final String SUPPORTED_LIST =
            ContextBuilder.DEFAULT_CIPHER_LIST + ":DHE+AESGCM:DHE+CHACHA20:ECDHE+AES:DHE+AES:!aNULL:!PSK:!DSS";

    private static final String TLS_1_3_PREFIX = "TLS_AES_";
    private static final String TLS_1_3_CHACHA20 = "TLS_CHACHA20_POLY1305_SHA256";

    /** OpenSSL's names of the suites of TLS 1.2. */
    private static final Map<String, String> TLS_1_2 = suites(SUPPORTED_LIST);

    private static final List<String> ENABLED = joined(suites(ContextBuilder.DEFAULT_CIPHER_LIST));
    private static final List<String> SUPPORTED = joined(TLS_1_2);

    private JsseSuites() {}

    private static Map<String, String> suites(String list) {
        try (SslCtx context = SslCtx.client()) {
            context.cipherList(list);
            Map<String, String> found = new LinkedHashMap<>(context.suites());
            found.keySet().removeIf(JsseSuites::isTls13);
            return found;
        }
    }

    private static List<String> joined(Map<String, String> older) {
        List<String> all = new ArrayList<>(ContextBuilder.DEFAULT_CIPHER_SUITES);
        all.addAll(older.keySet());
        return List.copyOf(all);
    }

    /** Returns the suites that are enabled unless the application sets others: TLS 1.3, and AEAD with ECDHE. */
    public static List<String> enabled() {
        return ENABLED;
    }

    /** Returns all suites that can be enabled. */
    public static List<String> supported() {
        return SUPPORTED;
    }

    /** Returns whether a suite is one of TLS 1.3. */
    static boolean isTls13(String suite) {
        return suite.startsWith(TLS_1_3_PREFIX) || suite.equals(TLS_1_3_CHACHA20);
    }

    /** Returns the list of TLS 1.2 suites in OpenSSL's format; "" for none. */
    static String listOf(List<String> suites) {
        return String.join(
                ":",
                suites.stream().map(TLS_1_2::get).filter(name -> name != null).toList());
    }

    /**
     * Returns the suites that an application has named.
     *
     * @throws IllegalArgumentException when there is none, or one is not supported
     */
    public static List<String> require(String @Nullable [] names) {
        if (names == null) {
            throw new IllegalArgumentException("CipherSuites cannot be null");
        }
        for (String name : names) {
            if (name == null || name.isEmpty()) {
                throw new IllegalArgumentException("The specified CipherSuites array contains null or empty elements");
            }
            if (!SUPPORTED.contains(name)) {
                throw new IllegalArgumentException(
                        "Unsupported CipherSuite: " + name + "; see SSLEngine.getSupportedCipherSuites()");
            }
        }
        return List.copyOf(Arrays.asList(names));
    }
}
