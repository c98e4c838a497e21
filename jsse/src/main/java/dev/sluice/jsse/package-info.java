/**
 * The JSSE provider, and the first things that an application needs of it.
 *
 * <p>Existing code that speaks {@code javax.net.ssl} runs on native TLS by naming the provider {@code Sluice}, or by
 * inserting it before the JDK's own. Everything that implements it is in packages that are not exported.
 *
 * <pre>
 * SluiceProvider ──▶ SSLContext (context: shared by its engines) ──▶ SSLEngine (engine) ◀── SSLSocket (socket)
 *                                  └──▶ SSLSessionContext (session)
 * </pre>
 */
@NullMarked
package dev.sluice.jsse;

import org.jspecify.annotations.NullMarked;
