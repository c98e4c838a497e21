package dev.sluice.bench.load;

class JdkDialerTest extends ScenarioSuite {
    @Override
    Dialer newDialer() {
        return new JdkDialer();
    }
}
