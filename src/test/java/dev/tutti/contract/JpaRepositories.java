package dev.tutti.contract;

import dev.tutti.testkit.postgres.TestDatabase;
import jakarta.persistence.EntityManagerFactory;
import java.util.Map;
import org.springframework.data.jpa.repository.support.JpaRepositoryFactory;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;

/** The JPA part of the store on a test's database; the entities are compared with the real schema when it opens. */
final class JpaRepositories implements AutoCloseable {

    private final LocalContainerEntityManagerFactoryBean bean = new LocalContainerEntityManagerFactoryBean();

    JpaRepositories(TestDatabase database) {
        bean.setDataSource(database.dataSource());
        bean.setPackagesToScan("dev.tutti.store");
        bean.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
        bean.setJpaPropertyMap(Map.of(
                "hibernate.hbm2ddl.auto",
                "validate",
                "hibernate.physical_naming_strategy",
                "org.hibernate.boot.model.naming.PhysicalNamingStrategySnakeCaseImpl"));
        bean.afterPropertiesSet();
    }

    <T> T repository(Class<T> type) {
        EntityManagerFactory factory = bean.getObject();
        return new JpaRepositoryFactory(SharedEntityManagerCreator.createSharedEntityManager(factory))
                .getRepository(type);
    }

    @Override
    public void close() {
        bean.destroy();
    }
}
