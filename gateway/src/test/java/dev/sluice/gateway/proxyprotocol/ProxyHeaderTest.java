package dev.sluice.gateway.proxyprotocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.tls.certificate.CommonName;
import dev.sluice.tls.certificate.PeerCertificate;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Expected bytes are written out by hand from the specification, proxy-protocol.txt of HAProxy. */
class ProxyHeaderTest {
    private static final String SIGNATURE = "0d0a0d0a000d0a515549540a";

    private static final TlsFacts FACTS =
            new TlsFacts("TLSv1.3", "TLS_AES_128_GCM_SHA256", "X25519", "shop.example", "h2", "anna", true, true, 1234);

    private static final PeerCertificate CLIENT =
            new PeerCertificate("CN=Zoë,O=Example", List.of("email:zoe@example.com", "DNS:a,b"), "01".repeat(32));

    @Test
    void writesVersionOneForFour() {
        assertThat(text(header("192.0.2.7", 56324, "198.51.100.1", 443).toVersionOne()))
                .isEqualTo("PROXY TCP4 192.0.2.7 198.51.100.1 56324 443\r\n");
    }

    @Test
    void writesVersionOneForSix() {
        assertThat(text(header("2001:db8::7", 56324, "2001:db8::1", 443).toVersionOne()))
                .isEqualTo("PROXY TCP6 2001:db8::7 2001:db8::1 56324 443\r\n");
    }

    @Test
    void mapsTheFourOfAMixedPair() {
        ProxyHeader mixed = header("192.0.2.7", 1, "2001:db8::1", 2);

        assertThat(text(mixed.toVersionOne())).isEqualTo("PROXY TCP6 ::ffff:192.0.2.7 2001:db8::1 1 2\r\n");
        assertThat(HexFormat.of().formatHex(mixed.toVersionTwo()))
                .isEqualTo(SIGNATURE + "21" + "21" + "0024" + "00000000000000000000ffffc0000207"
                        + "20010db8000000000000000000000001" + "0001" + "0002");
    }

    @Test
    void writesThatNothingIsKnown() {
        assertThat(text(ProxyHeader.UNKNOWN.toVersionOne())).isEqualTo("PROXY UNKNOWN\r\n");
        assertThat(HexFormat.of().formatHex(ProxyHeader.UNKNOWN.toVersionTwo()))
                .isEqualTo(SIGNATURE + "20" + "00" + "0000");
    }

    @Test
    void writesVersionTwoWithEverything() {
        byte[] bytes = header("192.0.2.7", 0xDC04, "198.51.100.1", 443, FACTS).toVersionTwo();

        String alpn = "01" + "0002" + hex("h2");
        String authority = "02" + "000c" + hex("shop.example");
        String version = "21" + "0007" + hex("TLSv1.3");
        String name = "22" + "0004" + hex("anna");
        String cipher = "23" + "0016" + hex("TLS_AES_128_GCM_SHA256");
        String group = "26" + "0006" + hex("X25519");
        String inner = "07" + "00000000" + version + name + cipher + group;
        String tls = "20" + HexFormat.of().toHexDigits((short) (inner.length() / 2)) + inner;
        String ours = "e0" + "0001" + "01" + "e1" + "0004" + "000004d2";
        String rest = "c0000207" + "c6336401" + "dc04" + "01bb" + alpn + authority + tls + ours;
        assertThat(HexFormat.of().formatHex(bytes))
                .isEqualTo(SIGNATURE + "21" + "11" + HexFormat.of().toHexDigits((short) (rest.length() / 2)) + rest);
    }

    @Test
    void saysThatNoCertificateWasVerifiedWhenThereWasNone() {
        TlsFacts plain = new TlsFacts("TLSv1.2", "", "", "", "", "", false, false, -1);

        String bytes = HexFormat.of()
                .formatHex(header("192.0.2.7", 1, "192.0.2.1", 2, plain).toVersionTwo());

        assertThat(bytes).contains("20" + "000f" + "01" + "00000001" + "21" + "0007" + hex("TLSv1.2"));
    }

    @Test
    void tellsWhoTheClientIs() {
        PeerCertificate certificate = new PeerCertificate(
                "CN=anna,O=Example", List.of("DNS:anna.example", "URI:spiffe://x/y"), "ab".repeat(32));

        String bytes = HexFormat.of()
                .formatHex(header("192.0.2.7", 1, "192.0.2.1", 2, FACTS.withClient(certificate))
                        .toVersionTwo());

        assertThat(bytes)
                .endsWith("e5" + "0020" + "ab".repeat(32)
                        + "e3" + "0011" + hex("CN=anna,O=Example")
                        + "e4" + "0010" + hex("DNS:anna.example")
                        + "e4" + "0010" + hex("URI:spiffe://x/y"));
    }

    /** Half of a name is another name. */
    @Test
    void namesThatAreTooLongAreLeftOutWhole() throws IOException {
        List<String> names = new ArrayList<>(List.of("DNS:" + "x".repeat(3000)));
        for (int i = 0; i < 9; i++) {
            names.add("URI:" + i + "y".repeat(2000));
        }
        PeerCertificate certificate = new PeerCertificate("CN=" + "z".repeat(2100), names, "ab".repeat(32));

        ProxyHeader read = readBeforeMore(header("192.0.2.7", 1, "192.0.2.1", 2, FACTS.withClient(certificate))
                .toVersionTwo());

        PeerCertificate told = Objects.requireNonNull(read.tls().client());
        assertThat(told.sha256()).isEqualTo(certificate.sha256());
        assertThat(told.subject()).isEmpty();
        assertThat(told.alternativeNames())
                .isNotEmpty()
                .isEqualTo(names.subList(1, 1 + told.alternativeNames().size()));
    }

    static List<ProxyHeader> headers() {
        TlsFacts bare = new TlsFacts("TLSv1.2", "ECDHE-RSA-AES128-GCM-SHA256", "", "", "", "", false, false, 0);
        return List.of(
                header("192.0.2.7", 56324, "198.51.100.1", 443, FACTS),
                header("192.0.2.7", 56324, "198.51.100.1", 443, FACTS.withClient(CLIENT)),
                header("2001:db8::7", 65535, "2001:db8::1", 1, FACTS),
                header("192.0.2.7", 1, "198.51.100.1", 2, bare),
                header("192.0.2.7", 1, "198.51.100.1", 2, TlsFacts.NONE));
    }

    @ParameterizedTest
    @MethodSource("headers")
    void readsWhatItWroteAndNothingBeyond(ProxyHeader header) throws IOException {
        ProxyHeader addressesOnly = new ProxyHeader(header.source(), header.destination(), TlsFacts.NONE);
        assertThat(readBeforeMore(header.toVersionTwo())).isEqualTo(header);
        assertThat(readBeforeMore(header.toVersionOne())).isEqualTo(addressesOnly);
    }

    private static ProxyHeader readBeforeMore(byte[] bytes) throws IOException {
        byte[] withMore = Arrays.copyOf(bytes, bytes.length + 1);
        withMore[bytes.length] = 'G';
        ByteArrayInputStream input = new ByteArrayInputStream(withMore);
        ProxyHeader read = ProxyHeader.read(input);
        assertThat(input.read()).isEqualTo('G');
        return read;
    }

    @Test
    void readsTheExamplesOfTheSpecification() throws IOException {
        ProxyHeader longest = read("PROXY UNKNOWN ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff "
                + "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 65535 65535\r\n");
        ProxyHeader four = read("PROXY TCP4 255.255.255.255 255.255.255.255 65535 65535\r\n");

        assertThat(longest).isEqualTo(ProxyHeader.UNKNOWN);
        assertThat(four.source()).isEqualTo(new InetSocketAddress(InetAddress.ofLiteral("255.255.255.255"), 65535));
    }

    @Test
    void skipsTlvsThatItDoesNotKnow() throws IOException {
        String tlvs = "05" + "0004" + "deadbeef" + "04" + "0000" + "ea" + "0001" + "05" + "02" + "0001" + hex("a");
        String bytes = SIGNATURE + "21" + "11" + "001e" + "c0000207" + "c6336401" + "0001" + "0002" + tlvs;

        assertThat(ProxyHeader.read(new ByteArrayInputStream(HexFormat.of().parseHex(bytes)))
                        .tls()
                        .serverName())
                .isEqualTo("a");
    }

    @Test
    void takesAnUnknownFamilyForUnknown() throws IOException {
        String unix = SIGNATURE + "21" + "31" + "00d8" + "00".repeat(216);

        assertThat(ProxyHeader.read(new ByteArrayInputStream(HexFormat.of().parseHex(unix))))
                .isEqualTo(ProxyHeader.UNKNOWN);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "GET / HTTP/1.1\r\n\r\n",
                "PROXY \r\n",
                "PROXY TCP4 1.2.3.4\r\n",
                "PROXY TCP4 localhost 1.2.3.4 1 2\r\n",
                "PROXY TCP4 1.2.3.4 1.2.3.4 1 65536\r\n",
                "PROXY TCP4 1.2.3.4 1.2.3.4 1 x\r\n",
                "PROXY TCP6 1.2.3.4 1.2.3.4 1 2\r\n",
                "PROXY TCP6 ::1%lo ::1 1 2\r\n",
                "PROXY TCP4 1.2.3 1.2.3.4 1 2\r\n",
                "PROXY TCP4 1.2.3.4 1.2.3.4 +1 2\r\n",
                "PROXY TCP4 1.2.3.4 1.2.3.4 1 2\n",
                "PROXX TCP4 1.2.3.4 1.2.3.4 1 2\r\n",
                "PROXY TCP4 1.2.3.4 1.2.3.4 1 2                                                                  \r\n"
            })
    void refusesABadVersionOneLine(String line) {
        assertThatThrownBy(() -> read(line)).isInstanceOf(ProxyProtocolException.class);
    }

    /** Java's resolver takes what is no address for a name, and an event loop would wait for DNS. */
    @ParameterizedTest
    @ValueSource(strings = {"999.1.1.1", "1.2.3.4.5", "....", "1.2.3.256", "1..2.3"})
    void resolvesNoNameOfDigitsAndDots(String address) {
        assertThatThrownBy(() -> read("PROXY TCP4 " + address + " 1.2.3.4 1 2\r\n"))
                .isInstanceOf(ProxyProtocolException.class)
                .hasMessageContaining("a bad address: \"" + address + "\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // another signature; another version; another command; addresses, a TLV, and the SSL TLV cut short;
                // nested SSL; a wrong checksum
                "0d0a0d0a000d0a515549540b" + "2111000c" + "c0000207c633640100010002",
                "0d0a0d0a000d0a515549540a" + "1111000c" + "c0000207c633640100010002",
                "0d0a0d0a000d0a515549540a" + "2211000c" + "c0000207c633640100010002",
                "0d0a0d0a000d0a515549540a" + "2111000b" + "c0000207c6336401000100",
                "0d0a0d0a000d0a515549540a" + "21110010" + "c0000207c633640100010002" + "02000561",
                "0d0a0d0a000d0a515549540a" + "2111000e" + "c0000207c633640100010002" + "0200",
                "0d0a0d0a000d0a515549540a" + "21110010" + "c0000207c633640100010002" + "20000101",
                "0d0a0d0a000d0a515549540a" + "2111001c" + "c0000207c633640100010002" + "20000d0100000000"
                        + "2000050100000000",
                "0d0a0d0a000d0a515549540a" + "21110013" + "c0000207c633640100010002" + "030004deadbeef"
            })
    void refusesABadVersionTwoHeader(String hex) {
        assertThatThrownBy(() ->
                        ProxyHeader.read(new ByteArrayInputStream(HexFormat.of().parseHex(hex))))
                .isInstanceOf(ProxyProtocolException.class);
    }

    @Test
    void saysWhenTheHeaderIsCutOff() {
        byte[] whole = header("192.0.2.7", 1, "192.0.2.1", 2, FACTS).toVersionTwo();

        for (int length = VersionOne.PREFIX.length; length < whole.length; length++) {
            ByteArrayInputStream input = new ByteArrayInputStream(whole, 0, length);
            assertThatThrownBy(() -> ProxyHeader.read(input)).isInstanceOf(EOFException.class);
        }
    }

    @Test
    void survivesDamage() {
        Random random = new Random(7);
        byte[] whole = header("192.0.2.7", 1, "192.0.2.1", 2, FACTS).toVersionTwo();
        for (int round = 0; round < 5_000; round++) {
            byte[] damaged = whole.clone();
            damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            try {
                ProxyHeader.read(new ByteArrayInputStream(damaged));
            } catch (IOException refused) {
                assertThat(refused).hasMessageMatching("(?s).+");
            }
        }
    }

    @Test
    void findsTheCommonNameOfASubject() {
        assertThat(CommonName.of("CN=anna")).isEqualTo("anna");
        assertThat(CommonName.of("O=Example\\, CN=Bob Inc,CN=Anna\\, PhD,C=CH")).isEqualTo("Anna, PhD");
        assertThat(CommonName.of("OU=x+CN=anna,O=y")).isEqualTo("anna");
        assertThat(CommonName.of("O=Example,CN=Zo\\C3\\AB \\#1")).isEqualTo("Zoë #1");
        assertThat(CommonName.of("O=Example")).isEmpty();
        assertThat(CommonName.of("")).isEmpty();
    }

    private static ProxyHeader header(String source, int sourcePort, String destination, int destinationPort) {
        return header(source, sourcePort, destination, destinationPort, TlsFacts.NONE);
    }

    private static ProxyHeader header(
            String source, int sourcePort, String destination, int destinationPort, TlsFacts tls) {
        return new ProxyHeader(
                new InetSocketAddress(InetAddress.ofLiteral(source), sourcePort),
                new InetSocketAddress(InetAddress.ofLiteral(destination), destinationPort),
                tls);
    }

    private static ProxyHeader read(String line) throws IOException {
        return ProxyHeader.read(new ByteArrayInputStream(line.getBytes(StandardCharsets.US_ASCII)));
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.US_ASCII);
    }

    private static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(StandardCharsets.US_ASCII));
    }
}
