package dev.sluice.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test that does not give back what it took: file descriptors, and native memory by the owner's account.
 *
 * <pre>{@code
 * @RegisterExtension
 * final NativeBalance balance = NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);
 * }</pre>
 *
 * <p>What is given back on another thread may be a moment late: the check waits for it, with a bound. Open
 * files are not counted, since the class loader opens a jar whenever it first needs it; nor are epoll sets, since the JDK
 * opens one per carrier of virtual threads whenever it first needs it. An event loop of ours has an eventfd besides.
 *
 * @param <S> a snapshot of the accounts
 */
public final class NativeBalance<S> implements BeforeEachCallback, AfterEachCallback {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    static {
        // The JDK keeps one socket for good from the first close of a socket on.
        FreePort.onLoopback();
    }

    private final Duration limit;
    private final Supplier<S> accounts;
    private final Function<S, List<String>> leaksSince;
    private @Nullable S accountsBefore;
    private List<String> descriptorsBefore = List.of();

    NativeBalance(Duration limit, Supplier<S> accounts, Function<S, List<String>> leaksSince) {
        this.limit = limit;
        this.accounts = accounts;
        this.leaksSince = leaksSince;
    }

    /**
     * Watches descriptors and accounts.
     *
     * @param accounts takes a snapshot of the accounts
     * @param leaksSince what is held now beyond a snapshot, one line each; empty when nothing
     */
    public static <S> NativeBalance<S> of(Supplier<S> accounts, Function<S, List<String>> leaksSince) {
        return new NativeBalance<>(LIMIT, accounts, leaksSince);
    }

    /** Watches descriptors alone. */
    public static NativeBalance<List<String>> ofDescriptors() {
        return of(List::of, before -> List.of());
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        mark();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        verify();
    }

    /** Takes down what is held now. Called before each test; by hand where something else is to be measured. */
    public void mark() {
        accountsBefore = accounts.get();
        descriptorsBefore = descriptors();
    }

    /**
     * Waits until no more is held than at the mark.
     *
     * @throws AssertionError that lists what is held still, when the wait is over
     */
    public void verify() {
        Waiting.until(limit, () -> leaks().isEmpty(), () -> "not given back:\n  " + String.join("\n  ", leaks()));
    }

    private List<String> leaks() {
        S before = accountsBefore;
        if (before == null) {
            throw new IllegalStateException("verify() without mark()");
        }
        List<String> leaks = new ArrayList<>(leaksSince.apply(before));
        List<String> open = descriptors();
        if (open.size() > descriptorsBefore.size()) {
            open.removeAll(descriptorsBefore);
            leaks.add("descriptors: " + open);
        }
        return leaks;
    }

    private static List<String> descriptors() {
        List<String> open = Descriptors.list(ProcessHandle.current().pid());
        open.removeIf(descriptor -> descriptor.contains(" -> /") || descriptor.contains("[eventpoll]"));
        return open;
    }
}
