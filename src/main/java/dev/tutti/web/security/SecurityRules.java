package dev.tutti.web.security;

import dev.tutti.control.Identities.Role;
import dev.tutti.web.calls.RateLimits;
import dev.tutti.web.problem.Problem;
import dev.tutti.web.problem.ProblemKind;
import dev.tutti.web.problem.ProblemWriter;
import jakarta.servlet.DispatcherType;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpMethod;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.annotation.web.configurers.AuthorizeHttpRequestsConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.intercept.AuthorizationFilter;

/** Which role may call which route. A change that no line names is for administrators only. */
@Configuration(proxyBeanMethods = false)
class SecurityRules {

    private static final String[] PUBLIC = {
        "/problems/**",
        "/openapi",
        "/openapi.yaml",
        "/openapi/**",
        "/swagger-ui.html",
        "/swagger-ui/**",
        "/actuator/health/**",
        "/actuator/info"
    };

    /** Also reading who may call is for those who decide it. */
    private static final String[] KEYS = {"/api/v1/keys", "/api/v1/keys/**"};

    /** Without a key in {@code tutti.api-key} (the environment's TUTTI_API_KEY) only this machine may call. */
    @Bean
    SecurityFilterChain api(
            HttpSecurity http,
            KeyRing keys,
            RateLimits limits,
            @Value("${tutti.api-key:}") String firstKey,
            Environment environment)
            throws Exception {
        return http.csrf(AbstractHttpConfigurer::disable)
                .formLogin(AbstractHttpConfigurer::disable)
                .httpBasic(AbstractHttpConfigurer::disable)
                .logout(AbstractHttpConfigurer::disable)
                .requestCache(AbstractHttpConfigurer::disable)
                .sessionManagement(sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .headers(headers -> headers.addHeaderWriter(new ContentPolicy()))
                .addFilterBefore(new CallerFilter(keys, limits, firstKey.isBlank()), AuthorizationFilter.class)
                .authorizeHttpRequests(
                        to -> to.requestMatchers(request -> isManagement(request.getLocalPort(), environment))
                                .permitAll())
                .authorizeHttpRequests(SecurityRules::roles)
                .exceptionHandling(refusals -> refusals.authenticationEntryPoint(
                                (request, response, e) -> Unauthenticated.answer(request, response, "no key was sent"))
                        .accessDeniedHandler((request, response, e) -> ProblemWriter.write(
                                request, response, Problem.of(ProblemKind.FORBIDDEN, TooWeak.detail(request, e)))))
                .build();
    }

    /** Health, info and metrics have a port apart; whoever reaches that port may read them. */
    private static boolean isManagement(int port, Environment environment) {
        Integer apart = environment.getProperty("local.management.port", Integer.class);
        Integer server = environment.getProperty("local.server.port", Integer.class);
        return apart != null && apart == port && !apart.equals(server);
    }

    private static void roles(
            AuthorizeHttpRequestsConfigurer<HttpSecurity>.AuthorizationManagerRequestMatcherRegistry to) {
        to.dispatcherTypeMatchers(DispatcherType.ERROR, DispatcherType.ASYNC, DispatcherType.FORWARD)
                .permitAll()
                .requestMatchers(HttpMethod.GET, PUBLIC)
                .permitAll()
                .requestMatchers(HttpMethod.HEAD, PUBLIC)
                .permitAll()
                .requestMatchers(KEYS)
                .hasAuthority(Role.ADMIN.name())
                .requestMatchers(HttpMethod.GET, "/**")
                .hasAuthority(Role.VIEWER.name())
                .requestMatchers(HttpMethod.HEAD, "/**")
                .hasAuthority(Role.VIEWER.name())
                .requestMatchers(
                        HttpMethod.POST, "/api/v1/jobs", "/api/v1/jobs:batch", "/api/v1/jobs/*", "/api/v1/manifests")
                .hasAuthority(Role.SUBMITTER.name())
                .requestMatchers(HttpMethod.PATCH, "/api/v1/jobs/*")
                .hasAuthority(Role.SUBMITTER.name())
                .requestMatchers(HttpMethod.PATCH, "/api/v1/queues/*", "/api/v1/lanes/*")
                .hasAuthority(Role.OPERATOR.name())
                .anyRequest()
                .hasAuthority(Role.ADMIN.name());
    }

    /** There is no password anywhere: this keeps Spring Boot from making one up. */
    @Bean
    AuthenticationManager noPasswords() {
        return authentication -> {
            throw new BadCredentialsException("there are no passwords");
        };
    }
}
