package dev.sluice.tls.lean;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.tls.record.ContentType;
import dev.sluice.tls.record.RecordProtector;
import org.jspecify.annotations.Nullable;

/**
 * A ClientHello (RFC 8446 section 4.1.2) in one record, checked and indexed where it lies. Reads no byte outside its
 * input, and copies nothing.
 *
 * <p>Strict: whatever is unusual, and everything that the lean handshake does not implement, is left to libssl with a
 * {@link FallbackReason}. Unknown extensions are ignored (section 4.2), GREASE among them (RFC 8701), but none may
 * occur twice.
 */
public final class LeanHello {
    /** Result of {@link #recordBytes}: more bytes are needed. */
    public static final int INCOMPLETE = 0;

    /** Result of {@link #recordBytes}: not one whole ClientHello in one record. */
    public static final int OTHER = -1;

    private static final int CLIENT_HELLO = 1;
    private static final int MESSAGE_HEADER_BYTES = 4;
    private static final int RANDOM_BYTES = 32;
    private static final int MAX_SESSION_ID_BYTES = 32;
    private static final int MAX_EXTENSIONS = 64;
    private static final int LEGACY_VERSION = 0x0303;
    private static final int TLS_1_3 = 0x0304;
    private static final int FIRST_SUITE = 0x1301; // RFC 8446 appendix B.4
    private static final int LAST_SUITE = 0x1305;
    private static final int PSK_DHE_KE = 1;
    private static final int OCSP = 1;
    private static final int AGE_BYTES = 4;
    private static final int MIN_BINDER_BYTES = 32;

    /** The extensions with a meaning here: the registry's numbers. */
    private static final int SERVER_NAME = 0;

    private static final int MAX_FRAGMENT_LENGTH = 1;
    private static final int STATUS_REQUEST = 5;
    private static final int SUPPORTED_GROUPS = 10;
    private static final int EC_POINT_FORMATS = 11;
    private static final int SIGNATURE_ALGORITHMS = 13;
    private static final int USE_SRTP = 14;
    private static final int ALPN = 16;
    private static final int CLIENT_CERTIFICATE_TYPE = 19;
    private static final int SERVER_CERTIFICATE_TYPE = 20;
    private static final int COMPRESS_CERTIFICATE = 27;
    private static final int SESSION_TICKET = 35;
    private static final int PRE_SHARED_KEY = 41;
    private static final int EARLY_DATA = 42;
    private static final int SUPPORTED_VERSIONS = 43;
    private static final int COOKIE = 44;
    private static final int PSK_KEY_EXCHANGE_MODES = 45;
    private static final int CERTIFICATE_AUTHORITIES = 47;
    private static final int POST_HANDSHAKE_AUTH = 49;
    private static final int SIGNATURE_ALGORITHMS_CERT = 50;
    private static final int KEY_SHARE = 51;
    private static final int ENCRYPTED_CLIENT_HELLO = 0xFE0D;

    /** The type of an encrypted_client_hello extension without contents: RFC 9849 section 5. */
    private static final int INNER = 1;

    /** A part of the message; empty when it is absent. */
    private record Part(long address, int length) {
        static final Part NONE = new Part(0, 0);

        boolean isPresent() {
            return address != 0;
        }
    }

    private final long message;
    private final int messageBytes;
    private long end;
    private Part sessionId = Part.NONE;
    private Part suites = Part.NONE;
    private Part serverName = Part.NONE;
    private Part alpn = Part.NONE;
    private Part groups = Part.NONE;
    private Part shares = Part.NONE;
    private Part signatures = Part.NONE;
    private Part certificateSignatures = Part.NONE;
    private boolean statusRequested;
    private boolean ticketWelcome;
    private boolean olderTicketOffered;
    private Part encryptedHello = Part.NONE;
    private Part identity = Part.NONE;
    private Part binder = Part.NONE;

    /** The end of the message without its binders; 0 without a pre-shared key. */
    private long truncatedEnd;

    private LeanHello(long message, int messageBytes) {
        this.message = message;
        this.messageBytes = messageBytes;
    }

    /**
     * Returns the size of the record at the beginning of received bytes, if it is one whole ClientHello.
     *
     * @return {@link #INCOMPLETE}, or {@link #OTHER} for anything else: a message in several records, too
     */
    public static int recordBytes(long address, int length) {
        // Each field as soon as it is there: what libssl refuses at once must not wait for more bytes.
        boolean plausible = (length < 1 || RawMemory.getByte(address) == ContentType.HANDSHAKE)
                && (length < 2 || RawMemory.getByte(address + 1) == LEGACY_VERSION >>> 8);
        if (!plausible || length < RecordProtector.HEADER_BYTES) {
            return plausible ? INCOMPLETE : OTHER;
        }
        int content = unsigned16(address + 3);
        if (content < MESSAGE_HEADER_BYTES || content > RecordProtector.MAX_PAYLOAD_BYTES) {
            return OTHER;
        }
        if (length < RecordProtector.HEADER_BYTES + MESSAGE_HEADER_BYTES) {
            return INCOMPLETE;
        }
        long body = address + RecordProtector.HEADER_BYTES;
        boolean whole = RawMemory.getByte(body) == CLIENT_HELLO
                && RawMemory.getByte(body + 1) == 0
                && unsigned16(body + 2) == content - MESSAGE_HEADER_BYTES;
        if (!whole) {
            return OTHER;
        }
        int record = RecordProtector.HEADER_BYTES + content;
        return record <= length ? record : INCOMPLETE;
    }

    /**
     * Reads a message.
     *
     * @param record address of its record, which {@link #recordBytes} has measured; must not change while this is used
     */
    public static LeanHello at(long record, int recordBytes) {
        return new LeanHello(record + RecordProtector.HEADER_BYTES, recordBytes - RecordProtector.HEADER_BYTES);
    }

    /** Indexes the message; returns the reason for which it is left to libssl, or null when there is none. */
    public @Nullable FallbackReason index() {
        end = message + messageBytes;
        long at = message + MESSAGE_HEADER_BYTES;
        if (at + 2 + RANDOM_BYTES >= end || unsigned16(at) != LEGACY_VERSION) {
            return FallbackReason.FORM;
        }
        at += 2 + RANDOM_BYTES;
        sessionId = vector8(at, end);
        if (!sessionId.isPresent() || sessionId.length() > MAX_SESSION_ID_BYTES) {
            return FallbackReason.FORM;
        }
        suites = vector16(after(sessionId), end);
        if (suites.length() < 2 || suites.length() % 2 != 0) {
            return FallbackReason.FORM;
        }
        Part compression = vector8(after(suites), end);
        // RFC 8446 section 4.1.2: exactly one byte, zero.
        if (compression.length() != 1 || RawMemory.getByte(compression.address()) != 0) {
            return FallbackReason.FORM;
        }
        Part extensions = vector16(after(compression), end);
        if (!extensions.isPresent() || after(extensions) != end) {
            return extensions.isPresent() || after(compression) != end ? FallbackReason.FORM : FallbackReason.VERSION;
        }
        return indexExtensions(extensions);
    }

    private @Nullable FallbackReason indexExtensions(Part extensions) {
        int count = 0;
        boolean offersTls13 = false;
        boolean other = false;
        long last = after(extensions);
        for (long at = extensions.address(); at < last; count++) {
            Part body = at + 2 <= last ? vector16(at + 2, last) : Part.NONE;
            if (!body.isPresent() || count == MAX_EXTENSIONS) {
                return FallbackReason.FORM;
            }
            int type = unsigned16(at);
            if (isAmong(extensions.address(), at, type)) {
                return FallbackReason.FORM;
            }
            at = after(body);
            boolean wellFormed = true;
            switch (type) {
                case SERVER_NAME -> serverName = body;
                case STATUS_REQUEST -> wellFormed = readStatusRequest(body);
                case SUPPORTED_GROUPS -> {
                    groups = list16(body);
                    wellFormed = groups.isPresent();
                }
                case SIGNATURE_ALGORITHMS -> {
                    signatures = list16(body);
                    wellFormed = signatures.isPresent();
                }
                case SIGNATURE_ALGORITHMS_CERT -> {
                    certificateSignatures = list16(body);
                    wellFormed = certificateSignatures.isPresent();
                }
                case ALPN -> wellFormed = readAlpn(body);
                case SUPPORTED_VERSIONS -> {
                    Part versions = shortList16(body);
                    wellFormed = versions.isPresent();
                    offersTls13 = wellFormed && contains16(versions, TLS_1_3);
                }
                // Certificates are sent as they are; libssl refuses a malformed list where it has compression.
                case COMPRESS_CERTIFICATE -> wellFormed = shortList16(body).isPresent();
                case EC_POINT_FORMATS -> wellFormed = isPointFormats(body);
                case POST_HANDSHAKE_AUTH -> wellFormed = body.length() == 0;
                case PSK_KEY_EXCHANGE_MODES -> wellFormed = readModes(body);
                case KEY_SHARE -> wellFormed = readShares(body);
                case ENCRYPTED_CLIENT_HELLO -> encryptedHello = body;
                case SESSION_TICKET -> olderTicketOffered = body.length() > 0;
                // RFC 8446 section 4.2.11: it must be the last extension.
                case PRE_SHARED_KEY -> wellFormed = at == last && readOffers(body);
                case MAX_FRAGMENT_LENGTH,
                        USE_SRTP,
                        CLIENT_CERTIFICATE_TYPE,
                        SERVER_CERTIFICATE_TYPE,
                        EARLY_DATA,
                        COOKIE,
                        CERTIFICATE_AUTHORITIES -> other = true;
                default -> {
                    // RFC 8446 section 4.2: a server ignores extensions that it does not know.
                }
            }
            if (!wellFormed) {
                return FallbackReason.FORM;
            }
        }
        if (!offersTls13) {
            return FallbackReason.VERSION;
        }
        if (isPskOffered() && !ticketWelcome) {
            return FallbackReason.PRE_SHARED_KEY; // only resumption without a key exchange, or without its extension
        }
        if (other) {
            return FallbackReason.EXTENSION;
        }
        // RFC 8446 section 9.2: all three are mandatory for a handshake with certificates.
        boolean complete = groups.isPresent() && shares.isPresent() && signatures.isPresent();
        return complete ? null : FallbackReason.FORM;
    }

    /** Returns whether an extension is among those before it: RFC 8446 section 4.2 forbids that. */
    private static boolean isAmong(long first, long end, int type) {
        for (long at = first; at < end; at += 4 + unsigned16(at + 2)) {
            if (unsigned16(at) == type) {
                return true;
            }
        }
        return false;
    }

    private boolean readStatusRequest(Part body) {
        if (body.length() == 0) {
            return false;
        }
        boolean ocsp = RawMemory.getByte(body.address()) == OCSP;
        Part responders = ocsp ? vector16(body.address() + 1, after(body)) : Part.NONE;
        Part requestExtensions = responders.isPresent() ? vector16(after(responders), after(body)) : Part.NONE;
        statusRequested = requestExtensions.isPresent() && after(requestExtensions) == after(body);
        return !ocsp || statusRequested;
    }

    private boolean readAlpn(Part body) {
        Part names = vector16(body.address(), after(body));
        if (!names.isPresent() || after(names) != after(body) || names.length() == 0) {
            return false;
        }
        for (long at = names.address(); at < after(names); ) {
            Part name = vector8(at, after(names));
            if (name.length() == 0) {
                return false;
            }
            at = after(name);
        }
        alpn = names;
        return true;
    }

    private static boolean isPointFormats(Part body) {
        Part formats = vector8(body.address(), after(body));
        return formats.length() > 0 && after(formats) == after(body);
    }

    private boolean readModes(Part body) {
        Part modes = vector8(body.address(), after(body));
        for (int i = 0; i < modes.length(); i++) {
            ticketWelcome |= RawMemory.getByte(modes.address() + i) == PSK_DHE_KE;
        }
        return modes.length() > 0 && after(modes) == after(body);
    }

    private boolean readShares(Part body) {
        shares = vector16(body.address(), after(body));
        if (!shares.isPresent() || after(shares) != after(body)) {
            return false;
        }
        for (long at = shares.address(); at < after(shares); ) {
            Part key = at + 2 <= after(shares) ? vector16(at + 2, after(shares)) : Part.NONE;
            if (key.length() == 0) {
                return false;
            }
            at = after(key);
        }
        return true;
    }

    /** Indexes the first identity and its binder: RFC 8446 section 4.2.11. */
    private boolean readOffers(Part body) {
        Part identities = vector16(body.address(), after(body));
        if (identities.length() == 0) {
            return false;
        }
        Part binders = vector16(after(identities), after(body));
        if (binders.length() == 0 || after(binders) != after(body)) {
            return false;
        }
        int count = 0;
        for (long at = identities.address(); at < after(identities); count++) {
            Part each = vector16(at, after(identities));
            if (each.length() == 0 || after(each) + AGE_BYTES > after(identities)) {
                return false;
            }
            identity = identity.isPresent() ? identity : each;
            at = after(each) + AGE_BYTES;
        }
        for (long at = binders.address(); at < after(binders); count--) {
            Part each = vector8(at, after(binders));
            if (each.length() < MIN_BINDER_BYTES) {
                return false;
            }
            binder = binder.isPresent() ? binder : each;
            at = after(each);
        }
        truncatedEnd = after(identities);
        return count == 0; // as many binders as identities
    }

    // ---- what the message offers

    /** Returns whether a session is offered to resume. */
    public boolean isPskOffered() {
        return truncatedEnd != 0;
    }

    /** Returns the address of the first ticket. */
    long ticket() {
        return identity.address();
    }

    /** Returns the size of the first ticket. */
    int ticketBytes() {
        return identity.length();
    }

    /** Returns the address of the first ticket's binder. */
    long binder() {
        return binder.address();
    }

    /** Returns the size of that binder. */
    int binderBytes() {
        return binder.length();
    }

    /** Returns the size of the message up to its binders. */
    int truncatedLength() {
        return (int) (truncatedEnd - message);
    }

    /** Returns the address of the message, with its header. */
    long address() {
        return message;
    }

    /** Returns the size of the message. */
    int length() {
        return messageBytes;
    }

    long sessionId() {
        return sessionId.address();
    }

    int sessionIdBytes() {
        return sessionId.length();
    }

    /** Returns whether a suite is offered. */
    boolean offersSuite(int id) {
        return contains16(suites, id);
    }

    /** Returns the client's first suite of TLS 1.3, implemented here or not; -1 for none. */
    int firstSuite() {
        for (int i = 0; i < suites.length(); i += 2) {
            int id = unsigned16(suites.address() + i);
            if (id >= FIRST_SUITE && id <= LAST_SUITE) {
                return id;
            }
        }
        return -1;
    }

    /** Returns whether a signature scheme is offered. */
    boolean offersSignature(int id) {
        return contains16(signatures, id);
    }

    /**
     * Returns whether a certificate with a signature by this scheme is acceptable: RFC 8446 section 4.2.3. Without the
     * extension every one is, as in libssl.
     *
     * @param id -1 for an unknown scheme
     */
    boolean acceptsCertificate(int id) {
        return !certificateSignatures.isPresent() || (id >= 0 && contains16(certificateSignatures, id));
    }

    /** Returns whether a group is offered. */
    boolean offersGroup(int id) {
        return contains16(groups, id);
    }

    /** Returns the address of the share for a group; 0 when there is none of this size. */
    long share(NamedGroup group) {
        for (long at = shares.address(); at < after(shares); at += 4 + unsigned16(at + 2)) {
            if (unsigned16(at) == group.id()) {
                return unsigned16(at + 2) == group.clientShareBytes() ? at + 4 : 0;
            }
        }
        return 0;
    }

    /** Returns whether all shares are for groups that are offered, and for different ones: RFC 8446 section 4.2.8. */
    boolean hasConsistentShares() {
        for (long at = shares.address(); at < after(shares); at += 4 + unsigned16(at + 2)) {
            int group = unsigned16(at);
            if (!offersGroup(group)) {
                return false;
            }
            for (long next = at + 4 + unsigned16(at + 2); next < after(shares); next += 4 + unsigned16(next + 2)) {
                if (unsigned16(next) == group) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Returns whether the client wants an OCSP response. */
    public boolean isStatusRequested() {
        return statusRequested;
    }

    /** Returns whether the client can resume with a new key exchange, so that a ticket is of use. */
    public boolean isTicketWelcome() {
        return ticketWelcome;
    }

    /** Returns whether there is an encrypted ClientHello, or GREASE that looks like one. */
    public boolean hasEncryptedHello() {
        return encryptedHello.isPresent();
    }

    /** Returns whether this is the decrypted ClientHello that a server in front of this one forwards. */
    public boolean isInnerHello() {
        return encryptedHello.length() == 1 && RawMemory.getByte(encryptedHello.address()) == INNER;
    }

    /** Returns whether the client offers a ticket of TLS 1.2. */
    public boolean isOlderTicketOffered() {
        return olderTicketOffered;
    }

    /** Returns whether the client names a server. */
    boolean hasServerName() {
        return serverName.isPresent();
    }

    /** Returns a copy of the body of server_name; null when it is absent. */
    public byte @Nullable [] serverName() {
        if (!serverName.isPresent()) {
            return null;
        }
        byte[] body = new byte[serverName.length()];
        RawMemory.copy(serverName.address(), body, 0, body.length);
        return body;
    }

    /** Returns whether the client offers application protocols. */
    public boolean hasAlpn() {
        return alpn.isPresent();
    }

    /** Returns the address of the offered protocols, each behind its length. */
    public long alpnAddress() {
        return alpn.address();
    }

    /** Returns the size of the offered protocols. */
    public int alpnBytes() {
        return alpn.length();
    }

    // ---- vectors

    private static long after(Part part) {
        return part.address() + part.length();
    }

    /** Returns a vector of 16-bit numbers that fills an extension. */
    private static Part list16(Part body) {
        Part list = vector16(body.address(), after(body));
        boolean valid = list.length() >= 2 && list.length() % 2 == 0 && after(list) == after(body);
        return valid ? list : Part.NONE;
    }

    /** Returns a vector of 16-bit numbers with a length of one byte that fills an extension. */
    private static Part shortList16(Part body) {
        Part list = vector8(body.address(), after(body));
        boolean valid = list.length() >= 2 && list.length() % 2 == 0 && after(list) == after(body);
        return valid ? list : Part.NONE;
    }

    private static Part vector8(long at, long limit) {
        if (at >= limit) {
            return Part.NONE;
        }
        int length = RawMemory.getByte(at) & 0xFF;
        return at + 1 + length <= limit ? new Part(at + 1, length) : Part.NONE;
    }

    private static Part vector16(long at, long limit) {
        if (at + 2 > limit) {
            return Part.NONE;
        }
        int length = unsigned16(at);
        return at + 2 + length <= limit ? new Part(at + 2, length) : Part.NONE;
    }

    private static boolean contains16(Part list, int value) {
        for (int i = 0; i + 2 <= list.length(); i += 2) {
            if (unsigned16(list.address() + i) == value) {
                return true;
            }
        }
        return false;
    }

    private static int unsigned16(long address) {
        return RawMemory.getShortBigEndian(address) & 0xFFFF;
    }
}
