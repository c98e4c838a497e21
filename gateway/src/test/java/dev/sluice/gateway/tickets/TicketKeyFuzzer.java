package dev.sluice.gateway.tickets;

import static dev.sluice.testkit.FuzzProperty.check;

import dev.sluice.ffi.openssl.TicketKey;
import dev.sluice.memory.Ledger;
import dev.sluice.testkit.FuzzInput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A fuzzer of ticket keys as they come from files and from a store: documents, sealed or not, files of nginx and
 * HAProxy, and the fleet's key. Each is read or refused by {@link TicketKeyException}, is the same when it is written
 * and read again, and no key's memory stays taken.
 *
 * <p>Input: an octet that chooses the reader, then the bytes. Files of the corpus are from {@code openssl rand}, and
 * documents from {@link TicketKeyDocument} itself; the sealed ones are under a key of zeros.
 */
public final class TicketKeyFuzzer {
    private static final int READERS = 5;
    private static final Path DIRECTORY = directory();

    private TicketKeyFuzzer() {}

    /** Runs one input of Jazzer. */
    public static void fuzzerTestOneInput(byte[] bytes) {
        FuzzInput input = new FuzzInput(bytes);
        int reader = input.octet() % READERS;
        byte[] content = input.rest();
        Map<String, Ledger.Balance> before = Ledger.process().balances();
        try {
            switch (reader) {
                case 0 -> document(content);
                case 1 -> sealed(content);
                case 2 -> file(content);
                case 3 -> fleetKey(content);
                default -> base64(content);
            }
        } catch (TicketKeyException refused) {
            check(!String.valueOf(refused.getMessage()).isEmpty(), "no reason");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        check(Ledger.process().leaksSince(before).isEmpty(), "memory stays taken");
    }

    private static Path directory() {
        try {
            Path directory = Files.createTempDirectory("sluice-fuzz");
            directory.toFile().deleteOnExit();
            return directory;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void document(byte[] content) throws TicketKeyException {
        try (SecretMemory memory = copy(content)) {
            same(TicketKeyDocument.decode(memory.segment().asSlice(0, content.length)), content);
        }
    }

    /** Closes the keys of a document, which must be that of the bytes but for those behind a short secret. */
    private static void same(TicketKeyDocument document, byte[] content) throws TicketKeyException {
        try (SecretMemory written = document.encode()) {
            check(written.segment().byteSize() == content.length, "written with another length");
            boolean isWhole =
                    document.keys().stream().allMatch(key -> key.key().secret().byteSize() == TicketKey.SECRET_BYTES);
            byte[] bytes = written.segment().toArray(ValueLayout.JAVA_BYTE);
            check(!isWhole || Arrays.equals(bytes, content), "written otherwise");
        } finally {
            document.closeKeys();
        }
    }

    private static void sealed(byte[] content) throws TicketKeyException, IOException {
        try (FleetKey key = FleetKey.read(written("fleet", new byte[32]))) {
            TicketKeyDocument document = key.open(content, "store");
            byte[] again = key.seal(document);
            try (SecretMemory plain = document.encode()) {
                same(document, plain.segment().toArray(ValueLayout.JAVA_BYTE));
            }
            check(again.length == content.length, "sealed with another length");
        }
    }

    private static void file(byte[] content) throws TicketKeyException, IOException {
        List<TicketKey> keys = TicketKeyFile.read(written("keys", content));
        Path copy = DIRECTORY.resolve("copy");
        Files.deleteIfExists(copy);
        try {
            check(!keys.isEmpty(), "a file without keys");
            TicketKeyFile.write(copy, keys);
            List<TicketKey> again = TicketKeyFile.read(copy);
            try {
                check(again.size() == keys.size(), "another number of keys");
                for (int i = 0; i < keys.size(); i++) {
                    check(keys.get(i).isSameAs(again.get(i)), "another key");
                }
            } finally {
                again.forEach(TicketKey::close);
            }
        } finally {
            keys.forEach(TicketKey::close);
        }
    }

    private static void fleetKey(byte[] content) throws TicketKeyException, IOException {
        try (FleetKey key = FleetKey.read(written("fleet", content))) {
            byte[] text = {1, 2, 3};
            check(Arrays.equals(key.openBytes(key.seal(text), "text"), text), "opened otherwise");
        }
    }

    /** Compares with the JDK's decoder, which does not take more padding than there should be. */
    private static void base64(byte[] content) {
        String text = new String(content, StandardCharsets.ISO_8859_1);
        byte[] expected = jdk(text);
        byte[] withoutPadding = jdk(text.replaceFirst("={1,2}$", ""));
        try (SecretMemory from = copy(content);
                SecretMemory to = SecretMemory.of(content.length)) {
            int length = Base64Lines.decode(from.segment().asSlice(0, content.length), to.segment());
            check(length >= 0 || expected == null, "refused, and is Base64");
            if (length >= 0) {
                byte[] decoded = to.segment().asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
                check(Arrays.equals(decoded, withoutPadding), "decoded otherwise than by the JDK");
                encoded(decoded);
            }
        }
    }

    private static void encoded(byte[] bytes) {
        try (SecretMemory from = copy(bytes);
                SecretMemory to = SecretMemory.of(Base64Lines.textLength(bytes.length))) {
            int length = Base64Lines.encode(from.segment().asSlice(0, bytes.length), to.segment());
            byte[] text = to.segment().asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
            check(Arrays.equals(text, Base64.getEncoder().encode(bytes)), "encoded otherwise than by the JDK");
        }
    }

    private static byte @Nullable [] jdk(String text) {
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException refused) {
            return null;
        }
    }

    private static Path written(String name, byte[] content) throws IOException {
        Path file = DIRECTORY.resolve(name);
        file.toFile().deleteOnExit();
        return Files.write(file, content);
    }

    private static SecretMemory copy(byte[] content) {
        SecretMemory memory = SecretMemory.of(content.length);
        MemorySegment.copy(content, 0, memory.segment(), ValueLayout.JAVA_BYTE, 0, content.length);
        return memory;
    }
}
