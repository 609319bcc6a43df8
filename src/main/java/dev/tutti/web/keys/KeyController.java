package dev.tutti.web.keys;

import dev.tutti.control.read.ApiKeyQueries;
import dev.tutti.control.read.ApiKeyQueries.ApiKeyView;
import dev.tutti.web.calls.PageResponse;
import dev.tutti.web.calls.Pages;
import dev.tutti.web.calls.Versions;
import dev.tutti.web.keys.KeyResponses.KeyResponse;
import dev.tutti.web.problem.ProblemFound;
import dev.tutti.web.problem.ProblemKind;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Shows API keys. */
@RestController
@RequestMapping(path = KeyController.KEYS, produces = "application/json")
@Tag(name = "keys")
final class KeyController {

    static final String KEYS = "/api/v1/keys";

    private final ApiKeyQueries keys;

    KeyController(ApiKeyQueries keys) {
        this.keys = keys;
    }

    @GetMapping
    @Operation(
            operationId = "listKeys",
            summary = "List API keys, oldest first",
            description = "For administrators. Expired ones are listed too, until they are revoked.")
    PageResponse<KeyResponse> list(
            @RequestParam(required = false) @Nullable Integer limit,
            @RequestParam(required = false) @Nullable String cursor) {
        return PageResponse.of(keys.keys(Pages.of(limit, cursor)), KeyResponse::of);
    }

    @GetMapping("/{id}")
    @Operation(
            operationId = "getKey",
            summary = "Show an API key, without the key itself",
            description =
                    "For administrators. It is also found by its name, if a path can hold that, as all new names can be held.")
    ResponseEntity<KeyResponse> one(@PathVariable String id) {
        ApiKeyView key = existing(keys, id);
        return ResponseEntity.ok().eTag(Versions.etag(key.version())).body(KeyResponse.of(key));
    }

    static ApiKeyView existing(ApiKeyQueries keys, String idOrName) {
        return keys.key(idOrName).orElseThrow(KeyController::notFound);
    }

    static ProblemFound notFound() {
        return new ProblemFound(ProblemKind.NOT_FOUND, "there is no API key with this id or name");
    }
}
