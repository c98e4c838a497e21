package dev.sluice.net.internal;

import dev.sluice.ffi.libc.Kernel;
import dev.sluice.simulator.SimulatedKernel;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.TreeMap;

/** A simulated kernel that counts its calls and refuses one of them. */
final class WatchedKernel {
    private final SimulatedKernel kernel;
    private final Map<String, Integer> calls = new TreeMap<>();
    private String refused = "";
    private long refusal;
    private int refusedCall;

    WatchedKernel(SimulatedKernel kernel) {
        this.kernel = kernel;
    }

    /** Answers one call with an error: the one of that name behind so many others. */
    WatchedKernel refusing(String call, long with, int afterCalls) {
        refused = call;
        refusal = with;
        refusedCall = afterCalls + 1;
        return this;
    }

    /** Returns the kernel to run on. */
    Kernel watched() {
        return (Kernel) Proxy.newProxyInstance(
                Kernel.class.getClassLoader(),
                new Class<?>[] {Kernel.class},
                (proxy, method, arguments) -> answer(method, arguments));
    }

    private Object answer(Method method, Object[] arguments) throws Throwable {
        int count = calls.merge(method.getName(), 1, Integer::sum);
        if (count == refusedCall && method.getName().equals(refused)) {
            return method.getReturnType() == long.class ? (Object) refusal : (Object) (int) refusal;
        }
        try {
            return method.invoke(kernel, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** Returns how often a call was made. */
    int calls(String name) {
        return calls.getOrDefault(name, 0);
    }

    int openDescriptors() {
        return kernel.openDescriptors();
    }
}
