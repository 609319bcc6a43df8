package dev.tutti.contract;

class SqlQueueBookContractTest extends QueueBookContract {

    @Override
    protected StoreUnderTest open() {
        return new SqlStore();
    }
}
