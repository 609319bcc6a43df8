package dev.tutti.contract;

class MemoryDeadlineContractTest extends DeadlineContract {

    @Override
    protected StoreUnderTest open() {
        return new MemoryStoreUnderTest();
    }
}
