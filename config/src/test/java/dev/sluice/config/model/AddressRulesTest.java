package dev.sluice.config.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressRulesTest {
    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.255.255.255, true", "10.0.0.0/8, 11.0.0.0, false", "192.0.2.8/29, 192.0.2.15, true",
        "192.0.2.8/29, 192.0.2.16, false", "192.0.2.7, 192.0.2.7, true", "192.0.2.7, 192.0.2.6, false",
        "0.0.0.0/0, 255.1.2.3, true", "0.0.0.0/0, 2001:db8::1, false", "2001:db8::/33, 2001:db8:7fff::1, true",
        "2001:db8::/33, 2001:db8:8000::1, false", "::/0, 2001:db8::1, true", "::/0, 192.0.2.1, false",
        "::ffff:10.0.0.0/104, 10.1.2.3, true", "::ffff:10.0.0.7, 10.0.0.7, true", "10.0.0.0/8, ::ffff:10.0.0.1, true"
    })
    void rangeContainsTheAddressesWithItsPrefix(String range, String address, boolean expected) {
        assertThat(AddressRange.parse(range).contains(InetAddress.ofLiteral(address)))
                .isEqualTo(expected);
    }

    /** As the kernel and PROXY headers have it: in 16 bytes. */
    @Test
    void mappedAddressIsTheIpv4Address() throws UnknownHostException {
        byte[] mapped = new byte[16];
        mapped[10] = mapped[11] = (byte) 0xff;
        mapped[12] = 10;
        mapped[15] = 1;

        assertThat(AddressRange.parse("10.0.0.0/8").contains(InetAddress.getByAddress(mapped)))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "10.0.0.0/33", "10.0.0.0/-1", "::ffff:10.0.0.0/95", "::/129", "10.0.0/x", "example.com"})
    void otherTextIsNoRange(String text) {
        assertThatThrownBy(() -> AddressRange.parse(text)).hasMessageContaining("is not a range of addresses");
    }

    @ParameterizedTest
    @CsvSource({
        "'', '', true",
        "10.0.0.0/8, '', false",
        "192.0.2.0/24, '', true",
        "'', 192.0.2.0/24, false",
        "'', 10.0.0.0/8, true",
        "192.0.2.0/24, 192.0.2.7, false",
        "192.0.2.7, 192.0.2.0/24, false",
        "10.0.0.0/8 192.0.2.7, 192.0.2.8, true"
    })
    void denyCountsBeforeAllow(String allow, String deny, boolean expected) {
        AddressRules rules = new AddressRules(ranges(allow), ranges(deny));

        assertThat(rules.admits(InetAddress.ofLiteral("192.0.2.7"))).isEqualTo(expected);
    }

    private static List<AddressRange> ranges(String text) {
        return Stream.of(text.split(" "))
                .filter(range -> !range.isEmpty())
                .map(AddressRange::parse)
                .toList();
    }
}
