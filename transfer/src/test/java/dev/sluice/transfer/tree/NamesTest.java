package dev.sluice.transfer.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The bytes that are names and paths. */
final class NamesTest {
    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "a/b", "/", "a\0b"})
    void rejectsNamesThatLeadElsewhere(String name) {
        assertThat(Names.isName(bytes(name))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "...", ".a", "-rf", "a b", "\n", "\u00ff"})
    void acceptsOddNames(String name) {
        assertThat(Names.isName(bytes(name))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/a", "a/", "a//b", "../a", "a/..", "a/./b", "a/../../b", "."})
    void rejectsPathsThatLeadElsewhere(String path) {
        assertThat(Names.isPath(bytes(path))).isFalse();
    }

    @Test
    void limitsLengths() {
        byte[] name = new byte[255];
        Arrays.fill(name, (byte) 'n');
        assertThat(Names.isName(name)).isTrue();
        assertThat(Names.isName(Arrays.copyOf(name, 256))).isFalse();
        assertThat(Names.isPath(bytes("a/".repeat(256) + "a"))).isTrue();
        assertThat(Names.isPath(bytes("a/".repeat(257) + "a"))).isFalse();
        assertThat(Names.isPath(bytes((new String(name, StandardCharsets.US_ASCII) + "/").repeat(16) + "a")))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "'', a, true",
        "'', ../a, false",
        "d, ../a, true",
        "d, ../../a, false",
        "d/e, ../../a, true",
        "d, /a, false",
        "d, b/../../../a, false",
        "d, ./././.., true",
        "'', 'a//..//..', false",
        // A name may be a link to the root of the tree, made before.
        "'', a/.., false",
        "a/b, ../c/.., false",
        "a/b, .././../c/d, true"
    })
    void knowsLinksThatStayWithinTheTree(String directory, String target, boolean within) {
        assertThat(Names.staysWithin(bytes(directory), bytes(target))).isEqualTo(within);
    }

    @Test
    void recognizesItsTemporaryNames() {
        byte[] temporary = Names.temporary(bytes("file"));
        assertThat(new String(temporary, StandardCharsets.US_ASCII)).matches("\\.sluice-[0-9a-f]{32}\\.part");
        assertThat(Names.isTemporary(temporary)).isTrue();
        assertThat(Names.temporary(bytes("file"))).isEqualTo(temporary);
        assertThat(Names.temporary(bytes("other"))).isNotEqualTo(temporary);
        assertThat(Names.isTemporary(bytes(".sluice-x.part"))).isFalse();
    }

    @Test
    void printsNamesWithoutControls() {
        assertThat(Names.printable("gr\u00fcn".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo("gr\u00fcn");
        assertThat(Names.printable(new byte[] {'a', (byte) 0xff, 27, '['})).isEqualTo("a\\xff\\x1b[");
        assertThat(Names.printable("a\u202eb".getBytes(StandardCharsets.UTF_8))).isEqualTo("a\\xe2\\x80\\xaeb");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
