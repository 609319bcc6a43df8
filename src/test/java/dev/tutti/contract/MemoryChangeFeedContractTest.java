package dev.tutti.contract;

class MemoryChangeFeedContractTest extends ChangeFeedContract {

    @Override
    protected StoreUnderTest open() {
        return new MemoryStoreUnderTest();
    }
}
