package dev.sluice.bench.load;

class SluiceDialerTest extends ScenarioSuite {
    @Override
    Dialer newDialer() {
        return new SluiceDialer();
    }
}
