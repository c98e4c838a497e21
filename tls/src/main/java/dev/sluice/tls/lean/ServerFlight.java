package dev.sluice.tls.lean;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.OpenSslException;
import dev.sluice.ffi.openssl.agreement.Signer;
import dev.sluice.ffi.openssl.raw.LibCryptoAead;
import dev.sluice.tls.record.CipherSuite;
import dev.sluice.tls.record.ConnectionKeys;
import dev.sluice.tls.record.ContentType;
import dev.sluice.tls.record.HandshakeSchedule;
import dev.sluice.tls.record.RecordProtector;
import dev.sluice.tls.ticket.TicketResult;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The writer of a server's whole flight, ServerHello to Finished, into the caller's memory (RFC 8446 section 2), of a
 * full handshake, or of one that resumes the session of the client's first ticket with a new key exchange. It
 * derives the keys of both phases, the client's Finished, which then is determined, and the resumption master secret.
 *
 * <pre>
 *   | record: ServerHello | record: change_cipher_spec | record, sealed: EncryptedExtensions, Certificate,    |
 *   |                     | (middlebox compatibility)  |                 CertificateVerify, Finished          |
 * </pre>
 */
public final class ServerFlight {
    /** Result of {@link #write}: the flight does not fit. */
    public static final int TOO_LARGE = 0;

    /** Result of {@link #write}: the client's share is not a valid public key. */
    public static final int BAD_SHARE = -1;

    /** Result of {@link #write}: the offered session cannot be resumed here. */
    public static final int NO_SESSION = -2;

    private static final int SERVER_HELLO = 2;
    private static final int ENCRYPTED_EXTENSIONS = 8;
    private static final int CERTIFICATE = 11;
    private static final int CERTIFICATE_VERIFY = 15;
    private static final int FINISHED = 20;
    private static final int SERVER_NAME = 0;
    private static final int STATUS_REQUEST = 5;
    private static final int ALPN = 16;
    private static final int PRE_SHARED_KEY = 41;
    private static final int SUPPORTED_VERSIONS = 43;
    private static final int KEY_SHARE = 51;
    private static final int LEGACY_VERSION = 0x0303;
    private static final int TLS_1_3 = 0x0304;
    private static final int OCSP = 1;
    private static final int RANDOM_BYTES = 32;
    private static final int SPACES = 64;

    /** The sizes of everything besides certificates, staple and protocol, with much to spare. */
    private static final int OTHER_BYTES = 3072;

    private static final int MAX_SIGNATURE_BYTES = 1024;
    private static final byte[] SIGNATURE_CONTEXT =
            "TLS 1.3, server CertificateVerify\0".getBytes(StandardCharsets.US_ASCII);

    private final LeanResources resources;
    private final HandshakeSchedule schedule;
    private final LeanHello hello;
    private final Choice choice;
    private final byte @Nullable [] staple;
    private final byte[] protocol;
    private final boolean resuming;

    private TicketResult ticket = TicketResult.NONE;

    /** The end of what is written. */
    private long at;

    /**
     * Prepares a flight.
     *
     * @param staple the OCSP response; null for none
     * @param protocol the application protocol; empty for none
     */
    public ServerFlight(
            LeanResources resources, LeanHello hello, Choice choice, byte @Nullable [] staple, byte[] protocol) {
        this.resources = resources;
        this.schedule = resources.schedule();
        this.hello = hello;
        this.choice = choice;
        this.staple = staple;
        this.protocol = protocol;
        this.resuming = hello.isPskOffered();
    }

    /**
     * Writes the flight.
     *
     * @param context of the choice
     * @param nowSeconds the time since 1970
     * @param out destination
     * @param room size of the destination
     * @param keys the connection's {@link ConnectionKeys}, which receive the keys of application data
     * @param secrets the connection's {@link HandshakeSecrets}
     * @return size of the flight, {@link #TOO_LARGE}, {@link #BAD_SHARE} or {@link #NO_SESSION}
     * @throws OpenSslException when OpenSSL fails; nothing has left then
     */
    public int write(LeanContext context, long nowSeconds, long out, int room, long keys, long secrets) {
        LeanIdentity identity = choice.identity();
        int variable = identity.leaf().length + identity.rest().length + protocol.length;
        variable += staple == null ? 0 : staple.length;
        if (variable + OTHER_BYTES > Math.min(room, RecordProtector.MAX_PAYLOAD_BYTES)) {
            return TOO_LARGE;
        }
        HandshakeSecrets.begin(secrets);
        try {
            at = out;
            schedule.begin(choice.suite());
            if (resuming && !resume(context, nowSeconds)) {
                return NO_SESSION;
            }
            schedule.update(hello.address(), hello.length());
            if (!writeServerHello()) {
                return BAD_SHARE;
            }
            schedule.handshakeSecrets(
                    resources.shared(),
                    choice.group().secretBytes(),
                    HandshakeSecrets.clientKeys(secrets),
                    resources.serverKeys());
            if (hello.sessionIdBytes() > 0) {
                record(ContentType.CHANGE_CIPHER_SPEC, 1);
                putByte(1);
            }
            writeSealed();
            deriveRest(keys, secrets);
            return (int) (at - out);
        } finally {
            resources.forget();
        }
    }

    /** Returns the key of the resumed session's ticket; {@link TicketResult#NONE} for a full handshake. */
    public TicketResult ticket() {
        return resuming ? ticket : TicketResult.NONE;
    }

    /** Opens the first ticket, and verifies its binder before anything depends on it: RFC 8446 section 4.2.11. */
    private boolean resume(LeanContext context, long nowSeconds) {
        TicketOpener sessions = resources.sessions();
        int binderBytes = choice.suite().hash().bytes();
        if (hello.binderBytes() != binderBytes
                || !sessions.open(context, choice.suite(), hello.ticket(), hello.ticketBytes(), nowSeconds)) {
            return false;
        }
        ticket = sessions.result();
        schedule.resume(sessions.secret());
        schedule.binder(hello.address(), hello.truncatedLength(), resources.digest());
        return TicketOpener.isEqual(resources.digest(), hello.binder(), binderBytes);
    }

    /** Writes ServerHello (RFC 8446 section 4.1.3); returns false when the client's share is unusable. */
    private boolean writeServerHello() {
        NamedGroup group = choice.group();
        int share = group.serverShareBytes();
        int extensions = 4 + 2 + 4 + 4 + share + (resuming ? 4 + 2 : 0);
        int body = 2 + RANDOM_BYTES + 1 + hello.sessionIdBytes() + 2 + 1 + 2 + extensions;
        record(ContentType.HANDSHAKE, 4 + body);
        long message = at;
        header(SERVER_HELLO, body);
        putShort(LEGACY_VERSION);
        if (LibCryptoAead.RAND_bytes(at, RANDOM_BYTES) != 1) {
            throw OpenSslException.drained("RAND_bytes of a server random failed");
        }
        at += RANDOM_BYTES;
        putByte(hello.sessionIdBytes());
        RawMemory.copy(hello.sessionId(), at, hello.sessionIdBytes());
        at += hello.sessionIdBytes();
        putShort(choice.suite().id());
        putByte(0); // legacy_compression_method
        putShort(extensions);
        putShort(SUPPORTED_VERSIONS);
        putShort(2);
        putShort(TLS_1_3);
        putShort(KEY_SHARE);
        putShort(4 + share);
        putShort(group.id());
        putShort(share);
        boolean agreed = resources
                .agreement(group)
                .agree(choice.share(), group.clientShareBytes(), at, share, resources.shared(), group.secretBytes());
        at += share;
        if (resuming) {
            putShort(PRE_SHARED_KEY);
            putShort(2);
            putShort(0); // the first identity
        }
        schedule.update(message, (int) (at - message));
        return agreed;
    }

    private void writeSealed() {
        long record = at;
        at += RecordProtector.HEADER_BYTES;
        long payload = at;
        writeEncryptedExtensions();
        if (!resuming) {
            writeCertificate();
            writeCertificateVerify();
        }
        writeFinished();
        RecordProtector protector = resources.records().protector(choice.suite().aead());
        at = record + protector.seal(resources.serverKeys(), payload, (int) (at - payload), ContentType.HANDSHAKE);
    }

    /** Writes EncryptedExtensions (RFC 8446 section 4.3.1). */
    private void writeEncryptedExtensions() {
        long message = at;
        boolean named = hello.hasServerName() && !resuming; // RFC 6066 section 3: not when resuming
        int extensions = (named ? 4 : 0) + (protocol.length == 0 ? 0 : 4 + 2 + 1 + protocol.length);
        header(ENCRYPTED_EXTENSIONS, 2 + extensions);
        putShort(extensions);
        if (named) {
            putShort(SERVER_NAME); // empty: the name was used, RFC 6066 section 3
            putShort(0);
        }
        if (protocol.length > 0) {
            putShort(ALPN);
            putShort(2 + 1 + protocol.length);
            putShort(1 + protocol.length);
            putByte(protocol.length);
            putBytes(protocol);
        }
        schedule.update(message, (int) (at - message));
    }

    /** Writes Certificate (RFC 8446 section 4.4.2), with the OCSP response of the first one. */
    private void writeCertificate() {
        long message = at;
        byte[] leaf = choice.identity().leaf();
        byte[] rest = choice.identity().rest();
        byte[] response = staple;
        int extensions = response == null ? 0 : 4 + 1 + 3 + response.length;
        int list = 3 + leaf.length + 2 + extensions + rest.length;
        header(CERTIFICATE, 1 + 3 + list);
        putByte(0); // certificate_request_context
        putMedium(list);
        putMedium(leaf.length);
        putBytes(leaf);
        putShort(extensions);
        if (response != null) {
            putShort(STATUS_REQUEST);
            putShort(1 + 3 + response.length);
            putByte(OCSP);
            putMedium(response.length);
            putBytes(response);
        }
        putBytes(rest);
        schedule.update(message, (int) (at - message));
    }

    /** Writes CertificateVerify (RFC 8446 section 4.4.3). */
    private void writeCertificateVerify() {
        SignatureScheme scheme = choice.scheme();
        int hashBytes = choice.suite().hash().bytes();
        long signed = resources.signed();
        for (int i = 0; i < SPACES; i++) {
            RawMemory.putByte(signed + i, (byte) ' ');
        }
        RawMemory.copy(SIGNATURE_CONTEXT, 0, signed + SPACES, SIGNATURE_CONTEXT.length);
        int prefix = SPACES + SIGNATURE_CONTEXT.length;
        RawMemory.copy(schedule.transcriptHash(), signed + prefix, hashBytes);
        schedule.digest(scheme.hash(), signed, prefix + hashBytes, resources.digest());

        long message = at;
        long signature = message + 4 + 2 + 2;
        RawMemory.putLong(resources.length(), MAX_SIGNATURE_BYTES);
        sign(scheme, signature);
        int length = (int) RawMemory.getLong(resources.length());
        header(CERTIFICATE_VERIFY, 2 + 2 + length);
        putShort(scheme.id());
        putShort(length);
        at += length;
        schedule.update(message, (int) (at - message));
    }

    private void sign(SignatureScheme scheme, long signature) {
        int digestBytes = scheme.hash().bytes();
        if (scheme.isRsa()) {
            Signer.Digest digest = digestBytes == 32 ? Signer.Digest.SHA256 : Signer.Digest.SHA384;
            Signer.pss(choice.identity().key(), digest, resources.digest(), digestBytes, signature, resources.length());
        } else {
            Signer.ecdsa(choice.identity().key(), resources.digest(), digestBytes, signature, resources.length());
        }
    }

    private void writeFinished() {
        long message = at;
        int length = choice.suite().hash().bytes();
        header(FINISHED, length);
        schedule.finished(resources.serverKeys(), at);
        at += length;
        schedule.update(message, (int) (at - message));
    }

    /** Derives what follows from the transcript, which the client's Finished completes. */
    private void deriveRest(long keys, long secrets) {
        CipherSuite suite = choice.suite();
        schedule.applicationSecrets(ConnectionKeys.opening(keys), ConnectionKeys.sealing(keys));
        ConnectionKeys.found(keys, ConnectionKeys.CLIENT_SECRET | ConnectionKeys.SERVER_SECRET);
        if (ConnectionKeys.isExporting(keys)) {
            schedule.exporterSecret(ConnectionKeys.exporterSecret(keys));
            ConnectionKeys.found(keys, ConnectionKeys.EXPORTER_SECRET);
        }
        int length = suite.hash().bytes();
        long expected = HandshakeSecrets.expectedFinished(secrets);
        schedule.finished(HandshakeSecrets.clientKeys(secrets), expected);
        long finishedHeader = resources.length(); // four bytes of scratch
        RawMemory.putIntBigEndian(finishedHeader, FINISHED << 24 | length);
        schedule.update(finishedHeader, 4);
        schedule.update(expected, length);
        schedule.resumptionSecret(HandshakeSecrets.resumption(secrets));
    }

    // ---- output

    private void record(int type, int length) {
        putByte(type);
        putShort(LEGACY_VERSION);
        putShort(length);
    }

    private void header(int type, int length) {
        putByte(type);
        putMedium(length);
    }

    private void putByte(int value) {
        RawMemory.putByte(at, (byte) value);
        at++;
    }

    private void putShort(int value) {
        RawMemory.putShortBigEndian(at, (short) value);
        at += 2;
    }

    private void putMedium(int value) {
        putByte(value >>> 16);
        putShort(value);
    }

    private void putBytes(byte[] bytes) {
        RawMemory.copy(bytes, 0, at, bytes.length);
        at += bytes.length;
    }
}
