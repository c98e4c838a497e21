package dev.sluice.config.yaml;

import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.ParserException;
import org.snakeyaml.engine.v2.parser.Parser;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/**
 * A parser of YAML that refuses lists and sections in one another beyond {@value #LEVELS_MAX} levels. What is made of
 * its events calls itself for each level, and would overflow the stack.
 */
public final class BoundedParser implements Parser {
    /** The most levels, many more than any configuration or document has. */
    public static final int LEVELS_MAX = 100;

    private final Parser parser;
    private int levels;

    private BoundedParser(Parser parser) {
        this.parser = parser;
    }

    /** Returns a composer of the nodes of a text. */
    public static Composer composer(LoadSettings settings, String text) {
        ParserImpl parser = new ParserImpl(settings, new StreamReader(settings, text));
        return new Composer(settings, new BoundedParser(parser));
    }

    @Override
    public boolean checkEvent(Event.ID choice) {
        return parser.checkEvent(choice);
    }

    @Override
    public Event peekEvent() {
        return parser.peekEvent();
    }

    @Override
    public boolean hasNext() {
        return parser.hasNext();
    }

    @Override
    public Event next() {
        Event event = parser.next();
        switch (event.getEventId()) {
            case SequenceStart, MappingStart -> levels++;
            case SequenceEnd, MappingEnd -> levels--;
            default -> {}
        }
        if (levels > LEVELS_MAX) {
            throw new ParserException("more than " + LEVELS_MAX + " levels of nesting", event.getStartMark());
        }
        return event;
    }
}
