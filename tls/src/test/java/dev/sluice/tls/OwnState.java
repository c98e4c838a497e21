package dev.sluice.tls;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The heap objects of one connection: those reachable from it and not from another connection of the same loop and
 * context. Sizes are HotSpot's with compressed references: a header of 12 bytes, the fields, rounded up to a multiple
 * of 8.
 */
public final class OwnState {
    private static final int HEADER_BYTES = 12;
    private static final int ARRAY_HEADER_BYTES = 16;
    private static final int REFERENCE_BYTES = 4;
    private static final int UNIT_BYTES = 8;

    private final Set<Object> objects;

    private OwnState(Set<Object> objects) {
        this.objects = objects;
    }

    /** Returns the objects reachable from {@code one} but not from {@code other}. */
    public static OwnState of(Object one, Object other) {
        Set<Object> own = reachable(one);
        own.removeAll(reachable(other));
        return new OwnState(own);
    }

    /** Returns the bytes on the Java heap. */
    public int bytes() {
        return objects.stream().mapToInt(OwnState::bytesOf).sum();
    }

    /** Returns the bytes by class, for messages. */
    public Map<String, Integer> byClass() {
        Map<String, Integer> bytes = new TreeMap<>();
        objects.forEach(object -> bytes.merge(object.getClass().getSimpleName(), bytesOf(object), Integer::sum));
        return bytes;
    }

    private static Set<Object> reachable(Object start) {
        Set<Object> found = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Object> open = new ArrayDeque<>();
        found.add(start);
        open.add(start);
        while (!open.isEmpty()) {
            referencesOf(open.remove()).stream().filter(found::add).forEach(open::add);
        }
        return found;
    }

    /**
     * Returns the references of an object. Only classes of this module are followed; others are leaves, which {@link
     * #bytesOf} must know.
     */
    private static Collection<Object> referencesOf(Object object) {
        Deque<Object> references = new ArrayDeque<>();
        if (object.getClass().getModule().equals(OwnState.class.getModule())) {
            for (Field field : object.getClass().getDeclaredFields()) {
                Object value = isOfInstances(field) && !field.getType().isPrimitive() ? read(field, object) : null;
                if (value != null) {
                    references.add(value);
                }
            }
        }
        return references;
    }

    private static int bytesOf(Object object) {
        if (object instanceof String text) {
            return rounded(HEADER_BYTES + REFERENCE_BYTES + 6) + rounded(ARRAY_HEADER_BYTES + text.length());
        }
        Class<?> type = object.getClass();
        boolean flat = type.getSuperclass() == Object.class || type.isRecord();
        if (!flat || !type.getModule().equals(OwnState.class.getModule())) {
            throw new AssertionError("not known how much this weighs: " + type);
        }
        int bytes = HEADER_BYTES;
        for (Field field : type.getDeclaredFields()) {
            bytes += isOfInstances(field) ? bytesOf(field.getType()) : 0;
        }
        return rounded(bytes);
    }

    private static boolean isOfInstances(Field field) {
        return !Modifier.isStatic(field.getModifiers());
    }

    private static int bytesOf(Class<?> type) {
        if (type == long.class || type == double.class) {
            return Long.BYTES;
        }
        if (type == byte.class || type == boolean.class) {
            return Byte.BYTES;
        }
        return type == short.class || type == char.class ? Short.BYTES : REFERENCE_BYTES;
    }

    private static Object read(Field field, Object object) {
        try {
            field.setAccessible(true);
            return field.get(object);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    private static int rounded(int bytes) {
        return (bytes + UNIT_BYTES - 1) / UNIT_BYTES * UNIT_BYTES;
    }
}
