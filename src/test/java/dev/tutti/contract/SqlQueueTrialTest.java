package dev.tutti.contract;

class SqlQueueTrialTest extends QueueTrialContract {

    @Override
    protected StoreUnderTest open() {
        return new SqlStore();
    }
}
