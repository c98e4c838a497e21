package dev.sluice.doctor.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.doctor.audit.NameMatch;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the notation of endpoints, and of certificate names. */
class TargetTest {
    @ParameterizedTest
    @CsvSource({
        "example.com, NONE, example.com, 443, example.com",
        "example.com:8443, NONE, example.com, 8443, example.com",
        "https://example.com/, NONE, example.com, 443, example.com",
        "10.0.0.7:8443, NONE, 10.0.0.7, 8443, ''",
        "[::1]:8443, NONE, ::1, 8443, ''",
        "::1, NONE, ::1, 443, ''",
        "mail.example.com, SMTP, mail.example.com, 25, mail.example.com",
    })
    void parsesEndpoints(String text, StartTls startTls, String host, int port, String serverName) {
        assertThat(Target.parse(text, "", startTls)).isEqualTo(new Target(host, port, serverName, startTls));
    }

    @Test
    void acceptsAnotherServerName() {
        assertThat(Target.parse("10.0.0.7:443", "example.com", StartTls.NONE).expectedName())
                .isEqualTo("example.com");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "example.com:", "example.com:0", "example.com:65536", "example.com:x", "a b", "ftp://x/y"})
    void rejectsInvalidEndpoints(String text) {
        assertThatThrownBy(() -> Target.parse(text, "", StartTls.NONE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"" + text + "\"");
    }

    @ParameterizedTest
    @CsvSource({
        "example.com, example.com, true",
        "EXAMPLE.com, example.COM, true",
        "example.com, example.com., true",
        "*.example.com, www.example.com, true",
        "*.example.com, example.com, false",
        "*.example.com, a.b.example.com, false",
        "w*.example.com, www.example.com, false",
        "*.example.com, .example.com, false",
        "10.0.0.7, 10.0.0.7, true",
        "0:0:0:0:0:0:0:1, ::1, true",
        "10.0.0.7, 10.0.0.8, false",
        "*, example.com, false",
    })
    void matchesCertificateNames(String pattern, String host, boolean matches) {
        assertThat(NameMatch.matches(List.of("other.example", pattern), host)).isEqualTo(matches);
    }
}
