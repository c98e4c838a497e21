import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs the test classes that are named by its arguments, and prints a line for each test: {@code ok}, {@code FAILED} or
 * {@code skipped}, tab, class, tab, test.
 */
final class Suite implements TestExecutionListener {
    private final PrintStream out = System.out;
    private int failed;
    private TestPlan plan;

    public static void main(String[] classes) {
        Suite suite = new Suite();
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(Arrays.stream(classes).map(DiscoverySelectors::selectClass).toList())
                .build();
        LauncherFactory.create().execute(request, suite);
        suite.out.println(suite.failed == 0 ? "SUITE PASSED" : "SUITE FAILED");
        System.exit(suite.failed == 0 ? 0 : 1);
    }

    @Override
    public void testPlanExecutionStarted(TestPlan testPlan) {
        plan = testPlan;
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        line("skipped", test);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (!test.isTest() && result.getStatus() == TestExecutionResult.Status.SUCCESSFUL) {
            return;
        }
        switch (result.getStatus()) {
            case SUCCESSFUL -> line("ok", test);
            case ABORTED -> line("skipped", test);
            case FAILED -> {
                failed++;
                line("FAILED", test);
                out.println(Objects.toString(result.getThrowable().orElse(null)).lines().limit(12).toList());
                result.getThrowable().ifPresent(thrown -> Arrays.stream(thrown.getStackTrace())
                        .filter(frame -> frame.getClassName().startsWith("dev.sluice"))
                        .limit(6)
                        .forEach(frame -> out.println("        at " + frame)));
            }
        }
    }

    @Override
    public void reportingEntryPublished(TestIdentifier test, ReportEntry entry) {
        entry.getKeyValuePairs().forEach((what, value) -> out.println(what + ": " + value));
    }

    private void line(String outcome, TestIdentifier test) {
        List<String> names = new ArrayList<>();
        String owner = "?";
        for (TestIdentifier each = test; each != null; each = plan.getParent(each).orElse(null)) {
            if (each.getSource().orElse(null) instanceof ClassSource source && !each.isTest()) {
                owner = source.getClassName().substring(source.getClassName().lastIndexOf('.') + 1);
            }
            names.addFirst(each.getDisplayName());
        }
        out.println(outcome + "\t" + owner + "\t" + String.join(" ", names.subList(Math.min(2, names.size()), names.size())));
    }
}
