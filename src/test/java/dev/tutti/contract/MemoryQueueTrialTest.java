package dev.tutti.contract;

class MemoryQueueTrialTest extends QueueTrialContract {

    @Override
    protected StoreUnderTest open() {
        return new MemoryStoreUnderTest();
    }
}
