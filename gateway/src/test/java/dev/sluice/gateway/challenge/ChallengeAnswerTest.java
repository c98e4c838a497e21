package dev.sluice.gateway.challenge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.memory.Ledger;
import dev.sluice.memory.fault.FaultPoint;
import dev.sluice.tls.context.SharedContext;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A context for a challenge: each call of OpenSSL that makes it fails once. */
class ChallengeAnswerTest {
    private static final ChallengeAnswer ANSWER =
            new ChallengeAnswer(ChallengeAnswer.Kind.HANDSHAKE, "shop.example", "token", "token.thumbprint");

    private static void explode(Throwable thrown) {
        switch (thrown) {
            case RuntimeException exception -> throw exception;
            case Error error -> throw error;
            default -> throw new AssertionError(thrown);
        }
    }

    static List<Throwable> thrown() {
        return List.of(new IllegalStateException("injected by a test"), new AssertionError("injected by a test"));
    }

    @ParameterizedTest
    @MethodSource("thrown")
    void leavesNoKeyAndNoCertificateBehind(Throwable thrown) {
        long calls = calls();
        assertThat(calls).isPositive();
        for (long call = 1; call <= calls; call++) {
            List<Long> before = held();
            Thread here = Thread.currentThread();
            try (FaultPoint.Armed _ = FaultPoint.arm(FaultPoint.EVP, call, here::equals, () -> explode(thrown))) {
                assertThatThrownBy(() -> ANSWER.context().close()).isSameAs(thrown);
            }
            assertThat(held()).as("call %d of %d", call, calls).isEqualTo(before);
        }
    }

    private static List<Long> held() {
        return Stream.of("EVP_PKEY", "X509")
                .map(type -> Ledger.process().account(type).liveCount())
                .toList();
    }

    /** Returns the calls that it takes to make a context. */
    private static long calls() {
        Thread here = Thread.currentThread();
        try (FaultPoint.Armed counter = FaultPoint.arm(FaultPoint.EVP, 0, here::equals, () -> {})) {
            SharedContext context = ANSWER.context();
            long calls = counter.calls();
            context.close();
            return calls;
        }
    }
}
