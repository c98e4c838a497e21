package dev.sluice.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Accounts every native byte and every native handle to an owner. All methods may be called from any thread.
 *
 * <p>An owner is a name such as {@code "loop-0 buffers"} or {@code "SSL"}; the name is the label under which the bytes
 * appear in metrics and in the leak report. Accounts are made when a component starts; what they count changes when
 * memory is taken or given back, which happens at start, per connection at most, and never per record.
 */
public final class Ledger {
    private static final Ledger PROCESS = new Ledger();

    private final Map<String, Account> accounts = new ConcurrentSkipListMap<>();

    /** Makes an empty ledger: for tests; components use {@link #process()}. */
    public Ledger() {}

    /** The ledger of this process, which the bindings to OpenSSL and the allocators use by default. */
    public static Ledger process() {
        return PROCESS;
    }

    /** The account of an owner, made when first asked for. */
    public Account account(String owner) {
        return accounts.computeIfAbsent(owner, Account::new);
    }

    /** All bytes held now, over all owners. */
    public long liveBytes() {
        return accounts.values().stream().mapToLong(Account::liveBytes).sum();
    }

    /** All handles and regions held now, over all owners. */
    public long liveCount() {
        return accounts.values().stream().mapToLong(Account::liveCount).sum();
    }

    /** What each owner holds now, by owner's name; owners that hold nothing included. */
    public Map<String, Balance> balances() {
        Map<String, Balance> result = new TreeMap<>();
        accounts.forEach((owner, account) -> result.put(owner, new Balance(account.liveBytes(), account.liveCount())));
        return result;
    }

    /**
     * The owners that hold more than they did at an earlier moment, one line each, empty when nothing leaked.
     *
     * @param earlier what {@link #balances()} said then
     */
    public List<String> leaksSince(Map<String, Balance> earlier) {
        List<String> leaks = new ArrayList<>();
        balances().forEach((owner, now) -> {
            Balance then = earlier.getOrDefault(owner, Balance.NOTHING);
            if (now.bytes() > then.bytes() || now.count() > then.count()) {
                leaks.add("leak: owner=" + owner + ", bytes=" + now.bytes() + " (was " + then.bytes() + "), count="
                        + now.count() + " (was " + then.count() + ")");
            }
        });
        return leaks;
    }

    /**
     * What one owner holds.
     *
     * @param bytes native bytes
     * @param count native regions or handles
     */
    public record Balance(long bytes, long count) {
        /** An owner that holds nothing. */
        public static final Balance NOTHING = new Balance(0, 0);
    }

    /** What one owner holds. Thread-safe; allocates nothing. */
    public static final class Account {
        private final String owner;
        private final AtomicLong bytes = new AtomicLong();
        private final AtomicLong count = new AtomicLong();

        private Account(String owner) {
            this.owner = owner;
        }

        /** The owner's name. */
        public String owner() {
            return owner;
        }

        /**
         * One region or handle was taken.
         *
         * @param byteSize its bytes; 0 for a handle whose size the library keeps to itself
         */
        public void acquired(long byteSize) {
            bytes.addAndGet(byteSize);
            count.incrementAndGet();
        }

        /**
         * One region or handle was given back.
         *
         * @throws IllegalStateException when more is given back than was taken: a double free
         */
        public void released(long byteSize) {
            long left = bytes.addAndGet(-byteSize);
            long handles = count.decrementAndGet();
            if (left < 0 || handles < 0) {
                throw new IllegalStateException("more given back than taken: owner=" + owner + ", bytes=" + left
                        + ", count=" + handles + "; something was freed twice");
            }
        }

        /** Bytes held now. */
        public long liveBytes() {
            return bytes.get();
        }

        /** Regions or handles held now. */
        public long liveCount() {
            return count.get();
        }
    }
}
