package dev.sluice.doctor.audit;

import dev.sluice.doctor.finding.FindingKind;
import dev.sluice.doctor.probe.ProbeException;
import dev.sluice.doctor.wire.ClientHello;
import dev.sluice.doctor.wire.ServerAnswer;
import dev.sluice.doctor.wire.Suite;
import dev.sluice.doctor.wire.Version;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * An audit of the accepted suites in the server's order: each chosen one is omitted from the next offer, until the
 * server refuses.
 */
public final class SuiteAudit {
    private static final String SECTION = "suites";
    private static final int SHORTEST_PRIME_BITS = 2_048;
    private static final int SHOWN = 4;

    private final Audit audit;

    public SuiteAudit(Audit audit) {
        this.audit = audit;
    }

    /** Offers suites with each relevant version: TLS 1.3, and the newest before it. */
    public List<Suite> run(Set<Version> accepted) {
        List<Suite> all = new ArrayList<>();
        for (Version version : accepted) {
            boolean newestOlder = version != Version.TLS_1_3
                    && accepted.stream().noneMatch(other -> other != Version.TLS_1_3 && other.compareTo(version) > 0);
            if (version == Version.TLS_1_3 || newestOlder) {
                List<Suite> chosen = enumerate(version);
                all.addAll(chosen);
                audit.facts()
                        .put(
                                SECTION,
                                version.text(),
                                chosen.stream().map(Suite::name).toList());
                order(version, chosen);
            }
        }
        judge(all);
        return all;
    }

    private List<Suite> enumerate(Version version) {
        List<Suite> chosen = new ArrayList<>();
        List<Integer> left = new ArrayList<>(
                ClientHello.of(version, audit.target().serverName()).suites());
        while (!left.isEmpty() && audit.attempt(() -> askOne(version, left, chosen))) {
            // the next one
        }
        return chosen;
    }

    private void askOne(Version version, List<Integer> left, List<Suite> chosen) throws ProbeException {
        ClientHello hello = ClientHello.of(version, audit.target().serverName()).withSuites(left);
        ServerAnswer answer = audit.raw().ask(hello);
        if (!(answer instanceof ServerAnswer.Chosen accepted)
                || !left.removeIf(number -> number == accepted.hello().suite())) {
            left.clear();
            return;
        }
        int number = accepted.hello().suite();
        for (Suite suite : Suite.values()) {
            if (suite.number() == number) {
                chosen.add(suite);
            }
        }
    }

    /** Checks the order: a server that makes the same choice for any client preference has an order of its own. */
    private void order(Version version, List<Suite> chosen) {
        if (chosen.size() < 2) {
            return;
        }
        audit.attempt(() -> {
            List<Integer> reversed = new ArrayList<>(numbers(chosen, suite -> !isChacha(suite)));
            Collections.reverse(reversed);
            // Not first: many servers with their own order make an exception for ChaCha20.
            reversed.addAll(numbers(chosen, SuiteAudit::isChacha));
            boolean own = choice(version, reversed) == chosen.getFirst().number();
            audit.facts().put(SECTION, version.text() + " order", own ? "the server's" : "the client's");
        });
        chacha(version, chosen);
    }

    private void chacha(Version version, List<Suite> chosen) {
        List<Integer> chacha = numbers(chosen, SuiteAudit::isChacha);
        List<Integer> aes = numbers(chosen, suite -> suite.name().contains("_GCM_"));
        if (chacha.isEmpty() || aes.isEmpty()) {
            return;
        }
        audit.attempt(() -> {
            List<Integer> wish = new ArrayList<>(chacha);
            wish.addAll(aes);
            int got = choice(version, wish);
            boolean followed = chacha.contains(got);
            audit.facts().put(SECTION, version.text() + " follows ChaCha20 first", followed);
            audit.findings()
                    .addIf(!followed, FindingKind.CHACHA_IGNORED, version.text() + " chooses " + Suite.nameOf(got));
        });
    }

    private int choice(Version version, List<Integer> suites) throws ProbeException {
        ClientHello hello = ClientHello.of(version, audit.target().serverName()).withSuites(suites);
        return audit.raw().ask(hello) instanceof ServerAnswer.Chosen chosen
                ? chosen.hello().suite()
                : 0;
    }

    private void judge(List<Suite> all) {
        add(all, Suite::isBroken, FindingKind.BROKEN_SUITES);
        add(all, suite -> suite.hasSmallBlocks() && !suite.isBroken(), FindingKind.SMALL_BLOCKS);
        add(all, suite -> suite.isRsaKeyExchange() && !suite.isBroken(), FindingKind.RSA_KEY_EXCHANGE);
        add(
                all,
                suite -> suite.isCbc() && !suite.isBroken() && !suite.hasSmallBlocks() && !suite.isRsaKeyExchange(),
                FindingKind.CBC_SUITES);
        if (all.stream().anyMatch(Suite::isDhe)) {
            audit.attempt(() -> prime(numbers(all, Suite::isDhe)));
        }
    }

    private void prime(List<Integer> suites) throws ProbeException {
        ClientHello hello =
                ClientHello.of(Version.TLS_1_2, audit.target().serverName()).withSuites(suites);
        if (audit.raw().askForKeyExchange(hello) instanceof ServerAnswer.Chosen chosen && chosen.dhBits() > 0) {
            audit.facts().put(SECTION, "Diffie-Hellman prime", chosen.dhBits() + " bits");
            audit.findings()
                    .addIf(chosen.dhBits() < SHORTEST_PRIME_BITS, FindingKind.WEAK_DH, chosen.dhBits() + " bits");
        }
    }

    private void add(List<Suite> all, Predicate<Suite> which, FindingKind kind) {
        List<String> names = all.stream().filter(which).map(Suite::name).toList();
        if (!names.isEmpty()) {
            String rest = names.size() > SHOWN ? " and " + (names.size() - SHOWN) + " more" : "";
            String shown = String.join(", ", names.subList(0, Math.min(SHOWN, names.size())));
            audit.findings().add(kind, names.size() + ": " + shown + rest);
        }
    }

    private static boolean isChacha(Suite suite) {
        return suite.name().contains("CHACHA20");
    }

    private static List<Integer> numbers(List<Suite> suites, Predicate<Suite> which) {
        return suites.stream().filter(which).map(Suite::number).toList();
    }
}
