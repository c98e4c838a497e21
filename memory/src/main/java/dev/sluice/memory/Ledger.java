package dev.sluice.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The accounts of all native bytes and native handles, each held by an owner. All methods may be called from any
 * thread.
 *
 * <p>An owner is a name such as {@code "loop-0 buffers"} or {@code "SSL"}; it is the label of these bytes in metrics
 * and in the leak report. An account is created when a component starts. Its balance changes when memory is acquired or
 * released: at start, at most once per connection, never per record.
 */
public final class Ledger {
    private static final Ledger PROCESS = new Ledger();

    private final Map<String, Account> accounts = new ConcurrentSkipListMap<>();

    /** Creates an empty ledger, for tests; components use {@link #process()}. */
    public Ledger() {}

    /** Returns the ledger of this process, which the bindings to OpenSSL and the allocators use by default. */
    public static Ledger process() {
        return PROCESS;
    }

    /** Returns the account of an owner and creates it on first use. */
    public Account account(String owner) {
        return accounts.computeIfAbsent(owner, Account::new);
    }

    /** Returns the bytes held now by all owners. */
    public long liveBytes() {
        return accounts.values().stream().mapToLong(Account::liveBytes).sum();
    }

    /** Returns the balance of each owner by its name, including owners that hold nothing. */
    public Map<String, Balance> balances() {
        Map<String, Balance> result = new TreeMap<>();
        accounts.forEach((owner, account) -> result.put(owner, new Balance(account.liveBytes(), account.liveCount())));
        return result;
    }

    /**
     * Returns the owners that hold more than at an earlier moment, one line each; empty when nothing leaked.
     *
     * @param earlier the result of {@link #balances()} at that moment
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
     * The holdings of one owner.
     *
     * @param bytes native bytes
     * @param count native regions or handles
     */
    public record Balance(long bytes, long count) {
        /** The balance of an owner that holds nothing. */
        public static final Balance NOTHING = new Balance(0, 0);
    }

    /** The account of one owner. Thread-safe; allocates nothing. */
    public static final class Account {
        private final String owner;
        private final AtomicLong bytes = new AtomicLong();
        private final AtomicLong count = new AtomicLong();

        private Account(String owner) {
            this.owner = owner;
        }

        /** Returns the owner's name. */
        public String owner() {
            return owner;
        }

        /**
         * Adds one region or handle.
         *
         * @param byteSize its size in bytes; 0 for a handle of unknown size
         */
        public void acquired(long byteSize) {
            bytes.addAndGet(byteSize);
            count.incrementAndGet();
        }

        /**
         * Subtracts one region or handle.
         *
         * @throws IllegalStateException when more is released than was acquired: a double free
         */
        public void released(long byteSize) {
            long left = bytes.addAndGet(-byteSize);
            long handles = count.decrementAndGet();
            if (left < 0 || handles < 0) {
                throw new IllegalStateException("more released than acquired: owner=" + owner + ", bytes=" + left
                        + ", count=" + handles + "; look for a double free");
            }
        }

        /** Returns the bytes held now. */
        public long liveBytes() {
            return bytes.get();
        }

        /** Returns the number of regions or handles held now. */
        public long liveCount() {
            return count.get();
        }
    }
}
