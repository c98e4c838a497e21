package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.puppycrawl.tools.checkstyle.AbstractAutomaticBean.OutputStreamOptions;
import com.puppycrawl.tools.checkstyle.Checker;
import com.puppycrawl.tools.checkstyle.ConfigurationLoader;
import com.puppycrawl.tools.checkstyle.DefaultLogger;
import com.puppycrawl.tools.checkstyle.PropertiesExpander;
import com.puppycrawl.tools.checkstyle.api.CheckstyleException;
import dev.sluice.interop.fixture.Sluice;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The checks of Javadoc in {@code tools/checkstyle}, on sources with one mistake and with none. */
class JavadocCheckTest {
    private static final String TYPE_SUMMARY = "TypeSummary";

    @TempDir
    private Path directory = Path.of("");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/** Returns things. */ public final class A {}",
                "/** Returns things. */ class A {}",
                "/**\n * Returns things.\n *\n * <p>More.\n */\npublic final class A {}",
                "/**\n * Lets things in,\n * and others not.\n */\nclass A {}",
                "/**\n * Tells things.\n */\n@Deprecated\nrecord A() {}",
                "/** A thing. */\nclass A {\n    /**\n     * Writes things.\n     */\n    interface B {}\n}"
            })
    void aTypeThatBeginsWithAVerbIsFound(String source) throws Exception {
        assertThat(findings(source)).contains(TYPE_SUMMARY);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/**\n * A pool of things.\n */\npublic final class A {}",
                "/** A thing. */\nclass A {\n    /** Returns things. */\n    int b() {\n        return 1;\n    }\n}"
            })
    void aNounPhraseIsInOrder(String source) throws Exception {
        assertThat(findings(source)).doesNotContain(TYPE_SUMMARY);
    }

    private String findings(String source) throws IOException, CheckstyleException {
        Path file = Files.writeString(directory.resolve("A.java"), "package a;\n\n" + source + "\n");
        Properties properties = new Properties();
        properties.setProperty("exempt", "none");
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        Checker checker = new Checker();
        checker.setModuleClassLoader(Checker.class.getClassLoader());
        checker.configure(ConfigurationLoader.loadConfiguration(
                Sluice.home().resolve("tools/checkstyle/checkstyle.xml").toString(),
                new PropertiesExpander(properties)));
        checker.addListener(new DefaultLogger(output, OutputStreamOptions.NONE));
        try {
            checker.process(List.of(file.toFile()));
        } finally {
            checker.destroy();
        }
        return output.toString(StandardCharsets.UTF_8);
    }
}
