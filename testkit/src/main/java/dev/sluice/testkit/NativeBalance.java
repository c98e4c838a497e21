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
 * A check that a test releases all file descriptors, and all native memory by its owner's account.
 *
 * <pre>{@code
 * @RegisterExtension
 * final NativeBalance balance = NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);
 * }</pre>
 *
 * <p>A release on another thread may be a moment late: the check waits for it, with a limit. Open files are not
 * counted, since the class loader opens jars on demand; nor are epoll sets, since the JDK opens one per carrier of
 * virtual threads on demand. An event loop of ours also has an eventfd, which counts.
 *
 * @param <S> a snapshot of the accounts
 */
public final class NativeBalance<S> implements BeforeEachCallback, AfterEachCallback {
    private static final Duration LIMIT = Waiting.LIMIT;

    static {
        // The JDK keeps one socket permanently from the first close of a socket on.
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
     * Creates a check of descriptors and accounts.
     *
     * @param accounts takes a snapshot of the accounts
     * @param leaksSince the holdings beyond a snapshot, one line each; empty for none
     */
    public static <S> NativeBalance<S> of(Supplier<S> accounts, Function<S, List<String>> leaksSince) {
        return new NativeBalance<>(LIMIT, accounts, leaksSince);
    }

    /** Creates a check of descriptors only. */
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

    /** Records the current holdings. Called before each test, and explicitly for other intervals. */
    public void mark() {
        accountsBefore = accounts.get();
        descriptorsBefore = descriptors();
    }

    /**
     * Waits until the holdings do not exceed the mark.
     *
     * @throws AssertionError with the remaining holdings, at the end of the wait
     */
    public void verify() {
        Waiting.until(limit, () -> leaks().isEmpty(), () -> "not released:\n  " + String.join("\n  ", leaks()));
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
