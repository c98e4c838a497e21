package dev.sluice.transfer.pairing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.ffi.openssl.CurveP256;
import dev.sluice.ffi.openssl.OpenSslException;
import dev.sluice.memory.Ledger;
import dev.sluice.testkit.NativeBalance;
import dev.sluice.transfer.pairing.Spake2.Role;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** SPAKE2 against the vectors of RFC 9382 appendix B, and against hostile messages. */
class Spake2Test {
    @RegisterExtension
    final NativeBalance<?> balance = NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    /** A vector of the RFC: identities, w, x, y, pA, pB, Ke. */
    record Vector(String a, String b, String w, String x, String y, String messageA, String messageB, String key) {}

    static Stream<Vector> vectors() {
        return Stream.of(
                new Vector(
                        "server",
                        "client",
                        "2ee57912099d31560b3a44b1184b9b4866e904c49d12ac5042c97dca461b1a5f",
                        "43dd0fd7215bdcb482879fca3220c6a968e66d70b1356cac18bb26c84a78d729",
                        "dcb60106f276b02606d8ef0a328c02e4b629f84f89786af5befb0bc75b6e66be",
                        "04a56fa807caaa53a4d28dbb9853b9815c61a411118a6fe516a8798434751470f9"
                                + "010153ac33d0d5f2047ffdb1a3e42c9b4e6be662766e1eeb4116988ede5f912c",
                        "0406557e482bd03097ad0cbaa5df82115460d951e3451962f1eaf4367a420676d0"
                                + "9857ccbc522686c83d1852abfa8ed6e4a1155cf8f1543ceca528afb591a1e0b7",
                        "0e0672dc86f8e45565d338b0540abe69"),
                new Vector(
                        "",
                        "client",
                        "0548d8729f730589e579b0475a582c1608138ddf7054b73b5381c7e883e2efae",
                        "403abbe3b1b4b9ba17e3032849759d723939a27a27b9d921c500edde18ed654b",
                        "903023b6598908936ea7c929bd761af6039577a9c3f9581064187c3049d87065",
                        "04a897b769e681c62ac1c2357319a3d363f610839c4477720d24cbe32f5fd85f44"
                                + "fb92ba966578c1b712be6962498834078262caa5b441ecfa9d4a9485720e918a",
                        "04e0f816fd1c35e22065d5556215c097e799390d16661c386e0ecc84593974a61b"
                                + "881a8c82327687d0501862970c64565560cb5671f696048050ca66ca5f8cc7fc",
                        "642f05c473c2cd79909f9a841e2f30a7"),
                new Vector(
                        "server",
                        "",
                        "626e0cdc7b14c9db3e52a0b1b3a768c98e37852d5db30febe0497b14eae8c254",
                        "07adb3db6bc623d3399726bfdbfd3d15a58ea776ab8a308b00392621291f9633",
                        "b6a4fc8dbb629d4ba51d6f91ed1532cf87adec98f25dd153a75accafafedec16",
                        "04f88fb71c99bfffaea370966b7eb99cd4be0ff1a7d335caac4211c4afd855e2e1"
                                + "5a873b298503ad8ba1d9cbb9a392d2ba309b48bfd7879aefd0f2cea6009763b0",
                        "040c269d6be017dccb15182ac6bfcd9e2a14de019dd587eaf4bdfd353f031101e7"
                                + "cca177f8eb362a6e83e7d5e729c0732e1b528879c086f39ba0f31a9661bd34db",
                        "005184ff460da2ce59062c87733c299c"),
                new Vector(
                        "",
                        "",
                        "7bf46c454b4c1b25799527d896508afd5fc62ef4ec59db1efb49113063d70cca",
                        "8cef65df64bb2d0f83540c53632de911b5b24b3eab6cc74a97609fd659e95473",
                        "d7a66f64074a84652d8d623a92e20c9675c61cb5b4f6a0063e4648a2fdc02d53",
                        "04a65b367a3f613cf9f0654b1b28a1e3a8a40387956c8ba6063e8658563890f46c"
                                + "a1ef6a676598889fc28de2950ab8120b79a5ef1ea4c9f44bc98f585634b46d66",
                        "04589f13218822710d98d8b2123a079041052d9941b9cf88c6617ddb2fcc049466"
                                + "2eea8ba6b64692dc318250030c6af045cb738bc81ba35b043c3dcb46adf6f58d",
                        "fc6374762ba5cf11f4b2caa08b2cd1b9"));
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void computesTheVectorsOfTheRfc(Vector vector) {
        try (CurveP256 curve = new CurveP256();
                Spake2 a = new Spake2(curve, Role.INITIATOR, hex(vector.w), hex(vector.x));
                Spake2 b = new Spake2(curve, Role.RESPONDER, hex(vector.w), hex(vector.y))) {
            assertThat(a.message()).isEqualTo(hex(vector.messageA));
            assertThat(b.message()).isEqualTo(hex(vector.messageB));
            assertThat(a.key(b.message(), ascii(vector.a), ascii(vector.b))).isEqualTo(hex(vector.key));
            assertThat(b.key(a.message(), ascii(vector.a), ascii(vector.b))).isEqualTo(hex(vector.key));
        }
    }

    @Test
    void derivesDifferentKeysFromDifferentPasswordsOrIdentities() {
        byte[] none = new byte[0];
        try (CurveP256 curve = new CurveP256();
                Spake2 a = new Spake2(curve, Role.INITIATOR, scalar(5), curve.randomScalar());
                Spake2 same = new Spake2(curve, Role.RESPONDER, scalar(5), curve.randomScalar());
                Spake2 other = new Spake2(curve, Role.RESPONDER, scalar(6), curve.randomScalar())) {
            assertThat(a.key(same.message(), none, none)).isEqualTo(same.key(a.message(), none, none));
            assertThat(a.key(same.message(), none, none)).isNotEqualTo(same.key(a.message(), ascii("x"), none));
            assertThat(a.key(other.message(), none, none)).isNotEqualTo(other.key(a.message(), none, none));
        }
    }

    @Test
    void rejectsWhatIsNoPointOfTheCurve() {
        byte[] offCurve = new byte[Spake2.MESSAGE_BYTES];
        Arrays.fill(offCurve, (byte) 0x11);
        offCurve[0] = 4;
        assertRejected(offCurve);
        assertRejected(new byte[Spake2.MESSAGE_BYTES]);
        assertRejected(new byte[1]); // the point at infinity
    }

    /** With w N as its message, a peer would make K the point at infinity, whatever our secret. */
    @Test
    void rejectsTheMessageThatMakesTheSecretDegenerate() {
        byte[] n = hex("03d8bbd6c639c62937b04d997f38c3770719c629d7014d49a24b4f98baa1292b49");
        try (CurveP256 curve = new CurveP256()) {
            assertRejected(curve.multiply(scalar(5), n));
        }
    }

    private static void assertRejected(byte[] message) {
        try (CurveP256 curve = new CurveP256();
                Spake2 a = new Spake2(curve, Role.INITIATOR, scalar(5), curve.randomScalar())) {
            assertThatThrownBy(() -> a.key(message, new byte[0], new byte[0])).isInstanceOf(OpenSslException.class);
        }
    }

    private static byte[] scalar(int value) {
        byte[] scalar = new byte[CurveP256.SCALAR_BYTES];
        scalar[scalar.length - 1] = (byte) value;
        return scalar;
    }

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
