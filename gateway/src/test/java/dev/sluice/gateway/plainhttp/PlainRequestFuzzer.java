package dev.sluice.gateway.plainhttp;

import static dev.sluice.testkit.FuzzProperty.check;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.gateway.challenge.ChallengeAnswer;
import dev.sluice.gateway.challenge.PendingChallenges;
import dev.sluice.memory.Ledger;
import dev.sluice.memory.Slab;
import dev.sluice.memory.SlabPool;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A fuzzer of plain HTTP on a port that speaks TLS or redirects to it, and of challenges by HTTP-01. A request is
 * recognized and read the same however its bytes come, no buffer stays leased, and each answer is one well-formed
 * response, whose Location names the host of the request and nothing else of it but the path.
 *
 * <p>Input: the received bytes. The corpus was written by hand, after what curl and Let's Encrypt send.
 */
public final class PlainRequestFuzzer {
    private static final InetSocketAddress LISTENER =
            new InetSocketAddress(InetAddress.ofLiteral("198.51.100.1"), 8080);
    private static final ChallengeAnswer CHALLENGE =
            new ChallengeAnswer(ChallengeAnswer.Kind.REQUEST, "shop.example", "token", "token.thumb");
    private static final int BEGIN_BYTES = 16;
    private static final int SLAB_BYTES = 2_048;
    private static final Pattern RESPONSE = Pattern.compile("HTTP/1\\.1 (200|301|308|400|431) [A-Za-z ]+\r\n"
            + "(?:Location: (https://[A-Za-z0-9._:\\[\\]-]+(?::8443)?/[!-~]*)\r\n)?"
            + "Content-Type: text/plain; charset=us-ascii\r\nContent-Length: ([0-9]+)\r\n"
            + "X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n([ -~\n]*)");

    private PlainRequestFuzzer() {}

    /** Runs one input of Jazzer. */
    public static void fuzzerTestOneInput(byte[] bytes) {
        if (bytes.length == 0) {
            return;
        }
        begin(bytes);
        Ledger.Account account = Ledger.process().account("fuzzer of plain requests");
        try (SlabPool pool = new SlabPool(new MallocAllocator(), account, SLAB_BYTES, 1, 1)) {
            RequestBytes inPieces = received(pool, bytes, 7);
            RequestBytes atOnce = received(pool, bytes, SLAB_BYTES);
            check(pool.leasedCount() == 0, "a buffer that stays leased");
            check(inPieces.isWhole() == atOnce.isWhole(), "another end in pieces");
            check(inPieces.begin() == atOnce.begin(), "another begin in pieces");
            check(!inPieces.isWhole() || inPieces.head().equals(atOnce.head()), "another head in pieces");
            answer(atOnce.head(), atOnce.isWhole());
        }
    }

    /** Checks that more bytes change no decision. */
    private static void begin(byte[] bytes) {
        HttpBegin before = HttpBegin.PERHAPS;
        for (int length = 1; length <= Math.min(bytes.length, BEGIN_BYTES); length++) {
            HttpBegin now = HttpBegin.of(Arrays.copyOf(bytes, length));
            check(before == HttpBegin.PERHAPS || now == before, "another decision with more bytes");
            before = now;
        }
    }

    private static RequestBytes received(SlabPool pool, byte[] bytes, int size) {
        RequestBytes received = new RequestBytes();
        for (int at = 0; at < bytes.length && !received.isEnough(); at += size) {
            int count = Math.min(size, bytes.length - at);
            Slab slab = Objects.requireNonNull(pool.lease());
            slab.window(0, count);
            RawMemory.copy(bytes, at, slab.payloadAddress(), count);
            received.add(slab);
        }
        return received;
    }

    private static void answer(RequestHead head, boolean whole) {
        check(whole || head.hosts().size() < RequestBytes.BYTES_MAX, "more hosts than bytes");
        response(head, PlainResponse.speaksTls(head, LISTENER));
        response(head, PlainResponse.malformed(head, !whole));
        byte[] redirect = PlainResponse.redirect(head, LISTENER, 8443);
        if (redirect != null) {
            redirect(head, response(head, redirect));
        }
        PendingChallenges challenges = new PendingChallenges();
        challenges.add(CHALLENGE, null);
        String answer = challenges.answer(head.path());
        boolean asked = head.path().equals("/.well-known/acme-challenge/token");
        check((answer != null) == asked, "an answer to a request that asks for none");
        response(head, PlainResponse.challenge(head, CHALLENGE.authorization()));
    }

    private static Matcher response(RequestHead head, byte[] bytes) {
        Matcher response = RESPONSE.matcher(new String(bytes, ISO_8859_1));
        check(response.matches(), "not a response: " + new String(bytes, ISO_8859_1));
        int length = head.isHead() ? 0 : Integer.parseInt(response.group(3));
        check(response.group(4).length() == length, "a body of another length");
        return response;
    }

    private static void redirect(RequestHead head, Matcher response) {
        String location = response.group(2);
        check(location != null, "a redirect to nowhere");
        String place = location.substring("https://".length(), location.indexOf('/', "https://".length()));
        String host = place.substring(0, place.length() - ":8443".length());
        boolean named = head.line().contains(host) || head.hosts().stream().anyMatch(each -> each.startsWith(host));
        check(place.endsWith(":8443"), "a redirect to another port: " + location);
        check(named || host.equals("198.51.100.1"), "a redirect to a host that nobody named: " + location);
    }
}
