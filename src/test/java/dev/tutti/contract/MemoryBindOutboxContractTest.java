package dev.tutti.contract;

class MemoryBindOutboxContractTest extends BindOutboxContract {

    @Override
    protected StoreUnderTest open() {
        return new MemoryStoreUnderTest();
    }
}
