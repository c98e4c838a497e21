package dev.sluice.transfer.pairing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.transfer.identity.KeyFingerprint;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class PairingCodeTest {
    private static final String SYMBOLS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

    @Test
    void readsWhatItPrints() {
        for (int slot : new int[] {0, 7, 1000, PairingCode.MAX_SLOT}) {
            PairingCode made = PairingCode.random(slot);
            PairingCode read = PairingCode.parse(made.toString());
            assertThat(read.slot()).isEqualTo(slot);
            assertThat(read.secret()).isEqualTo(made.secret());
            assertThat(made.toString()).matches("\\d+-[0-9A-Z]{4}-[0-9A-Z]{4}");
        }
    }

    @Test
    void readsWhatPeopleType() {
        PairingCode made = codeWith('0', '1');
        String typed = " " + made.slot() + "-"
                + made.secret().replace('0', 'o').replace('1', 'l').toLowerCase(Locale.ROOT) + " ";
        assertThat(PairingCode.parse(typed).secret()).isEqualTo(made.secret());
    }

    private static PairingCode codeWith(char... symbols) {
        while (true) {
            PairingCode code = PairingCode.random(7);
            boolean all = true;
            for (char symbol : symbols) {
                all &= code.secret().indexOf(symbol) >= 0;
            }
            if (all) {
                return code;
            }
        }
    }

    @Test
    void detectsEveryWrongSymbol() {
        PairingCode made = PairingCode.random(7);
        for (int i = 0; i < made.secret().length(); i++) {
            for (int j = 0; j < SYMBOLS.length(); j++) {
                char symbol = SYMBOLS.charAt(j);
                String typed =
                        made.secret().substring(0, i) + symbol + made.secret().substring(i + 1);
                if (!typed.equals(made.secret())) {
                    assertMistyped("7-" + typed);
                }
            }
        }
    }

    @Test
    void detectsEverySwapOfNeighbours() {
        PairingCode made = PairingCode.random(7);
        for (int i = 0; i + 1 < made.secret().length(); i++) {
            StringBuilder typed = new StringBuilder(made.secret());
            typed.setCharAt(i, made.secret().charAt(i + 1));
            typed.setCharAt(i + 1, made.secret().charAt(i));
            if (!typed.toString().equals(made.secret())) {
                assertMistyped("7-" + typed);
            }
        }
    }

    @Test
    void detectsAWrongSlot() {
        PairingCode made = PairingCode.random(7);
        assertMistyped("8-" + made.secret());
        assertMistyped("77-" + made.secret());
    }

    @Test
    void rejectsOtherTexts() {
        for (String text :
                new String[] {"", "-", "7", "7-", "x-AAAA-AAAA", "7-AAAA-AAA", "7-AAAA-AAAU", "99999999-AAAA-AAAA"}) {
            assertMistyped(text);
        }
    }

    private static void assertMistyped(String text) {
        assertThatThrownBy(() -> PairingCode.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("mistyped");
    }

    @Test
    void permitsOneGuess() throws Exception {
        PairingCode code = PairingCode.random(1);
        KeyFingerprint own = KeyFingerprint.of(new byte[KeyFingerprint.BYTES]);
        assertThat(code.isSpent()).isFalse();
        Pairing.responder(code, own).close();
        assertThat(code.isSpent()).isTrue();
        assertThatThrownBy(() -> Pairing.responder(code, own)).isInstanceOf(CodeSpentException.class);
        assertThatThrownBy(() -> Pairing.initiator(code, own)).isInstanceOf(CodeSpentException.class);
    }

    @Test
    void isLostWhenThePairingEndsWithoutAProof() throws Exception {
        PairingCode made = PairingCode.random(1);
        PairingCode typed = PairingCode.parse(made.toString());
        KeyFingerprint own = KeyFingerprint.of(new byte[KeyFingerprint.BYTES]);
        try (Pairing responder = Pairing.responder(made, own);
                Pairing initiator = Pairing.initiator(typed, own)) {
            responder.received(initiator.message());
            initiator.received(responder.message());
            assertThat(responder.confirm(initiator.confirmation())).isTrue();
            assertThat(initiator.confirm(initiator.confirmation())).isFalse();
            assertThat(made.isSpent()).isTrue();
            assertThat(typed.isLost()).isFalse();
        }
        assertThat(made.isLost()).isFalse();
        assertThat(typed.isLost()).isTrue();
    }
}
