package dev.tutti.contract;

class MemoryLedgerContractTest extends LedgerContract {

    @Override
    protected StoreUnderTest open() {
        return new MemoryStoreUnderTest();
    }
}
