package dev.sluice.gateway.acme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.config.acme.AcmeAccount;
import dev.sluice.config.acme.AcmeStorage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.shredzone.acme4j.Login;
import org.shredzone.acme4j.Session;

/** Conversations that need an account at the same time. */
class AccountLoginTest {
    private static final int THREADS = 4;
    private static final long LONG_SECONDS = 30;

    @TempDir
    Path directory = Path.of("");

    @Test
    void makesOneAccountForAll() throws Exception {
        try (FaultyAcmeServer server = new FaultyAcmeServer(List.of(), der -> "")) {
            List<String> locations = Together.run(
                    THREADS, () -> login(server).open().getAccountLocation().toString());

            assertThat(locations).hasSize(THREADS).containsOnly(locations.getFirst());
            assertThat(server.accounts()).isOne();
        }
    }

    @Test
    void waitsForNoOtherServer() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        try (FaultyAcmeServer slow = new FaultyAcmeServer(List.of(), der -> "");
                FaultyAcmeServer other = new FaultyAcmeServer(List.of(), der -> "");
                ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            CountDownLatch asked = slow.holdAccounts(answer);
            try {
                Future<Login> first = executor.submit(() -> login(slow).open());
                asked.await();

                Future<Login> second = executor.submit(() -> login(other).open());

                assertThat(second.get(LONG_SECONDS, TimeUnit.SECONDS).getKeyPair())
                        .isNotNull();
                assertThat(first).isNotDone();
                answer.countDown();
                assertThat(first.get(LONG_SECONDS, TimeUnit.SECONDS).getKeyPair())
                        .isNotNull();
            } finally {
                answer.countDown();
            }
        }
    }

    @Test
    void givesUpWaitingWhenInterrupted() throws Exception {
        try (FaultyAcmeServer server = new FaultyAcmeServer(List.of(), der -> "");
                Lease other = files().lease(account(server), Duration.ZERO)) {
            assertThat(other).isNotNull();
            Thread.currentThread().interrupt();

            assertThatThrownBy(() -> login(server).open()).isInstanceOf(InterruptedException.class);
            assertThat(server.accounts()).isZero();
        }
    }

    @Test
    void doesNotWaitForAnAccountThatIsKept() throws Exception {
        try (FaultyAcmeServer server = new FaultyAcmeServer(List.of(), der -> "")) {
            login(server).open();
            try (Lease other = files().lease(account(server), Duration.ZERO)) {
                assertThat(other).isNotNull();
                assertThat(login(server).open().getKeyPair()).isNotNull();
            }
            assertThat(server.accounts()).isOne();
        }
    }

    private AccountLogin login(FaultyAcmeServer server) {
        return new AccountLogin(account(server), files(), new Session(server.directory()));
    }

    private static AcmeAccount account(FaultyAcmeServer server) {
        return new AcmeAccount(server.directory(), null, null, null);
    }

    private StateFiles files() {
        return new StateFiles(new AcmeStorage(directory, directory.resolve("seal.key")));
    }
}
