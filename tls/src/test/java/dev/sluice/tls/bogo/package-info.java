/**
 * The shim by which BoringSSL's test runner, BoGo, examines the engines: for each of its tests the runner starts a
 * program with flags that say how the engine is to be set up, what the engine is to do and what is to come of it. The
 * program here is a process that stays; {@code tools/proofs/bogo} has the forwarder that the runner starts.
 *
 * <p>Flags and exit codes: ssl/test/PORTING.md, ssl/test/test_config.cc and ssl/test/bssl_shim.cc of BoringSSL.
 */
@NullMarked
package dev.sluice.tls.bogo;

import org.jspecify.annotations.NullMarked;
