package dev.sluice.gateway.acme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.config.acme.AcmeKeyType;
import dev.sluice.gateway.challenge.ChallengeAnswer;
import dev.sluice.gateway.tickets.FleetKey;
import dev.sluice.gateway.tickets.MemoryStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes that share their orders through a store. */
class SharedOrdersTest {
    private static final ChallengeAnswer ANSWER =
            new ChallengeAnswer(ChallengeAnswer.Kind.HANDSHAKE, "shop.example", "token", "token.thumbprint");

    /** More than the spread of renewals, so that one that has just been issued is not due. */
    private static final int DAYS_APART = 10;

    @TempDir
    Path directory = Path.of("");

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
    private final MemoryStore store = new MemoryStore(now::get);
    private Path fleetKey = Path.of("");
    private FleetNode one = node("one");
    private FleetNode two = node("two");

    @BeforeEach
    void makeNodes() throws IOException {
        fleetKey = Files.write(directory.resolve("fleet.key"), new byte[32]);
        one = node("one");
        two = node("two");
    }

    @AfterEach
    void close() {
        one.close();
        two.close();
    }

    private FleetNode node(String name) {
        return new FleetNode(store, fleetKey, directory.resolve(name), now::get);
    }

    private void pass(Duration time) {
        now.set(now.get().plus(time));
    }

    private static FaultyAcmeServer server() throws IOException {
        AtomicInteger issued = new AtomicInteger();
        return new FaultyAcmeServer(
                List.of(),
                der -> TestChains.certified(
                        TestChains.key(der), DAYS_APART * issued.getAndIncrement(), "shop.example"));
    }

    // --- leases -----------------------------------------------------------------------------------------------------

    @Test
    void givesALeaseToOneNodeUntilItReturnsIt() throws Exception {
        Runnable release = Objects.requireNonNull(one.fleet.lease("shop"));
        assertThat(two.fleet.lease("shop")).isNull();
        assertThat(one.fleet.lease("shop")).as("for another thread").isNull();
        assertThat(two.fleet.lease("other")).isNotNull();

        release.run();
        one.fleet.round();

        assertThat(two.fleet.lease("shop")).isNotNull();
        release.run();
        one.fleet.round();
        assertThat(one.fleet.lease("shop")).as("released once").isNull();
    }

    @Test
    void passesALeaseOnWhenItsNodeDies() throws Exception {
        assertThat(one.fleet.lease("shop")).isNotNull();
        pass(Fleet.LEASE.minusSeconds(1));
        assertThat(two.fleet.lease("shop")).isNull();

        pass(Duration.ofSeconds(1));

        assertThat(two.fleet.lease("shop")).isNotNull();
        one.fleet.round(); // it was not dead
        pass(Fleet.LEASE.minusSeconds(1));
        assertThat(one.fleet.lease("shop")).isNull();
    }

    @Test
    void renewsTheLeasesOfANodeThatLives() throws Exception {
        assertThat(one.fleet.lease("shop")).isNotNull();
        for (int i = 0; i < 10; i++) {
            pass(Fleet.LEASE.dividedBy(2));
            one.fleet.round();
        }
        assertThat(two.fleet.lease("shop")).isNull();
    }

    @Test
    void letsOneOfTwoHaveALeaseThatBothWantAtOnce() throws Exception {
        AtomicReference<@Nullable Runnable> twos = new AtomicReference<>();
        store.beforeReplacement = () -> {
            try {
                twos.set(two.fleet.lease("shop"));
            } catch (AcmeFailure | InterruptedException e) {
                throw new AssertionError(e);
            }
        };

        assertThat(one.fleet.lease("shop")).isNull();
        assertThat(twos.get()).isNotNull();
    }

    // --- challenges -------------------------------------------------------------------------------------------------

    @Test
    void answersTheChallengesOfOtherNodes() throws Exception {
        one.fleet.show(ANSWER);
        one.fleet.round();
        two.fleet.round();
        two.fleet.round();
        assertThat(two.answered).containsExactly(ANSWER);
        assertThat(one.answered).as("its order shows it").isEmpty();

        one.fleet.withdraw(ANSWER);
        one.fleet.round();
        two.fleet.round();

        assertThat(two.answered).isEmpty();
    }

    @Test
    void answersNoLongerForANodeThatDied() throws Exception {
        one.fleet.show(ANSWER);
        two.fleet.round();
        assertThat(two.answered).containsExactly(ANSWER);

        pass(Duration.ofMinutes(36));
        two.fleet.round();

        assertThat(two.answered).isEmpty();
    }

    // --- orders -----------------------------------------------------------------------------------------------------

    @Test
    void servesOnAllNodesWhatOneHasOrdered() throws Exception {
        try (FaultyAcmeServer server = server()) {
            one.shop(server).attempt();
            ManagedCertificate twos = two.shop(server);
            twos.attempt();

            assertThat(server.orders()).isOne();
            assertThat(twos.status().state()).isEqualTo(AcmeStatus.State.ISSUED);
            assertThat(two.files().certificate("shop", AcmeKeyType.ECDSA))
                    .isNotNull()
                    .isEqualTo(one.files().certificate("shop", AcmeKeyType.ECDSA));
            assertThat(Files.readString(two.file("seal.key"))).isNotEqualTo(Files.readString(one.file("seal.key")));
            assertThat(two.counters.issued()).isZero();
        }
    }

    @Test
    void reportsAChangeToOtherNodesOnce() throws Exception {
        try (FaultyAcmeServer server = server()) {
            two.fleet.round();
            int before = two.changes;
            one.shop(server).attempt();
            two.fleet.round();
            two.fleet.round();

            assertThat(two.changes).isEqualTo(before + 1);
        }
    }

    @Test
    void leavesTheOrderToTheNodeWithTheLease() throws Exception {
        try (FaultyAcmeServer server = server()) {
            ManagedCertificate twos = two.shop(server);
            assertThat(one.fleet.lease(one.shop(server).order().lease())).isNotNull();
            assertThat(twos.attempt()).isEqualTo(Duration.ofSeconds(10));
            assertThat(server.orders()).isZero();

            pass(Fleet.LEASE);
            twos.attempt();

            assertThat(server.orders()).isOne();
            assertThat(twos.status().state()).isEqualTo(AcmeStatus.State.ISSUED);
        }
    }

    @Test
    void renewsOnOneNode() throws Exception {
        try (FaultyAcmeServer server = server()) {
            ManagedCertificate ones = one.shop(server);
            ManagedCertificate twos = two.shop(server);
            ones.attempt();
            twos.attempt();
            assertThat(twos.status().next()).isEqualTo(ones.status().next());

            now.set(twos.status().next());
            twos.attempt();
            ones.attempt();

            assertThat(server.orders()).isEqualTo(2);
            assertThat(one.files().certificate("shop", AcmeKeyType.ECDSA))
                    .isNotNull()
                    .isEqualTo(two.files().certificate("shop", AcmeKeyType.ECDSA));
        }
    }

    @Test
    void sharesOneAccount() throws Exception {
        try (FaultyAcmeServer server = server()) {
            one.shop(server).attempt();
            two.certificate("other", server.directory(), 20, "shop.example").attempt();

            assertThat(server.orders()).isEqualTo(2);
            assertThat(server.accounts()).isOne();
        }
    }

    @Test
    void waitsWithAllNodesAfterAFailure() throws Exception {
        try (FaultyAcmeServer server = new FaultyAcmeServer(List.of(), der -> "")) {
            ManagedCertificate ones = one.shop(server);
            ManagedCertificate twos = two.shop(server);
            ones.attempt();
            assertThat(ones.status().failures()).isOne();
            twos.attempt();
            assertThat(server.orders()).isOne();

            now.set(now.get().plus(Duration.ofMinutes(2)));
            twos.attempt();

            assertThat(server.orders()).isEqualTo(2);
        }
    }

    @Test
    void forgetsAFailureOnAllNodesAfterAnOrder() throws Exception {
        try (FaultyAcmeServer server = server()) {
            ManagedCertificate ones = one.shop(server);
            one.files().prepare();
            ones.failed(new AcmeFailure("the server is down"));
            two.shop(server).attempt();
            assertThat(two.file("shop.ecdsa.failed")).exists();

            ones.hurry();
            ones.attempt();
            two.shop(server).attempt();

            assertThat(two.file("shop.ecdsa.failed")).doesNotExist();
        }
    }

    @Test
    void countsTheOrdersOfAllNodes() throws Exception {
        OrderLimit ones = new OrderLimit(one.files());
        OrderLimit twos = new OrderLimit(two.files());

        assertThat(ones.enter(2, now.get())).isNull();
        assertThat(twos.enter(2, now.get())).isNull();
        assertThat(ones.enter(2, now.get())).isEqualTo(now.get().plus(Duration.ofHours(1)));
    }

    /** While a configuration is rolled out, nodes want different names. */
    @Test
    void keepsTheCertificatesOfTwoConfigurationsApart() throws Exception {
        try (FaultyAcmeServer server = server();
                FaultyAcmeServer later = new FaultyAcmeServer(
                        List.of(), der -> TestChains.certified(TestChains.key(der), "shop.example", "new.example"))) {
            ManagedCertificate ones = one.shop(server);
            ManagedCertificate twos = two.certificate("shop", later.directory(), 20, "shop.example", "new.example");
            for (int i = 0; i < 3; i++) {
                ones.attempt();
                twos.attempt();
            }

            assertThat(server.orders()).isOne();
            assertThat(later.orders()).isOne();
            assertThat(ones.status().state()).isEqualTo(AcmeStatus.State.ISSUED);
            assertThat(twos.status().state()).isEqualTo(AcmeStatus.State.ISSUED);
        }
    }

    // --- without the store ------------------------------------------------------------------------------------------

    @Test
    void servesOnAndOrdersNothingWithoutTheStore() throws Exception {
        try (FaultyAcmeServer server = server()) {
            ManagedCertificate certificate = one.shop(server);
            certificate.attempt();
            store.lost = true;
            certificate.attempt();
            assertThat(certificate.status().state()).isEqualTo(AcmeStatus.State.ISSUED);
            assertThat(certificate.status().failures()).isZero();

            now.set(certificate.status().next());
            Duration pause = certificate.attempt();
            certificate.attempt();

            assertThat(pause).isBetween(Duration.ofSeconds(48), Duration.ofSeconds(72));
            assertThat(server.orders()).isOne();
            assertThat(certificate.status().failures()).isEqualTo(2);
            assertThat(certificate.status().error()).contains("the store does not answer");
            assertThat(one.fleet.store().status().failures()).isEqualTo(3);
            assertThat(one.log)
                    .filteredOn(line -> line.startsWith("warn ACME: the store does not answer"))
                    .hasSize(1);

            store.lost = false;
            certificate.attempt();

            assertThat(server.orders()).isEqualTo(2);
            assertThat(certificate.status().failures()).isZero();
            assertThat(one.log).contains("info ACME: memory://store can be used again");
        }
    }

    @Test
    void reportsAChangeWhenTheStoreIsThereAgain() throws Exception {
        one.fleet.round();
        int before = one.changes;
        store.lost = true;
        one.fleet.round();
        assertThat(one.changes).isEqualTo(before);

        store.lost = false;
        one.fleet.round();

        assertThat(one.changes).isEqualTo(before + 1);
    }

    @Test
    void fillsAStoreThatHasLostItsData() throws Exception {
        try (FaultyAcmeServer server = server()) {
            ManagedCertificate ones = one.shop(server);
            ones.attempt();
            store.empty();

            ones.attempt();
            two.shop(server).attempt();

            assertThat(server.orders()).isOne();
            assertThat(server.accounts()).isOne();
            assertThat(two.file("shop.ecdsa.pem")).exists();
        }
    }

    @Test
    void keepsTheNewerCertificateWhenAnOldDocumentComesBack() throws Exception {
        try (FaultyAcmeServer server = server()) {
            ManagedCertificate ones = one.shop(server);
            ones.attempt();
            byte[] old = store.document;
            long generation = store.generation;
            now.set(ones.status().next());
            KeptCertificate first = one.files().certificate("shop", AcmeKeyType.ECDSA);
            ones.attempt();
            KeptCertificate second = one.files().certificate("shop", AcmeKeyType.ECDSA);
            assertThat(second).isNotNull().isNotEqualTo(first);
            store.document = old;
            store.generation = generation;

            ones.attempt();
            two.shop(server).attempt();

            assertThat(server.orders()).isEqualTo(2);
            assertThat(one.files().certificate("shop", AcmeKeyType.ECDSA)).isEqualTo(second);
            assertThat(two.files().certificate("shop", AcmeKeyType.ECDSA)).isEqualTo(second);
        }
    }

    @Test
    void leavesAnExpiredCertificateToTheFiles() throws Exception {
        try (FaultyAcmeServer server = server()) {
            ManagedCertificate ones = one.shop(server);
            ones.attempt();
            server.refuse("{\"type\":\"urn:ietf:params:acme:error:rateLimited\",\"detail\":\"wait\"}");
            pass(Duration.ofDays(200));
            one.fleet.round();
            ones.attempt(); // in vain
            one.fleet.round(); // removes the lease that it returned
            long generation = store.generation;

            ones.attempt();
            one.fleet.round();
            two.shop(server).attempt();

            assertThat(store.generation).isEqualTo(generation);
            assertThat(two.file("shop.ecdsa.pem")).doesNotExist();
        }
    }

    @Test
    void believesNothingUnderAnotherFleetKey() throws Exception {
        try (FaultyAcmeServer server = server()) {
            one.shop(server).attempt();
            byte[] key = new byte[32];
            key[0] = 1;
            Files.write(fleetKey, key);
            try (FleetNode stranger = node("three")) {
                ManagedCertificate certificate = stranger.shop(server);
                certificate.attempt();

                assertThat(certificate.status().error())
                        .contains("ACME state of memory://store not usable: it is sealed under another fleet key");
                assertThat(server.orders()).isOne();
            }
        }
    }

    @Test
    void believesNoDocumentOfAnotherGeneration() throws Exception {
        assertThat(one.fleet.lease("shop")).isNotNull();
        store.generation++;

        assertThatThrownBy(() -> two.fleet.store().read())
                .isInstanceOf(AcmeFailure.Store.class)
                .hasMessageContaining("generation 1 stands there as 2");
    }

    @Test
    void holdsNoPrivateKeyInTheClear() throws Exception {
        try (FaultyAcmeServer server = server();
                FleetKey key = FleetKey.read(fleetKey)) {
            one.shop(server).attempt();

            byte[] text = key.openBytes(store.document, "it");
            FleetDocument document = FleetDocument.decode(text, store.generation);
            assertThat(document.entries().keySet()).anyMatch(name -> name.startsWith("certificate shop.ecdsa."));
            assertThat(document.entries().values())
                    .filteredOn(entry -> entry.contains("PRIVATE KEY"))
                    .hasSize(2)
                    .allSatisfy(entry -> assertThat(new PemText(entry).block("SLUICE SEALED PRIVATE KEY"))
                            .startsWith("SLUICE".getBytes(StandardCharsets.US_ASCII)));
            assertThat(document.entries().values()).noneMatch(entry -> entry.contains("BEGIN PRIVATE KEY"));
        }
    }
}
