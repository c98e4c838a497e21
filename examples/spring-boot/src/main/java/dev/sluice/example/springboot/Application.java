package dev.sluice.example.springboot;

import dev.sluice.jsse.SluiceProvider;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Security;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** A Spring Boot application on Tomcat: {@code KEYSTORE=file:… KEYSTORE_PASSWORD=… java -jar spring-boot.jar}. */
@SpringBootApplication
@RestController
public class Application {
    /** Serves until the process ends. */
    public static void main(String[] arguments) {
        Security.insertProviderAt(new SluiceProvider(), 1);
        SpringApplication.run(Application.class, arguments);
    }

    /** Returns the same answer to each request. */
    @GetMapping("/")
    public String greet(HttpServletRequest request) {
        return "Hello from Spring Boot over " + request.getProtocol() + "\n";
    }

    /** Prints the address. */
    @EventListener
    public void onStarted(WebServerInitializedEvent event) {
        System.out.println("https://localhost:" + event.getWebServer().getPort() + "/");
    }
}
