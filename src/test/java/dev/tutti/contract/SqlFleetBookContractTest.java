package dev.tutti.contract;

class SqlFleetBookContractTest extends FleetBookContract {

    @Override
    protected StoreUnderTest open() {
        return new SqlStore();
    }
}
