package dev.tutti.contract;

class SqlExplanationTest extends ExplanationContract {

    @Override
    protected StoreUnderTest open() {
        return new SqlStore();
    }
}
