package dev.tutti.web.queues;

import dev.tutti.control.Actor;
import dev.tutti.control.KeyedCall;
import dev.tutti.control.QueueBook;
import dev.tutti.control.QueueBook.Changed;
import dev.tutti.control.QueueBook.Created;
import dev.tutti.control.QueueBook.Creation;
import dev.tutti.control.intake.QueueForecast;
import dev.tutti.control.intake.QueueTrial;
import dev.tutti.control.read.FleetQueries;
import dev.tutti.control.read.FleetQueries.FlavorView;
import dev.tutti.control.read.QueueQueries;
import dev.tutti.control.read.QueueQueries.QueueView;
import dev.tutti.model.QueueId;
import dev.tutti.model.Violation;
import dev.tutti.model.queue.QueueRules;
import dev.tutti.web.calls.Keys;
import dev.tutti.web.calls.Versions;
import dev.tutti.web.input.Form;
import dev.tutti.web.input.Violations;
import dev.tutti.web.problem.Problem;
import dev.tutti.web.problem.ProblemFound;
import dev.tutti.web.problem.ProblemKind;
import dev.tutti.web.queues.QueueForms.QueuePatch;
import dev.tutti.web.queues.QueueForms.QueueRequest;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.net.URI;
import java.security.Principal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/** Changes queues. */
@RestController
@RequestMapping(path = "/api/v1/queues", produces = "application/json")
@Tag(name = "queues")
final class QueueChanges {

    private final QueueBook book;
    private final QueueTrial trial;
    private final QueueQueries queues;
    private final FleetQueries fleet;
    private final JsonMapper mapper;

    QueueChanges(QueueBook book, QueueTrial trial, QueueQueries queues, FleetQueries fleet, JsonMapper mapper) {
        this.book = book;
        this.trial = trial;
        this.queues = queues;
        this.fleet = fleet;
        this.mapper = mapper;
    }

    @PostMapping(consumes = "application/json")
    @Operation(
            operationId = "createQueue",
            summary = "Create a queue",
            description =
                    "A tree is made from the top down, one queue a call: first the queue above, then those below it, which"
                            + " are promised no more together than it has. A path alone is enough; every other field may be left out."
                            + " Jobs wait in the leaves.",
            requestBody =
                    @RequestBody(
                            required = true,
                            content = @Content(schema = @Schema(implementation = QueueRequest.class))))
    @ApiResponse(
            responseCode = "201",
            description = "Stored. Location and ETag are set.",
            content = @Content(schema = @Schema(implementation = QueueResponse.class)))
    ResponseEntity<byte[]> create(
            Form<QueueRequest> form,
            @RequestHeader(name = Keys.HEADER, required = false) @Nullable String key,
            Principal caller) {
        QuotaForms quotas = QuotaForms.of(form.value());
        Violations violations = new Violations();
        QueueForms.checkPath(form.value().path(), violations);
        List<String> flavors = flavors();
        quotas.check(flavors, violations);
        QueueRules rules = form.value().rules(violations);
        LimitForms.check(rules.limits(), flavors, violations);
        violations.orThrow();
        byte[] answer = stored(book.create(new Creation(
                new KeyedCall(actor(caller), Keys.checked(key), form.hash()),
                form.value().path(),
                quotas.quotas(),
                rules,
                queue -> mapper.writeValueAsBytes(QueueResponse.of(queue)))));
        String id = mapper.readTree(answer).path("id").asString();
        return ResponseEntity.created(URI.create("/api/v1/queues/" + id))
                .contentType(MediaType.APPLICATION_JSON)
                .eTag(Versions.etag(0))
                .body(answer);
    }

    private static byte[] stored(Created created) {
        if (created instanceof Created.Stored stored) {
            return stored.answer();
        }
        if (created instanceof Created.Refused refused) {
            throw refused(refused.why());
        }
        throw created instanceof Created.KeyReused ? Keys.reused() : Keys.busy();
    }

    @PatchMapping(
            path = "/{id}",
            consumes = {"application/merge-patch+json", "application/json"})
    @Operation(
            operationId = "changeQueue",
            summary = "Change a queue's quota, or hold it",
            description = "A quota may be below what is in use: then nothing more starts until enough has ended. With"
                    + " dryRun=true nothing is written: the answer says what the change would evict, let start and keep"
                    + " from starting, and the same things are refused as without it.",
            requestBody =
                    @RequestBody(
                            required = true,
                            content = @Content(schema = @Schema(implementation = QueuePatch.class))))
    @ApiResponse(
            responseCode = "200",
            description = "The queue as it is now; or, of a dry run, what the change would do.",
            content = @Content(schema = @Schema(oneOf = {QueueResponse.class, QueueForecastResponse.class})))
    ResponseEntity<?> change(
            @PathVariable String id,
            Form<QueuePatch> form,
            @RequestParam(defaultValue = "false") boolean dryRun,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            Principal caller) {
        long version = Versions.required(ifMatch);
        QueueView before = existing(id);
        if (before.version() != version) {
            throw Versions.stale(before.version());
        }
        Violations violations = new Violations();
        QuotaForms now = QuotaForms.of(before.quotas());
        QuotaForms after = now.merge(form.value(), violations);
        QueueRules rules = form.value().merge(before.rules(), violations);
        List<String> flavors = flavors();
        after.check(flavors, violations);
        LimitForms.check(rules.limits(), flavors, violations);
        violations.orThrow();
        if (dryRun) {
            done(book.tryChange(before.id(), version, after.quotas(), rules));
            return ResponseEntity.ok(shown(trial.change(before.id(), after.quotas(), rules)));
        }
        if (!after.equals(now) || !rules.equals(before.rules())) {
            done(book.change(before.id(), version, after.quotas(), rules, actor(caller)));
        }
        QueueView changed = existing(id);
        return ResponseEntity.ok().eTag(Versions.etag(changed.version())).body(QueueResponse.of(changed));
    }

    @DeleteMapping("/{id}")
    @Operation(
            operationId = "removeQueue",
            summary = "Remove an empty leaf",
            description = "409 while jobs wait or run in it: drain it first. With dryRun=true nothing is removed: the"
                    + " answer says what would become of those who borrow from it.")
    @ApiResponse(responseCode = "204", description = "It is gone.", content = @Content)
    @ApiResponse(
            responseCode = "200",
            description = "Of a dry run: what the removal would do.",
            content = @Content(schema = @Schema(implementation = QueueForecastResponse.class)))
    ResponseEntity<?> remove(
            @PathVariable String id,
            @RequestParam(defaultValue = "false") boolean dryRun,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            Principal caller) {
        long version = Versions.required(ifMatch);
        long queue = existing(id).id();
        if (dryRun) {
            done(book.tryRemove(queue, version));
            return ResponseEntity.ok(shown(trial.removal(queue)));
        }
        done(book.remove(queue, version, actor(caller)));
        return ResponseEntity.noContent().build();
    }

    /** Each queue is looked up once. */
    private QueueForecastResponse shown(QueueForecast forecast) {
        Map<QueueId, String> paths = new HashMap<>();
        return QueueForecastResponse.of(
                forecast,
                queue -> paths.computeIfAbsent(
                        queue,
                        one -> queues.queue(Long.toString(one.value()))
                                .map(QueueView::path)
                                .orElse("")));
    }

    private static Changed.Done done(Changed changed) {
        if (changed instanceof Changed.Done done) {
            return done;
        }
        if (changed instanceof Changed.Stale stale) {
            throw Versions.stale(stale.version());
        }
        if (changed instanceof Changed.Refused refused) {
            throw refused(refused);
        }
        throw notFound();
    }

    private static ProblemFound refused(Changed.Refused refused) {
        return new ProblemFound(new Problem(
                ProblemKind.CONFLICT, refused.why(), List.of(new Violation(refused.field(), refused.why())), null));
    }

    private QueueView existing(String id) {
        return queues.queue(id).orElseThrow(QueueChanges::notFound);
    }

    private List<String> flavors() {
        return fleet.flavors().stream().map(FlavorView::name).toList();
    }

    private static Actor.Caller actor(Principal caller) {
        return new Actor.Caller(caller.getName());
    }

    static ProblemFound notFound() {
        return new ProblemFound(
                ProblemKind.NOT_FOUND, "there is no queue with this id; GET /api/v1/queues lists those that there are");
    }
}
