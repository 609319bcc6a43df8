package dev.tutti.contract;

class MemoryStageContractTest extends StageContract {

    @Override
    protected StoreUnderTest open() {
        return new MemoryStoreUnderTest();
    }
}
