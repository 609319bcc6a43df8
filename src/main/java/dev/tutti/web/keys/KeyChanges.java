package dev.tutti.web.keys;

import dev.tutti.control.Actor;
import dev.tutti.control.ApiKeyBook;
import dev.tutti.control.ApiKeyBook.Made;
import dev.tutti.control.ApiKeyBook.NewApiKey;
import dev.tutti.control.ApiKeyBook.Revoked;
import dev.tutti.control.KeyedCall;
import dev.tutti.control.read.ApiKeyQueries;
import dev.tutti.control.read.ApiKeyQueries.ApiKeyView;
import dev.tutti.model.Violation;
import dev.tutti.web.calls.Keys;
import dev.tutti.web.calls.Versions;
import dev.tutti.web.input.Form;
import dev.tutti.web.keys.KeyForms.KeyRequest;
import dev.tutti.web.keys.KeyResponses.NewKeyResponse;
import dev.tutti.web.problem.Problem;
import dev.tutti.web.problem.ProblemFound;
import dev.tutti.web.problem.ProblemKind;
import dev.tutti.web.security.KeyRing;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.net.URI;
import java.security.Principal;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Makes and revokes API keys. */
@RestController
@RequestMapping(path = KeyController.KEYS, produces = "application/json")
@Tag(name = "keys")
final class KeyChanges {

    private final ApiKeyBook book;
    private final ApiKeyQueries keys;
    private final KeyRing ring;

    KeyChanges(ApiKeyBook book, ApiKeyQueries keys, KeyRing ring) {
        this.book = book;
        this.keys = keys;
        this.ring = ring;
    }

    @PostMapping(consumes = "application/json")
    @Operation(
            operationId = "createKey",
            summary = "Make an API key",
            description = "For administrators. The answer shows the key this once; only its hash is stored, so a call"
                    + " repeated under its Idempotency-Key answers 409 with the code SHOWN_ONCE instead. It works on the"
                    + " next request. There may be 1000 at a time.",
            requestBody =
                    @RequestBody(
                            required = true,
                            content = @Content(schema = @Schema(implementation = KeyRequest.class))))
    @ApiResponse(
            responseCode = "201",
            description = "Stored. Location and ETag are set.",
            content = @Content(schema = @Schema(implementation = NewKeyResponse.class)))
    ResponseEntity<NewKeyResponse> create(
            Form<KeyRequest> form,
            @RequestHeader(name = Keys.HEADER, required = false) @Nullable String key,
            Principal caller) {
        Secret secret = Secret.random();
        NewApiKey wanted = KeyForms.read(form.value(), secret, Instant.now());
        ApiKeyView made = made(book.make(new KeyedCall(actor(caller), Keys.checked(key), form.hash()), wanted));
        return ResponseEntity.created(URI.create(path(made.id())))
                .eTag(Versions.etag(made.version()))
                .body(NewKeyResponse.of(made, secret));
    }

    private static ApiKeyView made(Made made) {
        if (made instanceof Made.Done done) {
            return done.key();
        }
        if (made instanceof Made.Refused refused) {
            throw new ProblemFound(new Problem(
                    ProblemKind.CONFLICT, refused.why(), List.of(new Violation(refused.field(), refused.why())), null));
        }
        if (made instanceof Made.Full) {
            throw new ProblemFound(
                    ProblemKind.CONFLICT,
                    "there are " + ApiKeyBook.MOST + " API keys, the most there may be; revoke one that is not needed");
        }
        if (made instanceof Made.Before before) {
            throw new ProblemFound(
                    ProblemKind.SHOWN_ONCE,
                    "an earlier call with this Idempotency-Key made " + path(before.id())
                            + "; if its answer was lost, revoke that and use a new Idempotency-Key");
        }
        throw made instanceof Made.KeyReused ? Keys.reused() : Keys.busy();
    }

    @DeleteMapping("/{id}")
    @Operation(
            operationId = "revokeKey",
            summary = "Revoke an API key",
            description =
                    "For administrators. By id, or by name; the name of one made before names had to fit a path may need its id. The replica that answers"
                            + " refuses the key at once, every other one within ten seconds. The first administrator's key comes"
                            + " from the environment and is changed there. With If-Match only this version is revoked.")
    @ApiResponse(responseCode = "204", description = "It is nobody's.", content = @Content)
    ResponseEntity<Void> revoke(
            @PathVariable String id,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            Principal caller) {
        Long version = Versions.wanted(ifMatch);
        Revoked revoked = book.revoke(KeyController.existing(keys, id).id(), version, actor(caller));
        if (revoked instanceof Revoked.Done done) {
            ring.forget(done.sha256());
            return ResponseEntity.noContent().build();
        }
        if (revoked instanceof Revoked.First) {
            throw new ProblemFound(
                    ProblemKind.CONFLICT,
                    "this API key comes from TUTTI_API_KEY; set another one there and start the service again");
        }
        throw revoked instanceof Revoked.Stale stale ? Versions.stale(stale.version()) : KeyController.notFound();
    }

    private static String path(long id) {
        return KeyController.KEYS + "/" + id;
    }

    private static Actor.Caller actor(Principal caller) {
        return new Actor.Caller(caller.getName());
    }
}
