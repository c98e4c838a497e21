package dev.sluice.gateway.acme;

import static dev.sluice.testkit.FuzzProperty.check;

import dev.sluice.gateway.log.ForeignText;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;

/**
 * A fuzzer of texts of an ACME server: chains that it has issued, and words that it sends. A chain is read or refused
 * by a {@link GeneralSecurityException}, what is not the ordered one by an {@link AcmeFailure}, and words come into
 * messages as one line that is not too long.
 *
 * <p>Input: the text. Chains of the corpus are from {@code openssl req}; the words are from RFC 8555 and by hand.
 */
public final class PemTextFuzzer {
    private static final Instant NOW = Instant.parse("2026-11-26T12:00:00Z");
    private static final List<String> NAMES = List.of("shop.example");
    private static final PublicKey KEY = key();

    private PemTextFuzzer() {}

    /** Runs one input of Jazzer. */
    public static void fuzzerTestOneInput(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        words(text);
        PemText pem = new PemText(text);
        check(pem.line("error").indexOf('\n') < 0, "a line of several");
        try {
            List<byte[]> _ = pem.blocks(PemText.PLAIN_KEY);
            List<X509Certificate> chain = pem.chain();
            check(!chain.isEmpty(), "a chain of nothing");
            issued(chain);
            List<X509Certificate> again =
                    new PemText(new PemText.Builder().chain(chain).build()).chain();
            check(again.equals(chain), "another chain when written");
        } catch (GeneralSecurityException refused) {
            words(String.valueOf(refused.getMessage()));
        }
    }

    private static void issued(List<X509Certificate> chain) {
        Instant _ = RenewalTimes.renewal(chain.getFirst(), null);
        try {
            IssuedChain.require(chain, NAMES, KEY, NOW);
            throw new AssertionError("a chain for another key");
        } catch (AcmeFailure refused) {
            check(isLine(String.valueOf(refused.getMessage())), "a message of several lines");
        }
    }

    private static void words(String text) {
        String line = ForeignText.line(text);
        String cut = ForeignText.cut(text);
        check(isLine(line) && isLine(cut), "a text of several lines");
        check(ForeignText.line(line).equals(line), "another line of the same text");
        check(cut.length() <= ForeignText.CHARS_MAX + 1, "a text that is too long");
        check(
                cut.codePoints().noneMatch(each -> each >= Character.MIN_SURROGATE && each <= Character.MAX_SURROGATE),
                "half a character");
    }

    private static boolean isLine(String text) {
        return text.codePoints().noneMatch(each -> Character.isISOControl(each) || each == 0x2028 || each == 0x2029);
    }

    private static PublicKey key() {
        try {
            return KeyPairGenerator.getInstance("EC").generateKeyPair().getPublic();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has EC", e);
        }
    }
}
