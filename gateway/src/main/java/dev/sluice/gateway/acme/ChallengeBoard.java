package dev.sluice.gateway.acme;

import dev.sluice.gateway.challenge.ChallengeAnswer;

/** The place where the gateway's connections find the answers to challenges. May be used from any thread. */
public interface ChallengeBoard {
    /** Answers a challenge from now on: when this returns, all event loops do. */
    void show(ChallengeAnswer answer);

    /** Answers it no longer. Idempotent. */
    void withdraw(ChallengeAnswer answer);
}
