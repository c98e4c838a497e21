package dev.sluice.example.kafka;

import dev.sluice.jsse.SluiceProvider;
import java.security.Security;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.security.ssl.DefaultSslEngineFactory;

/** Kafka's own engines on Sluice, for {@code ssl.engine.factory.class} of clients and brokers. */
public final class SluiceEngineFactory extends DefaultSslEngineFactory {
    @Override
    public void configure(Map<String, ?> settings) {
        Security.addProvider(new SluiceProvider()); // without effect where it is registered already
        Map<String, Object> own = new HashMap<>(settings);
        own.put(SslConfigs.SSL_PROVIDER_CONFIG, "Sluice");
        super.configure(own);
    }
}
