package dev.tutti.store.work;

import java.util.List;
import java.util.UUID;
import org.springframework.data.domain.Limit;
import org.springframework.data.repository.Repository;

/** Reads attempts. */
public interface AttemptRows extends Repository<AttemptRow, AttemptRow.Key> {

    List<AttemptRow> findByJobIdOrderByNumberDesc(UUID jobId, Limit limit);
}
