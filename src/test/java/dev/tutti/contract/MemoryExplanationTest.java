package dev.tutti.contract;

class MemoryExplanationTest extends ExplanationContract {

    @Override
    protected StoreUnderTest open() {
        return new MemoryStoreUnderTest();
    }
}
