package dev.sluice.ffi.libc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.ffi.libc.AddressSanitizerTrial.Fault;
import dev.sluice.ffi.openssl.raw.OpenSsl;
import dev.sluice.memory.SlabPool;
import dev.sluice.testkit.ForeignProgram;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests that AddressSanitizer, in a process of its own, reports bad accesses to Sluice's memory by the C library and,
 * where OpenSSL is compiled for it (tools/sanitizers/run), by OpenSSL. So a run without a report means something.
 */
class AddressSanitizerTest {
    /** As in tools/sanitizers/run, save that the process goes on after each report where it can. */
    private static final String OPTIONS = "handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:"
            + "handle_abort=0:use_sigaltstack=0:detect_leaks=0:detect_odr_violation=0:"
            + "halt_on_error=0:suppress_equal_pcs=0";

    @Test
    void reportsReadsOfTheCLibraryOutOfBounds() {
        assertThat(faultsReported("write")).containsExactlyInAnyOrder(Fault.values());
    }

    @Test
    void reportsReadsOfAnInstrumentedOpensslOutOfBounds() {
        assumeTrue(opensslIsInstrumented(), "OpenSSL without AddressSanitizer; tools/sanitizers/run has one");
        assertThat(faultsReported("OpenSSL")).containsExactlyInAnyOrder(Fault.values());
    }

    @SuppressWarnings("restricted")
    private static boolean opensslIsInstrumented() {
        return SymbolLookup.libraryLookup(OpenSsl.require().libcryptoFile(), Arena.global())
                .find("__asan_init")
                .isPresent();
    }

    private static List<Fault> faultsReported(String reader) {
        String errors = ForeignProgram.at(Path.of(System.getProperty("java.home"), "bin", "java"))
                .command(
                        "--enable-native-access=ALL-UNNAMED",
                        "-Xmx128m",
                        "-D" + SlabPool.POISON_PROPERTY + "=true",
                        "-D" + OpenSsl.PROPERTY + "=" + System.getProperty(OpenSsl.PROPERTY, ""),
                        "-cp",
                        System.getProperty("java.class.path") + ":" + System.getProperty("jdk.module.path", ""),
                        AddressSanitizerTrial.class.getName(),
                        reader)
                .with("LD_PRELOAD", runtime().toString())
                .with("ASAN_OPTIONS", OPTIONS)
                .run()
                .errors();
        List<Fault> reported = new ArrayList<>();
        for (Fault fault : Fault.values()) {
            String announcement = AddressSanitizerTrial.ANNOUNCEMENT + reader + " " + fault + "\n";
            int start = errors.indexOf(announcement);
            assertThat(start).as(errors).isNotNegative();
            int end = errors.indexOf(AddressSanitizerTrial.ANNOUNCEMENT, start + 1);
            if (errors.substring(start, end < 0 ? errors.length() : end)
                    .contains("AddressSanitizer: " + fault.report)) {
                reported.add(fault);
            }
        }
        return reported;
    }

    private static Path runtime() {
        String file = ForeignProgram.required("cc", "gcc")
                .command("-print-file-name=libasan.so")
                .run()
                .expectSuccess()
                .output()
                .strip();
        Path runtime = Path.of(file);
        if (!runtime.isAbsolute() || !Files.exists(runtime)) {
            ForeignProgram.absent("the compiler's libasan.so: apt-get install gcc");
        }
        return runtime;
    }
}
