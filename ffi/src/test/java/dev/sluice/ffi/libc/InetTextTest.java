package dev.sluice.ffi.libc;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class InetTextTest {
    /** The examples of RFC 5952 sections 4 and 5, and the edges of a run. */
    @ParameterizedTest
    @CsvSource({
        "0:0:0:0:0:0:0:0, ::",
        "0:0:0:0:0:0:0:1, ::1",
        "1:0:0:0:0:0:0:0, 1::",
        "2001:0db8:0:0:0:0:2:1, 2001:db8::2:1",
        "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
        "2001:0:0:1:0:0:0:1, 2001:0:0:1::1",
        "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
        "2001:db8:0:0:1:0:0:0, 2001:db8:0:0:1::",
        "2001:DB8:AAAA:BBBB:CCCC:DDDD:EEEE:1, 2001:db8:aaaa:bbbb:cccc:dddd:eeee:1",
        "fe80:0:0:0:0:0:0:1%7, fe80::1%7",
        "192.0.2.1, 192.0.2.1"
    })
    void isTheOneOfRfc5952(String given, String text) throws UnknownHostException {
        InetAddress address = InetAddress.getByName(given);
        assertThat(InetText.of(address)).isEqualTo(text);
        assertThat(InetAddress.getByName(text)).isEqualTo(address);
    }

    @Test
    void hasBracketsAndPortAndNoZoneWhereAsked() throws UnknownHostException {
        InetAddress six = InetAddress.getByName("fe80::1%7");
        assertThat(InetText.of(new InetSocketAddress(six, 443))).isEqualTo("[fe80::1%7]:443");
        assertThat(InetText.withoutZone(six)).isEqualTo("fe80::1");
        assertThat(InetText.of(InetSocketAddress.createUnresolved("shop.example", 443)))
                .isEqualTo("shop.example:443");
        InetAddress four = InetAddress.getByName("192.0.2.1");
        assertThat(InetText.of(new InetSocketAddress(four, 443))).isEqualTo("192.0.2.1:443");
        assertThat(InetText.inUrl(four)).isEqualTo("192.0.2.1");
    }
}
