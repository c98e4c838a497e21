package dev.sluice.gateway;

import dev.sluice.gateway.acme.ChallengeBoard;
import dev.sluice.gateway.challenge.ChallengeAnswer;
import dev.sluice.gateway.session.GatewayLoop;
import dev.sluice.tls.context.SharedContext;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;

/** The answers to ACME servers on all event loops of a gateway, a context for each. May be used from any thread. */
final class LoopChallenges implements ChallengeBoard {
    private final List<GatewayLoop> loops;

    /**
     * Creates a board.
     *
     * @param loops those of the gateway, as soon as there are any
     */
    LoopChallenges(List<GatewayLoop> loops) {
        this.loops = loops;
    }

    @Override
    public void show(ChallengeAnswer answer) {
        for (GatewayLoop loop : List.copyOf(loops)) {
            SharedContext context = answer.kind() == ChallengeAnswer.Kind.HANDSHAKE ? answer.context() : null;
            try {
                loop.run(() -> loop.challenges().add(answer, context));
            } catch (RuntimeException e) {
                if (context != null) {
                    context.close();
                }
                throw e;
            }
        }
    }

    @Override
    public void withdraw(ChallengeAnswer answer) {
        for (GatewayLoop loop : List.copyOf(loops)) {
            try {
                loop.run(() -> loop.challenges().remove(answer));
            } catch (RejectedExecutionException closed) {
                // It answers nothing more, and frees what it has.
            }
        }
    }
}
