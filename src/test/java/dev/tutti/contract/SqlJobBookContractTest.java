package dev.tutti.contract;

class SqlJobBookContractTest extends JobBookContract {

    @Override
    protected StoreUnderTest open() {
        return new SqlStore();
    }
}
