package dev.tutti.store.work;

import dev.tutti.control.read.AttemptView;
import dev.tutti.model.JobId;
import dev.tutti.model.life.EndCause;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.time.Instant;
import java.util.UUID;
import org.hibernate.annotations.Immutable;
import org.jspecify.annotations.Nullable;

/** One run of a job, as JPA reads it; only the ledger writes it. */
@Entity
@Immutable
@Table(name = "attempts")
@IdClass(AttemptRow.Key.class)
class AttemptRow {

    @Id
    UUID jobId;

    @Id
    int number;

    Instant allocatedAt;

    @Nullable
    Instant startedAt;

    @Nullable
    Instant endedAt;

    @Enumerated(EnumType.STRING)
    @Nullable
    EndCause cause;

    @Nullable
    UUID stoppedFor;

    int members;

    long gpuMilli;

    AttemptView view() {
        JobId beneficiary = stoppedFor == null ? null : new JobId(stoppedFor);
        return new AttemptView(number, allocatedAt, startedAt, endedAt, cause, beneficiary, members, gpuMilli);
    }

    /** The row's key. */
    record Key(UUID jobId, int number) implements Serializable {}
}
