package dev.tutti.contract;

class MemoryQueueDoorTest extends QueueDoorContract {

    @Override
    protected StoreUnderTest open() {
        return new MemoryStoreUnderTest();
    }
}
