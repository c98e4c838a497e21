package dev.sluice.interop;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.ColorScheme;
import dev.sluice.interop.fixture.Backend;
import dev.sluice.interop.fixture.Browser;
import dev.sluice.interop.fixture.GatewayProcess;
import dev.sluice.interop.fixture.GatewaySetup;
import dev.sluice.interop.fixture.HttpBackend;
import dev.sluice.interop.fixture.Transport;
import dev.sluice.interop.fixture.Visitors;
import dev.sluice.testkit.Waiting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The dashboard in a real browser, of a gateway that real clients visit. */
final class DashboardTest {
    private static final Duration LIMIT = Waiting.LIMIT;
    private static final double MILLIS = LIMIT.toMillis();
    private static final Pattern ENDPOINT = Pattern.compile("dashboard and metrics at (http://\\S+/)");
    private static final int TABS_MAX = 20;
    private static final Pattern SOMETHING = Pattern.compile("[1-9]");

    private final List<AutoCloseable> begun = new ArrayList<>();

    @TempDir
    private Path directory = Path.of("");

    @AfterEach
    void end() throws Exception {
        for (AutoCloseable last : begun.reversed()) {
            last.close();
        }
    }

    @Test
    void itsPanelsMoveAndSwitchingTicketsOffRaisesTheAlertWithItsAdvice() throws Exception {
        Browser browser = closing(Browser.start());
        GatewayProcess gateway = start(
                "admin: {address: 127.0.0.1:0}",
                "alerts: {window: 10s, hold: 1s, clear: 1s, minimum-handshakes: 10, rsa-ratio: off}");
        Visitors visitors = closing(Visitors.of(gateway.port(), 3));
        closing(Visitors.strangers(gateway.port()));
        Page page = browser.open(endpoint(gateway), 1440, 900, ColorScheme.LIGHT);

        showsSomething(page.locator("[data-figure=full]"), page.locator("[data-detail=full]"));
        showsSomething(page.locator("[data-figure=bytes]"), page.locator("[data-figure=cpu]"));
        assertThat(page.locator("#mix")).containsText("TLSv1.3", within());
        assertThat(page.locator("#backends")).containsText("up", within());
        assertThat(page.locator("#certificates")).containsText("main", within());
        assertThat(page.locator("#keys")).containsText("current", within());
        assertThat(page.locator("#loops")).containsText("%", within());
        assertThat(page.locator("#misses")).containsText("none offered", within());
        assertThat(page.locator("#link")).hasText("live");
        assertThat(page.locator("[data-figure=resumption]")).containsText(Pattern.compile("(9[0-9]|100) %"), within());
        String label = page.locator("[data-chart=bytes] .chart").getAttribute("aria-label");
        assertThat(page.locator("[data-chart=bytes] .chart"))
                .not()
                .hasAttribute("aria-label", label, new LocatorAssertions.HasAttributeOptions().setTimeout(MILLIS));
        Browser.picture(page, "dashboard", true);

        String yaml = Files.readString(gateway.config());
        Files.writeString(gateway.config(), yaml + "tickets: off\n");
        page.getByText("Reload the configuration").click();
        assertThat(page.locator("#reloaded")).containsText("reloaded", within());

        Locator alert = page.locator("#alerts [data-name=resumption-ratio].firing");
        assertThat(alert).containsText("What to do first", within());
        assertThat(alert.locator("li").first()).containsText("tickets", within());
        assertThat(page.locator("#misses")).containsText(Pattern.compile("tickets?"), within());
        Browser.picture(page, "dashboard-alert", true);
        Page dark = browser.open(endpoint(gateway), 1440, 900, ColorScheme.DARK);
        assertThat(dark.locator("#alerts .firing").first())
                .isVisible(new LocatorAssertions.IsVisibleOptions().setTimeout(MILLIS));
        Browser.picture(dark, "dashboard-dark", true);
        assertThat(visitors.visits()).isPositive();
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void onAPhoneNothingIsCutOffAndTheKeyboardReachesEverything() throws Exception {
        Browser browser = closing(Browser.start());
        GatewayProcess gateway = start("admin: {address: 127.0.0.1:0}");
        Page page = browser.open(endpoint(gateway), 390, 844, ColorScheme.LIGHT);
        assertThat(page.locator("#link")).hasText("live");
        assertThat(page.locator("#mix")).containsText("No handshake yet", within());

        assertThat(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
                .isEqualTo(true);
        page.keyboard().press("Tab");
        assertThat(page.locator(".skip")).isFocused();
        page.keyboard().press("Enter");
        assertThat(page.locator("#panels")).isFocused();
        tabTo(page, "#reload");
        tabTo(page, "#show-config");
        page.keyboard().press("Enter");
        assertThat(page.locator("#config")).containsText("listeners:", within());
        Browser.picture(page, "dashboard-phone", true);
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void aLostConnectionIsShownAndFoundAgain() throws Exception {
        Browser browser = closing(Browser.start());
        GatewayProcess gateway = start("admin: {address: 127.0.0.1:0}");
        String endpoint = endpoint(gateway);
        Page page = browser.open(endpoint, 1440, 900, ColorScheme.DARK);
        assertThat(page.locator("#link")).hasText("live");

        gateway.close();
        assertThat(page.locator("#link"))
                .hasText("connection lost", new LocatorAssertions.HasTextOptions().setTimeout(MILLIS));

        String address = endpoint.substring("http://".length(), endpoint.length() - 1);
        start("admin: {address: \"" + address + "\"}");
        assertThat(page.locator("#link")).hasText("live", new LocatorAssertions.HasTextOptions().setTimeout(MILLIS));
    }

    @Test
    void itAsksForTheToken() throws Exception {
        Path token = Files.writeString(directory.resolve("token"), "a-token-that-nobody-guesses\n");
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
        Browser browser = closing(Browser.start());
        GatewayProcess gateway = start("admin: {address: 127.0.0.1:0, token-file: " + token + "}");
        Page page = browser.open(endpoint(gateway), 1440, 900, ColorScheme.LIGHT);

        page.locator("#token-text").fill("a wrong one");
        page.keyboard().press("Enter");
        assertThat(page.locator("#token-wrong")).containsText("not the right one", within());
        page.locator("#token-text").fill("a-token-that-nobody-guesses");
        page.keyboard().press("Enter");

        assertThat(page.locator("#link")).hasText("live", new LocatorAssertions.HasTextOptions().setTimeout(MILLIS));
        assertThat(page.locator("#token")).isHidden();
    }

    /** Tables that are wider than a phone stand between, since they can be scrolled by the keyboard. */
    private static void tabTo(Page page, String selector) {
        for (int i = 0; i < TABS_MAX; i++) {
            page.keyboard().press("Tab");
            if (page.evaluate("selector => document.activeElement.matches(selector)", selector)
                    .equals(true)) {
                return;
            }
        }
        throw new AssertionError("the keyboard does not reach " + selector);
    }

    private static void showsSomething(Locator... figures) {
        for (Locator figure : figures) {
            assertThat(figure).containsText(SOMETHING, within());
        }
    }

    private static LocatorAssertions.ContainsTextOptions within() {
        return new LocatorAssertions.ContainsTextOptions().setTimeout(MILLIS);
    }

    private GatewayProcess start(String... lines) {
        Backend backend = closing(HttpBackend.start());
        GatewaySetup setup = GatewaySetup.before(backend, Transport.EPOLL);
        for (String line : lines) {
            setup.with(line);
        }
        return closing(GatewayProcess.start(setup));
    }

    private static String endpoint(GatewayProcess gateway) {
        gateway.program().awaitOutput("dashboard and metrics at", LIMIT);
        Matcher matcher = ENDPOINT.matcher(gateway.log());
        assertThat(matcher.find()).as(gateway.log()).isTrue();
        return matcher.group(1);
    }

    private <T extends AutoCloseable> T closing(T begunByTest) {
        begun.add(begunByTest);
        return begunByTest;
    }
}
