package dev.sluice.tls.context;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** JA4 beside the examples that its authors have published. */
class Ja4Test {
    /** The suites, extensions and signature algorithms of the example in FoxIO's description of JA4. */
    private static final String SUITES = "1301 1302 1303 c02b c02f c02c c030 cca9 cca8 c013 c014 009c 009d 002f 0035";

    private static final String EXTENSIONS =
            "001b 0000 0033 0010 4469 0017 002d 000d 0005 0023 0012 002b ff01 000b 000a 0015";
    private static final String SIGNATURES = "0403 0804 0401 0503 0805 0501 0806 0601";
    private static final String EXAMPLE = "t13d1516h2_8daaf6152771_e5627efa2ab1";

    private static final int MUTATIONS = 5_000;

    @Test
    void computesThePublishedExample() {
        assertThat(ja4(hello(SUITES, bodies(EXTENSIONS)))).isEqualTo(EXAMPLE).hasSize(Ja4.LENGTH);
    }

    /** The client of sigalg-grease.pcapng among FoxIO's captures, which sends GREASE as a signature algorithm, too. */
    @Test
    void computesThatOfACapture() {
        Map<String, byte[]> extensions =
                bodies("fe0d 0010 0017 0033 44cd ff01 000a 000d 0023 002b 000b ca34 002d 0000 0005 001b 0012");
        extensions.put("000d", vector(bytes("6a6a 0904 0905 0906" + SIGNATURES)));

        assertThat(ja4(hello(SUITES, extensions))).isEqualTo("t13d1517h2_8daaf6152771_cb7bf5808d99");
    }

    @Test
    void leavesGreaseOut() {
        Map<String, byte[]> extensions = new LinkedHashMap<>();
        extensions.put("0a0a", new byte[0]);
        extensions.putAll(bodies(EXTENSIONS));
        extensions.put("dada", new byte[1]);
        extensions.put("002b", bytes("06 7a7a 0304 0303"));
        extensions.put("000d", vector(bytes("9a9a" + SIGNATURES)));

        assertThat(ja4(hello("caca " + SUITES, extensions))).isEqualTo(EXAMPLE);
    }

    @Test
    void ignoresTheOrderOfSuitesAndExtensionsAndNotOfSignatures() {
        String turned = "0035 002f 009d 009c c014 c013 cca8 cca9 c030 c02c c02f c02b 1303 1302 1301";
        assertThat(ja4(hello(turned, bodies(EXTENSIONS)))).isEqualTo(EXAMPLE);

        Map<String, byte[]> others = bodies(EXTENSIONS);
        others.put("000d", vector(bytes("0804 0403 0401 0503 0805 0501 0806 0601")));
        assertThat(ja4(hello(SUITES, others)))
                .startsWith("t13d1516h2_8daaf6152771_")
                .isNotEqualTo(EXAMPLE);
    }

    /** Other characters than letters and digits are written by the digits of the whole protocol, GREASE included. */
    @ParameterizedTest
    @CsvSource({"h2, h2", "http/1.1, h1", "x, xx", "-h2, 22", "h2-, 6d", "-, 2d", "'', 00"})
    void writesTheFirstAndLastCharacterOfTheFirstProtocol(String protocol, String expected) {
        Map<String, byte[]> extensions = bodies(EXTENSIONS);
        extensions.put("0010", protocol.isEmpty() ? vector(new byte[0]) : alpn(protocol, "zz"));
        assertThat(ja4(hello(SUITES, extensions))).startsWith("t13d1516" + expected + "_8daaf6152771_");
    }

    @Test
    void writesWhatIsAbsent() {
        assertThat(ja4(hello("", Map.of()))).isEqualTo("t12i000000_000000000000_000000000000");
        byte[] withoutExtensions = hello("002f", Map.of());
        assertThat(ja4(withoutExtensions)).startsWith("t12i010000_").endsWith("_000000000000");
    }

    /** A message without extensions ends before the vector of them: what comes behind it is none. */
    @Test
    void readsNoByteBehindTheMessage() {
        byte[] hello = hello("002f", Map.of());
        ByteArrayOutputStream more = new ByteArrayOutputStream();
        more.writeBytes(hello);
        more.writeBytes(bytes("0008 0000 0000 000d 0000"));

        assertThat(ja4(more.toByteArray())).isEqualTo(ja4(hello));
    }

    /** The result of a forged message matters to nobody; a read outside of it would. */
    @Test
    void survivesForgedMessages() {
        Random random = new Random(7);
        byte[] hello = hello(SUITES, bodies(EXTENSIONS));
        for (int i = 0; i < MUTATIONS; i++) {
            byte[] forged = hello.clone();
            for (int change = random.nextInt(4); change >= 0; change--) {
                forged[9 + random.nextInt(forged.length - 9)] = (byte) random.nextInt();
            }
            String ja4 = ja4(forged);
            assertThat(ja4 == null || ja4.matches("t(\\d\\d|s3)[di]\\d{4}\\w\\w_[0-9a-f]{12}_[0-9a-f]{12}"))
                    .as(HexFormat.of().formatHex(forged))
                    .isTrue();
        }
        assertThat(ja4(Arrays.copyOf(hello, hello.length - 1))).as("not whole").isNull();
    }

    // --- messages ---------------------------------------------------------------------------------------------------

    private static @Nullable String ja4(byte[] record) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocateFrom(ValueLayout.JAVA_BYTE, record);
            return Ja4.of(segment.address(), record.length);
        }
    }

    private static Map<String, byte[]> bodies(String types) {
        Map<String, byte[]> bodies = new LinkedHashMap<>();
        for (String type : types.split(" ", -1)) {
            bodies.put(
                    type,
                    switch (type) {
                        case "000d" -> vector(bytes(SIGNATURES));
                        case "002b" -> bytes("04 0304 0303");
                        case "0010" -> alpn("h2", "http/1.1");
                        default -> new byte[0];
                    });
        }
        return bodies;
    }

    private static byte[] alpn(String... protocols) {
        ByteArrayOutputStream list = new ByteArrayOutputStream();
        for (String protocol : protocols) {
            list.write(protocol.length());
            list.writeBytes(protocol.getBytes(StandardCharsets.US_ASCII));
        }
        return vector(list.toByteArray());
    }

    private static byte[] hello(String suites, Map<String, byte[]> extensions) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        extensions.forEach((type, body) -> {
            all.writeBytes(bytes(type));
            all.writeBytes(vector(body));
        });
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.writeBytes(bytes("0303"));
        body.writeBytes(new byte[32]);
        body.write(0);
        body.writeBytes(vector(bytes(suites)));
        body.writeBytes(bytes("0100"));
        if (!extensions.isEmpty()) {
            body.writeBytes(vector(all.toByteArray()));
        }
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        message.writeBytes(bytes("0100"));
        message.writeBytes(vector(body.toByteArray()));
        ByteArrayOutputStream record = new ByteArrayOutputStream();
        record.writeBytes(bytes("160301"));
        record.writeBytes(vector(message.toByteArray()));
        return record.toByteArray();
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    private static byte[] vector(byte[] content) {
        byte[] vector = new byte[content.length + 2];
        vector[0] = (byte) (content.length >>> 8);
        vector[1] = (byte) content.length;
        System.arraycopy(content, 0, vector, 2, content.length);
        return vector;
    }
}
