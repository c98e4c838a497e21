package dev.sluice.bench.buffers;

import dev.sluice.bench.harness.Experiment;
import java.util.List;
import java.util.Locale;

/** The parts of the suite. */
public enum BufferPart {
    /** The article's benchmarks: allocation, copy of a file, byte order. */
    ARTICLE,
    /** The article's application under three collectors. */
    ECHO,
    /** Endless allocation, and the error at the limit. */
    LIMITS,
    /** All allocators by size and use. */
    SIZES,
    /** All allocators by the number of live buffers. */
    LIVE,
    /** Buffers that another thread frees. */
    HANDOFF,
    /** Foreign calls. */
    CALLS;

    /** Returns the experiments, in their order. */
    List<Experiment> experiments(TaskFactory make) {
        ArticleRows article = new ArticleRows(make);
        AllocatorRows allocators = new AllocatorRows(make);
        return switch (this) {
            case ARTICLE -> article.benchmarks();
            case ECHO -> List.of(article.echo());
            case LIMITS -> List.of(article.chasers(), article.exhaustion());
            case SIZES -> allocators.sizes();
            case LIVE -> allocators.liveSets();
            case HANDOFF -> allocators.handOffs();
            case CALLS -> allocators.calls();
        };
    }

    /** Returns the name in the option. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
