package dev.sluice.doctor.probe;

import dev.sluice.doctor.wire.AnswerReader;
import dev.sluice.doctor.wire.ClientHello;
import dev.sluice.doctor.wire.ServerAnswer;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.security.SecureRandom;

/** A sender of handcrafted ClientHellos, each on its own connection, which reads the answers. */
public final class RawProbe {
    private final Dialer dialer;
    private final SecureRandom random = new SecureRandom();

    public RawProbe(Dialer dialer) {
        this.dialer = dialer;
    }

    /** Sends a ClientHello and returns the answer up to the ServerHello. */
    public ServerAnswer ask(ClientHello hello) throws ProbeException {
        return ask(hello, false);
    }

    /** Sends a ClientHello and returns the answer up to the key exchange, if that is sent in the clear. */
    public ServerAnswer askForKeyExchange(ClientHello hello) throws ProbeException {
        return ask(hello, true);
    }

    private ServerAnswer ask(ClientHello hello, boolean wantsKeyExchange) throws ProbeException {
        try (Dialer.Wire wire = dialer.dial()) {
            wire.socket().getOutputStream().write(hello.toRecord(random));
            return new AnswerReader(
                            new DeadlineStream(wire.socket(), dialer.limits().step()), wantsKeyExchange)
                    .read();
        } catch (SocketTimeoutException e) {
            throw Dialer.stalled(Step.SERVER_HELLO, dialer.limits());
        } catch (IOException reset) {
            return new ServerAnswer.Closed();
        }
    }
}
