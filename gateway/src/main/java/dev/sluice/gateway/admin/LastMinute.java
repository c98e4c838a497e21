package dev.sluice.gateway.admin;

import dev.sluice.gateway.metrics.MetricFamily;
import dev.sluice.gateway.metrics.MetricPage;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * How the counters stood a minute ago of which the dashboard tells what is going on now: {@value #PAGES_MAX} pages of
 * {@link #FAMILIES} alone, ten seconds apart. For one thread.
 */
final class LastMinute {
    private static final Set<String> FAMILIES =
            Snapshot.COUNTS.stream().map(count -> count.metric().family()).collect(Collectors.toSet());

    private static final int PAGES_MAX = 6;

    private final Deque<MetricPage> pages = new ArrayDeque<>(PAGES_MAX);

    /** Another ten seconds have passed. */
    void add(MetricPage page) {
        if (pages.size() == PAGES_MAX) {
            pages.removeFirst();
        }
        List<MetricFamily> kept = page.families().stream()
                .filter(family -> FAMILIES.contains(family.name()))
                .toList();
        pages.addLast(new MetricPage(page.time(), kept));
    }

    /** How they stood; as long ago as is known, where that is less than a minute. */
    MetricPage before(MetricPage now) {
        return pages.isEmpty() ? now : pages.getFirst();
    }
}
