package dev.sluice.gateway;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** A client without a socket, which remembers what was decided about it. */
final class TestCandidate extends Candidate {
    private final InetAddress address;
    private final boolean offersTicket;
    boolean begun;
    /** Runs when its handshake begins. */
    Runnable whenBegun = () -> {};
    /** Runs when it is refused. */
    Runnable whenRefused = () -> {};

    @Nullable
    SessionEnd refused;

    TestCandidate(boolean offersTicket) {
        this(offersTicket, InetAddress.getLoopbackAddress());
    }

    TestCandidate(boolean offersTicket, InetAddress address) {
        this.offersTicket = offersTicket;
        this.address = address;
    }

    /** As the gate has it that believes. */
    static TestCandidate believed(boolean resumes) {
        TestCandidate candidate = new TestCandidate(resumes);
        candidate.resumes = resumes;
        return candidate;
    }

    /** Why it was refused; "" when it was not. */
    String refusal() {
        SessionEnd why = refused;
        return why == null ? "" : why.reason();
    }

    @Override
    InetAddress address() {
        return address;
    }

    @Override
    boolean offersTicket() {
        return offersTicket;
    }

    @Override
    void begin() {
        begun = true;
        whenBegun.run();
    }

    @Override
    void refuse(SessionEnd why) {
        refused = why;
        whenRefused.run();
    }
}
