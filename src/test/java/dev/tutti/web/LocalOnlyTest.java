package dev.tutti.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Without a key: this machine's programs and pages, nobody else. */
@SpringBootTest(classes = WebApp.class, webEnvironment = WebEnvironment.RANDOM_PORT)
class LocalOnlyTest {

    private final int port;

    LocalOnlyTest(@LocalServerPort int port) {
        this.port = port;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "localhost | | 200",
                "127.0.0.1 | | 200",
                "[::1] | | 200",
                "LOCALHOST | | 200",
                "evil.example | | 403",
                "localhost.evil.example | | 403",
                "127.0.0.1.evil.example | | 403",
                "localhost@evil.example | | 400",
                "192.168.0.7 | | 403",
                "localhost | Origin: http://localhost:PORT | 200",
                "localhost | Origin: http://localhost:1 | 403",
                "localhost | Origin: http://evil.example | 403",
                "localhost | Origin: null | 403",
                "localhost | Sec-Fetch-Site: same-origin | 200",
                "localhost | Sec-Fetch-Site: none | 200",
                "localhost | Sec-Fetch-Site: cross-site | 403",
                "localhost | Sec-Fetch-Site: same-site | 403",
                "localhost | X-Forwarded-For: 192.0.2.1 | 403",
                "localhost | Forwarded: for=192.0.2.1 | 403",
                "localhost | Authorization: Bearer nobodys | 401",
            })
    void onlyThisMachine(String host, String header, int status) throws IOException {
        String answer = raw("GET", "/api/v1/lanes", host + ":" + port, header);

        assertThat(answer).startsWith("HTTP/1.1 " + status);
        if (status == 403) {
            assertThat(answer).contains("\"code\":\"FOREIGN_ORIGIN\"");
        }
    }

    @Test
    void anEmptyKeyIsToldThatNoneIsNeeded() throws IOException {
        String answer = raw("GET", "/api/v1/lanes", "localhost:" + port, "Authorization: Bearer ");

        assertThat(answer)
                .startsWith("HTTP/1.1 401")
                .contains("is empty; the service has no first key, so on this machine no Authorization header");
    }

    @Test
    void aLinkFromAnotherPageMayOpenAPage() throws IOException {
        String link = "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document";

        assertThat(raw("GET", "/problems", "localhost:" + port, link)).startsWith("HTTP/1.1 200");
        assertThat(raw("POST", "/api/v1/jobs", "localhost:" + port, link)).startsWith("HTTP/1.1 403");
    }

    private String raw(String method, String path, String host, String header) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout(5_000);
            String request = method + " " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n"
                    + (header == null ? "" : header.replace("PORT", Integer.toString(port)) + "\r\n") + "\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
