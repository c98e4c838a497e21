package dev.sluice.net.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The order of the addresses of a name. */
final class AddressRaceTest {
    @ParameterizedTest
    @CsvSource({
        "192.0.2.1, 192.0.2.1",
        "192.0.2.1 192.0.2.2 2001:db8::1 2001:db8::2, 2001:db8::1 192.0.2.1 2001:db8::2 192.0.2.2",
        "192.0.2.1 192.0.2.2 192.0.2.3 2001:db8::1, 2001:db8::1 192.0.2.1 192.0.2.2 192.0.2.3",
        "2001:db8::2 2001:db8::1 192.0.2.1, 2001:db8::2 192.0.2.1 2001:db8::1",
    })
    void familiesTakeTurns(String resolved, String tried) throws UnknownHostException {
        assertThat(AddressRace.interleaved(addresses(resolved))).isEqualTo(addresses(tried));
    }

    private static List<InetAddress> addresses(String text) throws UnknownHostException {
        List<InetAddress> addresses = new ArrayList<>();
        for (String each : text.split(" ", -1)) {
            addresses.add(InetAddress.getByName(each));
        }
        return addresses;
    }
}
