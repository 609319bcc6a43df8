package dev.tutti.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.Plan;
import dev.tutti.control.PlanId;
import dev.tutti.control.read.EventQueries.EventView;
import dev.tutti.model.JobId;
import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class SqlLedgerContractTest extends LedgerContract {

    @Override
    protected StoreUnderTest open() {
        return new SqlStore();
    }

    @Test
    void newNumbersAreNoEvent() {
        JobId job = submit(job("waits", 1, 1));
        waitFor(new Plan.Wait(
                job, 0, new Reason(ReasonCode.WAITING_FOR_CAPACITY, "gpuMilli", 1_000, 0, "None is free.")));
        List<EventView> before = events();

        Reason fuller = new Reason(ReasonCode.WAITING_FOR_CAPACITY, "gpuMilli", 1_000, 500, "No whole one is free.");
        Plan plan = new Plan(1, List.of(), List.of(), List.of(), List.of(), List.of(new Plan.Wait(job, 1, fuller)));
        store.ledger().commit(new PlanId(UUID.randomUUID()), plan, leader);

        assertThat(waiting(job).verdict()).isEqualTo(fuller);
        assertThat(events()).isEqualTo(before);
        assertThat(before).extracting(EventView::type).contains("job.reason");
    }

    private List<EventView> events() {
        return ((SqlStore) store).eventQueries().after("0-0", 500);
    }
}
