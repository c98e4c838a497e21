package dev.sluice.doctor.audit;

import dev.sluice.doctor.finding.Facts;
import dev.sluice.doctor.finding.FindingKind;
import dev.sluice.doctor.finding.Findings;
import dev.sluice.doctor.probe.Contexts;
import dev.sluice.doctor.probe.DoctorLimits;
import dev.sluice.doctor.probe.HandshakeTranscript;
import dev.sluice.doctor.probe.ProbeException;
import dev.sluice.doctor.probe.Target;
import dev.sluice.doctor.probe.TlsProbe;
import dev.sluice.ffi.openssl.SslCtx;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** An HTTP request for one page, preceded by a KeyUpdate, with an observation of records and of the end. */
public final class Conversation {
    private static final String SECTION = "conversation";
    private static final String HTTP = "http/1.1";
    private static final int BULK_BYTES = 64 * 1024;
    private static final int SMALL_RECORD_BYTES = 4 * 1024;

    private final Audit audit;

    public Conversation(Audit audit) {
        this.audit = audit;
    }

    public void run() {
        audit.attempt(() -> ask(true));
    }

    private void ask(boolean keyUpdate) throws ProbeException {
        try (SslCtx context = Contexts.anyVersion(List.of(HTTP));
                TlsProbe probe =
                        TlsProbe.dial(audit.dialer(), audit.dialer().addresses().getFirst(), context)) {
            probe.handshake();
            if (!probe.ssl().alpn().equals(HTTP) && !audit.options().http()) {
                audit.facts()
                        .put(
                                SECTION,
                                "request",
                                "none: ALPN does not indicate HTTP (use --http to request " + "anyway)");
                probe.closeOutput();
                return;
            }
            boolean updates = keyUpdate && probe.ssl().version().equals("TLSv1.3");
            if (updates) {
                probe.askForKeyUpdate();
            }
            probe.write(request("GET", audit.target()));
            DoctorLimits limits = audit.options().limits();
            byte[] response = probe.read(limits.step(), limits.responseBytes(), read -> false);
            if (response.length == 0 && updates && probe.transcript().hasEnded()) {
                withoutKeyUpdate();
                return;
            }
            describe(probe, response, updates);
        }
    }

    /** Checks whether the KeyUpdate broke the connection. */
    private void withoutKeyUpdate() throws ProbeException {
        ask(false);
        audit.findings()
                .addIf(
                        audit.facts().text(SECTION, "response bytes").matches("[1-9].*"),
                        FindingKind.KEY_UPDATE_BREAKS,
                        "without it the same request is answered");
    }

    private void describe(TlsProbe probe, byte[] response, boolean updates) {
        HandshakeTranscript transcript = probe.transcript();
        Facts facts = audit.facts();
        Findings findings = audit.findings();
        facts.put(SECTION, "request", "GET /");
        facts.put(SECTION, "status", Http.status(response));
        facts.put(SECTION, "response bytes", response.length);
        if (updates && response.length > 0) {
            boolean answered = transcript.keyUpdates() > 0;
            facts.put(SECTION, "KeyUpdate answered", answered);
            findings.addIf(
                    !answered,
                    FindingKind.KEY_UPDATE_UNANSWERED,
                    "none before a response of " + response.length + " bytes");
        }
        List<Integer> records = transcript.recordBytes();
        if (!records.isEmpty()) {
            int longest = records.stream().mapToInt(Integer::intValue).max().orElseThrow();
            facts.put(SECTION, "records", records.size());
            facts.put(SECTION, "longest record", longest);
            int average = response.length / records.size();
            findings.addIf(
                    response.length >= BULK_BYTES && average < SMALL_RECORD_BYTES,
                    FindingKind.SMALL_RECORDS,
                    response.length + " bytes in " + records.size() + " records, " + average + " bytes each");
        }
        if (response.length > 0 && (transcript.hasEnded() || transcript.closeNotify())) {
            facts.put(SECTION, "close_notify", transcript.closeNotify());
            findings.addIf(
                    !transcript.closeNotify(),
                    FindingKind.NO_CLOSE_NOTIFY,
                    transcript.wasReset() ? "the connection was reset" : "the connection ended without an answer");
        }
    }

    /** Returns a request after which the server should close. */
    static byte[] request(String method, Target target) {
        String host =
                target.expectedName().indexOf(':') >= 0 ? "[" + target.expectedName() + "]" : target.expectedName();
        String body = method.equals("GET") ? "" : "Content-Length: 0\r\n";
        return (method + " / HTTP/1.1\r\nHost: " + host + "\r\nUser-Agent: sluice-doctor\r\n" + body
                        + "Connection: close\r\n\r\n")
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    /** The parts of HTTP that the audit reads. */
    static final class Http {
        private static final int STATUS_OFFSET = "HTTP/1.1 ".length();
        private static final int STATUS_DIGITS = 3;

        private Http() {}

        /** Returns the status of a response; "none" if it has none. */
        static String status(byte[] response) {
            String text = new String(
                    response, 0, Math.min(response.length, STATUS_OFFSET + STATUS_DIGITS), StandardCharsets.ISO_8859_1);
            return text.matches("HTTP/1\\.[01] [1-5][0-9][0-9]") ? text.substring(STATUS_OFFSET) : "none";
        }
    }
}
