package dev.sluice.ffi.openssl.raw;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.CProbe;
import java.lang.reflect.Field;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class OpenSslConstantsTest {
    @Test
    void constantsMatchTheHeaders() throws IllegalAccessException {
        CProbe probe = new CProbe(
                "openssl/core_dispatch.h",
                "openssl/crypto.h",
                "openssl/rsa.h",
                "openssl/ssl.h",
                "openssl/sslerr.h",
                "openssl/err.h",
                "openssl/pem.h",
                "openssl/bio.h",
                "openssl/ocsp.h",
                "openssl/pkcs12.h",
                "openssl/ecerr.h",
                "openssl/proverr.h",
                "openssl/x509v3.h",
                "openssl/x509_vfy.h");
        Map<String, Long> ours = new TreeMap<>();
        for (Field field : OpenSslConstants.class.getFields()) {
            ours.put(field.getName(), (long) field.getInt(null));
            probe.ask(field.getName());
        }

        assertThat(new TreeMap<>(probe.answers())).isEqualTo(ours).hasSizeGreaterThan(100);
    }

    @Test
    void pointersLongsAndSizesHaveTheAssumedWidth() {
        Map<String, Long> c = new CProbe("openssl/ssl.h")
                .ask("sizeof(void *)")
                .ask("sizeof(long)")
                .ask("sizeof(size_t)")
                .ask("sizeof(int)")
                .ask("SSL_MAX_SSL_SESSION_ID_LENGTH")
                .answers();

        assertThat(c).containsEntry("sizeof(void *)", 8L).containsEntry("sizeof(long)", 8L);
        assertThat(c).containsEntry("sizeof(size_t)", 8L).containsEntry("sizeof(int)", 4L);
    }
}
