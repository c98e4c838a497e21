package dev.sluice.gateway.acme;

import dev.sluice.config.acme.AcmeChallenge;
import dev.sluice.config.acme.AcmeConfig;
import dev.sluice.config.acme.DnsHook;
import dev.sluice.gateway.challenge.ChallengeAnswer;
import dev.sluice.gateway.log.ForeignText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.shredzone.acme4j.Authorization;
import org.shredzone.acme4j.Problem;
import org.shredzone.acme4j.Status;
import org.shredzone.acme4j.challenge.Challenge;
import org.shredzone.acme4j.challenge.Dns01Challenge;
import org.shredzone.acme4j.challenge.TokenChallenge;
import org.shredzone.acme4j.exception.AcmeException;

/** The proofs of one order's names: shown, asked for, and withdrawn by {@link #close}. Confined to one thread. */
final class Proofs implements AutoCloseable {
    private final AcmeConfig order;
    private final ManagedCertificate.Surroundings around;
    private final @Nullable Fleet fleet;
    private final @Nullable DnsHookProgram program;
    private final List<Proof> proofs = new ArrayList<>();

    /**
     * One name's proof.
     *
     * @param answer shown to connections; null for a TXT record
     * @param record the TXT record; "" for an answer
     */
    private record Proof(
            String name,
            Authorization authorization,
            TokenChallenge challenge,
            @Nullable ChallengeAnswer answer,
            String record) {}

    /**
     * Creates a collection without proofs.
     *
     * @param fleet the nodes that answer too; null: none
     */
    Proofs(AcmeConfig order, ManagedCertificate.Surroundings around, @Nullable Fleet fleet) {
        this.order = order;
        this.around = around;
        this.fleet = fleet;
        DnsHook hook = order.hook();
        this.program = hook == null ? null : new DnsHookProgram(hook);
    }

    /** Shows the proof that an authorization asks for, unless it is valid still. */
    void add(Authorization authorization) throws AcmeFailure, InterruptedException {
        if (authorization.getStatus() == Status.VALID) {
            return;
        }
        String name = authorization.getIdentifier().getDomain().toLowerCase(Locale.ROOT);
        requireOrdered(name, authorization.isWildcard());
        TokenChallenge challenge = authorization
                .findChallenge(order.challenge().type())
                .filter(TokenChallenge.class::isInstance)
                .map(TokenChallenge.class::cast)
                .orElseThrow(() -> unsupported(name, authorization));
        show(name, authorization, challenge);
    }

    private void show(String name, Authorization authorization, TokenChallenge challenge)
            throws AcmeFailure, InterruptedException {
        if (challenge instanceof Dns01Challenge dns && program != null) {
            String named = dns.getRRName(name);
            String record = named.endsWith(".") ? named.substring(0, named.length() - 1) : named;
            // Before the program runs: what it has done half is to be undone, too.
            proofs.add(new Proof(name, authorization, challenge, null, record));
            program.present(record, dns.getDigest());
            return;
        }
        ChallengeAnswer.Kind kind = order.challenge() == AcmeChallenge.HTTP_01
                ? ChallengeAnswer.Kind.REQUEST
                : ChallengeAnswer.Kind.HANDSHAKE;
        String proof = challenge.getAuthorization();
        String token = proof.substring(0, proof.indexOf('.')); // RFC 8555 section 8.1
        ChallengeAnswer answer = new ChallengeAnswer(kind, name, token, proof);
        proofs.add(new Proof(name, authorization, challenge, answer, ""));
        around.board().show(answer);
        if (fleet != null) {
            fleet.show(answer);
        }
    }

    /** A server must not have us prove what we did not order: the program gets the name. */
    private void requireOrdered(String name, boolean isWildcard) throws AcmeFailure {
        if (!order.names().contains(isWildcard ? "*." + name : name)) {
            throw new AcmeFailure("the server asks for a proof of " + ForeignText.cut(name) + ", and " + order.names()
                    + " was ordered; the server is faulty");
        }
    }

    private AcmeFailure unsupported(String name, Authorization authorization) {
        String offered = authorization.getChallenges().stream()
                .map(Challenge::getType)
                .sorted()
                .collect(Collectors.joining(", "));
        return new AcmeFailure("the server offers no " + order.challenge().type() + " for " + name + " (it offers "
                + ForeignText.cut(offered) + "); name another challenge");
    }

    /** Has the server check all names, and waits. */
    void prove() throws AcmeException, AcmeFailure, InterruptedException {
        if (proofs.isEmpty()) {
            return;
        }
        DnsHook hook = order.hook();
        if (hook != null) {
            Thread.sleep(hook.settling());
        } else if (fleet != null) {
            Thread.sleep(fleet.notice()); // the server may ask any node
        }
        for (Proof proof : proofs) {
            proof.challenge().trigger();
        }
        for (Proof proof : proofs) {
            require(proof);
        }
    }

    private void require(Proof proof) throws AcmeException, AcmeFailure, InterruptedException {
        Duration limit = around.times().step();
        String why;
        try {
            Status status = proof.authorization().waitForCompletion(limit);
            why = status == Status.VALID ? "" : why(proof, status);
        } catch (AcmeException e) {
            if (!ServerFailures.isTimeLimit(e)) {
                throw e;
            }
            why = "the server has not said so within " + limit.toSeconds() + " s";
        }
        if (!why.isEmpty()) {
            throw new AcmeFailure(proof.name() + " is not proved by "
                    + order.challenge().type() + " (" + why + "); " + remedy(proof.name()));
        }
    }

    private static String why(Proof proof, Status status) {
        return proof.authorization().getChallenges().stream()
                .map(Challenge::getError)
                .flatMap(error -> error.stream().map(Problem::toString).map(ForeignText::cut))
                .findFirst()
                .orElse("its status is " + status);
    }

    private String remedy(String name) {
        return switch (order.challenge()) {
            case TLS_ALPN_01 -> "let " + name + " lead to a listener with TLS on port 443";
            case HTTP_01 -> "let " + name + " lead to a redirect listener on port 80";
            case DNS_01 -> "see whether dns-hook's record is published, or raise dns-settling";
        };
    }

    /** Withdraws what was shown. */
    @Override
    public void close() {
        for (Proof proof : proofs) {
            if (proof.answer() != null) {
                around.board().withdraw(proof.answer());
                if (fleet != null) {
                    fleet.withdraw(proof.answer());
                }
            } else if (proof.challenge() instanceof Dns01Challenge dns) {
                cleanUp(proof.record(), dns.getDigest());
            }
        }
    }

    /** A record that stays does no harm to the order. */
    private void cleanUp(String record, String digest) {
        try {
            Objects.requireNonNull(program).cleanUp(record, digest);
        } catch (AcmeFailure e) {
            around.log().warn("certificate by ACME: a TXT record may be left (" + e.getMessage() + "); remove it");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
