package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.Sluice;
import dev.sluice.testkit.ForeignResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.xml.sax.SAXException;

/** {@code ./sluice cost} from a measurement to a plan, as users call it. */
class CostCommandTest {
    @TempDir
    private Path directory = Path.of("");

    @Test
    void aQuickMeasurementBecomesAPageAndAPlan() throws IOException, ParserConfigurationException, SAXException {
        Path figures = directory.resolve("cost.json");
        Path page = directory.resolve("cost.html");

        ForeignResult measured = Sluice.command(
                        "cost", "--quick", "--rounds", "1", "--save", figures.toString(), "--report", page.toString())
                .run()
                .expectSuccess();
        ForeignResult planned = Sluice.command(
                        "cost", "plan", "--from", figures.toString(), "--certificate", "rsa-2048")
                .run()
                .expectSuccess();

        assertThat(measured.output())
                .contains("The asymmetric step", "saved in " + figures)
                .doesNotContain("[#");
        assertThat(measured.errors()).isEmpty();
        assertThat(planned.output()).contains("dominating:", "One lever at a time");
        assertThat(Files.readString(figures))
                .contains("\"format\": \"sluice-cost/1\"", "\"gateway/tls13/rsa-2048/full\"");
        requirePage(page);
    }

    /** Well-formed, with its four kinds of plots, and nothing that a browser would fetch or run. */
    private static void requirePage(Path page) throws IOException, ParserConfigurationException, SAXException {
        Document document =
                DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(page.toFile());

        assertThat(document.getElementsByTagName("svg").getLength()).isEqualTo(4);
        for (String fetched : new String[] {"script", "link", "img", "iframe", "object"}) {
            assertThat(document.getElementsByTagName(fetched).getLength())
                    .as(fetched)
                    .isZero();
        }
        assertThat(Files.readString(page)).doesNotContain("http:", "https:", "url(", "@import", "NaN");
    }

    @Test
    void aMissingMeasurementIsSaidWithTheRemedy() {
        ForeignResult result = Sluice.command(
                        "cost", "--from", directory.resolve("absent.json").toString())
                .run();

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.errors())
                .contains("absent.json does not exist; measure with: sluice cost")
                .doesNotContain("\tat ");
    }
}
