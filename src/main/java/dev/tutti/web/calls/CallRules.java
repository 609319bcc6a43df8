package dev.tutti.web.calls;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.tutti.web.input.FormResolver;
import java.util.List;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Tells Spring MVC how calls are read and answered: strict in, no nulls out. */
@Configuration(proxyBeanMethods = false)
class CallRules implements WebMvcConfigurer {

    @Override
    public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
        resolvers.add(new FormResolver());
    }

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(new StrictParameters());
    }

    @Bean
    JsonMapperBuilderCustomizer nullsAreLeftOut() {
        return builder -> builder.changeDefaultPropertyInclusion(
                old -> JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS));
    }
}
