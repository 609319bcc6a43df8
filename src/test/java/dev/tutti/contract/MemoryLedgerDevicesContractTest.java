package dev.tutti.contract;

class MemoryLedgerDevicesContractTest extends LedgerDevicesContract {

    @Override
    protected StoreUnderTest open() {
        return new MemoryStoreUnderTest();
    }
}
