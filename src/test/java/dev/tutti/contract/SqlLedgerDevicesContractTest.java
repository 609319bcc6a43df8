package dev.tutti.contract;

class SqlLedgerDevicesContractTest extends LedgerDevicesContract {

    @Override
    protected StoreUnderTest open() {
        return new SqlStore();
    }
}
