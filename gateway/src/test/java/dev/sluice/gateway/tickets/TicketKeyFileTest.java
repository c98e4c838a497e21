package dev.sluice.gateway.tickets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.ffi.openssl.TicketKey;
import dev.sluice.tls.ticket.TimedTicketKey;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Key files, with the JDK's Base64 as the oracle. */
final class TicketKeyFileTest {
    private final SplittableRandom random = new SplittableRandom(1);

    @TempDir
    private Path directory = Path.of("");

    private byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    private Path file(byte[] content) throws IOException {
        return Files.write(directory.resolve("keys"), content);
    }

    private Path file(String content) throws IOException {
        return file(content.getBytes(StandardCharsets.US_ASCII));
    }

    private static List<byte[]> secrets(Path file) throws TicketKeyException {
        List<TicketKey> keys = TicketKeyFile.read(file);
        List<byte[]> secrets = keys.stream()
                .map(key -> key.secret().toArray(ValueLayout.JAVA_BYTE))
                .toList();
        keys.forEach(TicketKey::close);
        return secrets;
    }

    @Test
    void base64IsTheJdksInBothDirections() {
        try (Arena arena = Arena.ofConfined()) {
            for (int length = 0; length < 100; length++) {
                byte[] bytes = bytes(length);
                byte[] text = Base64.getEncoder().encode(bytes);
                MemorySegment encoded = arena.allocate(200);
                int digits = Base64Lines.encode(arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes), encoded);
                assertThat(encoded.asSlice(0, digits).toArray(ValueLayout.JAVA_BYTE))
                        .isEqualTo(text);

                MemorySegment decoded = arena.allocate(200);
                int count = Base64Lines.decode(encoded.asSlice(0, digits), decoded);
                assertThat(decoded.asSlice(0, count).toArray(ValueLayout.JAVA_BYTE))
                        .isEqualTo(bytes);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {48, 80})
    void aFileOfNginxIsOneKey(int size) throws Exception {
        byte[] key = bytes(size);
        assertThat(secrets(file(key))).containsExactly(key);
    }

    @Test
    void aFileOfHaproxyIsAKeyInEachLine() throws Exception {
        byte[] first = bytes(80);
        byte[] second = bytes(48);
        String text = "# made by hand\n\n " + Base64.getEncoder().encodeToString(first) + "\r\n"
                + Base64.getEncoder().withoutPadding().encodeToString(second);
        assertThat(secrets(file(text))).containsExactly(exchanged(first), second);
    }

    /** HAProxy's order of nginx's. */
    private static byte[] exchanged(byte[] key) {
        byte[] other = key.clone();
        System.arraycopy(key, 16, other, 48, 32);
        System.arraycopy(key, 48, other, 16, 32);
        return other;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "'';holds none; openssl rand 80",
                "'# nothing';holds none; openssl rand 80",
                "'not base64!';line 1 of;is no Base64",
                "'#\nAAAA';line 2 of;has 3 bytes",
            })
    void whatIsNoKeyIsRefusedWithItsLine(String content, String what, String more) throws Exception {
        Path file = file(content);
        assertThatThrownBy(() -> TicketKeyFile.read(file))
                .hasMessageContaining(file.toString())
                .hasMessageContaining(what)
                .hasMessageContaining(more);
    }

    @Test
    void whatIsWrittenIsReadAgainAndForItsOwnerOnly() throws Exception {
        byte[] key = bytes(80);
        byte[] shortKey = bytes(48);
        List<TicketKey> keys = TicketKeyFile.read(file(Base64.getEncoder().encodeToString(key) + "\n"
                + Base64.getEncoder().encodeToString(shortKey)));
        Path written = directory.resolve("written");
        TicketKeyFile.write(written, keys);

        assertThat(Files.readAllLines(written))
                .containsExactly(
                        Base64.getEncoder().encodeToString(key),
                        Base64.getEncoder().encodeToString(shortKey));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(written)))
                .isEqualTo("rw-------");
        assertThatThrownBy(() -> TicketKeyFile.write(written, keys)).isInstanceOf(FileAlreadyExistsException.class);
        keys.forEach(TicketKey::close);
    }

    @Test
    void aFleetKeyIsBytesOrBase64() throws Exception {
        byte[] key = bytes(32);
        String text = Base64.getEncoder().encodeToString(key) + "\n";
        TicketKeyDocument document = new TicketKeyDocument(1, 2, 3, List.of());
        try (FleetKey raw = FleetKey.read(file(key));
                FleetKey line = FleetKey.read(Files.writeString(directory.resolve("line"), text))) {
            assertThat(line.open(raw.seal(document), "here")).isEqualTo(document);
        }
        Path tooShort = file(Arrays.copyOf(text.getBytes(StandardCharsets.US_ASCII), 20));
        assertThatThrownBy(() -> FleetKey.read(tooShort))
                .hasMessageContaining("15 bytes")
                .hasMessageContaining("openssl rand -base64 32");
    }

    @Test
    void sealedKeysAreOpenedByNobodyElseAndNotWhenTheyWereTouched() throws Exception {
        List<TicketKey> keys = TicketKeyFile.read(file(bytes(80)));
        byte[] secret = keys.getFirst().secret().toArray(ValueLayout.JAVA_BYTE);
        TicketKeyDocument document =
                new TicketKeyDocument(1, 2, 3, List.of(new TimedTicketKey(keys.getFirst(), 4, 5, 6)));
        try (FleetKey mine = FleetKey.read(file(bytes(32)));
                FleetKey other = FleetKey.read(file(bytes(32)))) {
            byte[] sealed = mine.seal(document);
            assertThat(new String(sealed, StandardCharsets.ISO_8859_1))
                    .doesNotContain(new String(secret, 0, 16, StandardCharsets.ISO_8859_1));
            TicketKeyDocument opened = mine.open(sealed, "here");
            assertThat(opened.keys().getFirst().key().secret().toArray(ValueLayout.JAVA_BYTE))
                    .isEqualTo(secret);
            opened.closeKeys();

            assertThatThrownBy(() -> other.open(sealed, "here")).hasMessageContaining("another fleet key");
            for (int i = 16; i < sealed.length; i++) {
                byte[] touched = sealed.clone();
                touched[i] ^= 1;
                assertThatThrownBy(() -> mine.open(touched, "here")).hasMessageContaining("changed or cut");
            }
            assertThatThrownBy(() -> mine.open(new byte[100], "here")).hasMessageContaining("no document of ours");
            assertThatThrownBy(() -> mine.open(new byte[0], "here")).hasMessageContaining("no document of ours");
        }
        keys.forEach(TicketKey::close);
    }
}
