package dev.sluice.cli.command;

import java.lang.reflect.Proxy;
import java.util.Objects;

/**
 * SIGTERM and SIGINT as a request to drain, SIGHUP as a request to reload, SIGUSR1 to reopen log files; SIGWINCH. A
 * shutdown hook would not suffice: after one the JVM's exit code is that of the signal, and a second signal is ignored.
 * The JDK offers {@code
 * sun.misc.Signal}, which the module jdk.unsupported keeps for lack of an alternative; it is called by reflection,
 * since javac's warning about it cannot be disabled.
 */
public final class Signals {
    private Signals() {}

    /** Runs a task on a JVM thread for each SIGTERM and SIGINT instead of ending the process. */
    public static void onTerminate(Runnable task) {
        handle(task, "TERM", "INT");
    }

    /**
     * Runs a task for each SIGHUP instead of ending the process.
     *
     * @return false when SIGHUP is ignored, as under nohup, which the JVM respects
     */
    public static boolean onHangUp(Runnable task) {
        return handle(task, "HUP");
    }

    /** Runs a task for each SIGUSR1 instead of ending the process. */
    public static void onReopen(Runnable task) {
        handle(task, "USR1");
    }

    /** Runs a task whenever the terminal is resized. */
    public static void onResize(Runnable task) {
        handle(task, "WINCH");
    }

    /** Installs a handler; returns whether none of the signals is ignored. */
    private static boolean handle(Runnable task, String... names) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
            Object handler = Proxy.newProxyInstance(
                    Signals.class.getClassLoader(), new Class<?>[] {handlerType}, (proxy, method, arguments) -> {
                        if (method.getDeclaringClass() == Object.class) {
                            return method.invoke(task, arguments);
                        }
                        task.run();
                        return null;
                    });
            Object ignored = handlerType.getField("SIG_IGN").get(null);
            boolean heard = true;
            for (String name : names) {
                Object number = signal.getConstructor(String.class).newInstance(name);
                Object before = signal.getMethod("handle", signal, handlerType).invoke(null, number, handler);
                heard &= !Objects.equals(before, ignored);
            }
            return heard;
        } catch (ReflectiveOperationException e) {
            throw new RefusedException("this JVM does not let signals be handled: " + e
                    + "; run it without -Xrs, on a JDK with the module jdk.unsupported");
        }
    }

    /** Sends this process a SIGTERM. */
    public static void terminate() {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            signal.getMethod("raise", signal)
                    .invoke(null, signal.getConstructor(String.class).newInstance("TERM"));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
