package dev.sluice.gateway.admission;

import dev.sluice.gateway.outcome.SessionEnd;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** A client without a socket, which records the decision about it. */
final class TestPendingHandshake extends PendingHandshake {
    private final InetAddress address;
    private final boolean offersTicket;
    boolean admitted;
    /** Runs when it is admitted. */
    Runnable whenAdmitted = () -> {};
    /** Runs when it is refused. */
    Runnable whenRefused = () -> {};

    @Nullable
    SessionEnd refused;

    TestPendingHandshake(boolean offersTicket) {
        this(offersTicket, InetAddress.getLoopbackAddress());
    }

    TestPendingHandshake(boolean offersTicket, InetAddress address) {
        this.offersTicket = offersTicket;
        this.address = address;
    }

    /** Makes one as the gate does that prefers tickets. */
    static TestPendingHandshake believed(boolean resumes) {
        TestPendingHandshake client = new TestPendingHandshake(resumes);
        client.resumes = resumes;
        return client;
    }

    /** Returns why it was refused; "" when it was not. */
    String refusal() {
        SessionEnd why = refused;
        return why == null ? "" : why.label();
    }

    public @Override InetAddress address() {
        return address;
    }

    public @Override boolean offersTicket() {
        return offersTicket;
    }

    public @Override void admit(long now) {
        admitted = true;
        whenAdmitted.run();
    }

    public @Override void refuse(SessionEnd why) {
        refused = why;
        whenRefused.run();
    }
}
