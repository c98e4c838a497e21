package dev.sluice.gateway;

import dev.sluice.gateway.dns.DnsSelector;
import dev.sluice.memory.Ledger;
import dev.sluice.net.EventLoop;
import dev.sluice.testkit.NativeBalance;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A base for tests that hold for a gateway on every transport; after each test nothing native may be left. */
@ParameterizedClass
@MethodSource("dev.sluice.gateway.Transports#available")
public abstract class GatewayConformance {
    static {
        DnsSelector.open();
    }

    @RegisterExtension
    final NativeBalance<?> balance = NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    @Parameter
    @SuppressWarnings("NullAway.Init")
    public EventLoop.Backend transport;

    @SuppressWarnings("NullAway.Init")
    public GatewayFixture fixture;

    @BeforeEach
    void open() {
        fixture = new GatewayFixture(transport);
    }

    @AfterEach
    void close() throws Exception {
        fixture.close();
    }
}
