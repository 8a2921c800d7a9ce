package io.lockstep;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.CanBeAnnotated.Predicates.annotatedWith;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.lockstep.batch.Wire;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.flink.annotation.Internal;
import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.client.deployment.executors.LocalExecutor;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.util.ExceptionUtils;
import org.junit.jupiter.api.Test;

/** Checks the module and package dependencies: command, sink, connector, cache. */
class ArchitectureTest {

    private static final String[] CACHE = {"io.lockstep.cache..", "io.lockstep.ownership.."};
    private static final String ORDER = "io.lockstep.order..";
    private static final String FLINK = "org.apache.flink..";
    private static final String[] SINK = {"io.lockstep.sink..", "io.lockstep.handoff.."};
    private static final String[] COMMAND = {"io.lockstep.cli.."};

    private static final JavaClasses ALL =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    // Test classes shared by other modules come as a jar.
                    .withImportOption(location -> !location.contains("-tests.jar"))
                    .importPackages("io.lockstep");

    @Test
    void theOrderIsPure() {
        classes()
                .that()
                .resideInAPackage(ORDER)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("java..", ORDER)
                .check(ALL);
    }

    @Test
    void theCacheKnowsNeitherParquetNorFlinkNorTheRest() {
        noClasses()
                .that()
                .resideInAnyPackage(CACHE)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.parquet..", FLINK)
                .check(ALL);
        classes()
                .that()
                .resideInAnyPackage(CACHE)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        concat(
                                CACHE,
                                new String[] {
                                    "java..", "org.apache.arrow..", "org.slf4j..", "sun.."
                                }))
                .check(ALL);
    }

    /** The packages below the source can be used and tested without a job. */
    @Test
    void onlySourceAndWhatIsAboveItKnowMoreOfFlinkThanFileSystems() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "io.lockstep.audit..",
                        "io.lockstep.dataset..",
                        "io.lockstep.filter..",
                        "io.lockstep.footer..",
                        "io.lockstep.manifest..",
                        "io.lockstep.parquet..",
                        "io.lockstep.run..")
                .should()
                .dependOnClassesThat(
                        resideInAPackage(FLINK)
                                .and(
                                        not(
                                                resideInAnyPackage(
                                                        "org.apache.flink.core.fs..",
                                                        "org.apache.flink.util..",
                                                        "org.apache.flink.annotation.."))))
                .check(ALL);
        noClasses()
                .that()
                .resideInAnyPackage(
                        "io.lockstep.batch..",
                        "io.lockstep.digest..",
                        "io.lockstep.expression..",
                        "io.lockstep.materialize..",
                        "io.lockstep.transform..")
                .should()
                .dependOnClassesThat(
                        resideInAPackage(FLINK)
                                .and(not(resideInAPackage("org.apache.flink.annotation.."))))
                .check(ALL);
    }

    /** Depends only on Arrow, so that commands and tests need no job. */
    @Test
    void theWayFromARowGroupToABatchKnowsNothingOfFlink() {
        classes()
                .that()
                .resideInAPackage("io.lockstep.materialize..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "java..",
                        "org.apache.arrow..",
                        "org.slf4j..",
                        "javax.annotation..",
                        "io.lockstep",
                        "io.lockstep.materialize..",
                        "io.lockstep.dataset..",
                        "io.lockstep.filter..",
                        "io.lockstep.manifest..",
                        "io.lockstep.parquet..",
                        "io.lockstep.batch..",
                        "io.lockstep.digest..",
                        "io.lockstep.transform",
                        ORDER,
                        "io.lockstep.cache..")
                .check(ALL);
    }

    @Test
    void expressionsKnowOnlyArrow() {
        classes()
                .that()
                .resideInAPackage("io.lockstep.expression..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "java..",
                        "org.apache.arrow..",
                        "org.apache.flink.annotation..",
                        "javax.annotation..",
                        "io.lockstep",
                        "io.lockstep.expression..",
                        // Names columns and types in messages.
                        "io.lockstep.manifest")
                .check(ALL);
    }

    /** The columns of a batch are derived from dataset, columns and transforms in one place. */
    @Test
    void theWireSchemaIsMadeInOnePlace() {
        noClasses()
                .that()
                .resideOutsideOfPackages("io.lockstep.materialize..", "io.lockstep.benchmarks..")
                .should()
                .callMethod(Wire.class, "schema", Schema.class)
                .check(ALL);
    }

    @Test
    void theConnectorKnowsNeitherSinkNorCommand() {
        noClasses()
                .that()
                .resideOutsideOfPackages(concat(SINK, COMMAND))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(concat(SINK, COMMAND))
                .check(ALL);
    }

    @Test
    void theSinkDoesNotKnowTheCommand() {
        noClasses()
                .that()
                .resideInAnyPackage(SINK)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(COMMAND)
                .check(ALL);
    }

    private static String[] concat(String[] first, String[] second) {
        return Stream.of(first, second).flatMap(Arrays::stream).toArray(String[]::new);
    }

    /** Flink's public packages suffice: tasks and operators are not used directly. */
    @Test
    void flinksInternalsAreLeftAlone() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.apache.flink.streaming.runtime..",
                        "org.apache.flink.streaming.api.operators..",
                        "org.apache.flink.runtime.source..",
                        "org.apache.flink.runtime.taskmanager..")
                .check(ALL);
    }

    /** The exceptions have no public equivalent; a Flink release may change them. */
    @Test
    void whatFlinkMarksAsInternalIsLeftAlone() {
        DescribedPredicate<JavaClass> exceptions =
                belongToAnyOf(
                        // Reads FLINK_CONF_DIR as Flink's own commands do.
                        GlobalConfiguration.class,
                        // Finds a user error in a failure that a task serialised.
                        ExceptionUtils.class,
                        // Submits to a cluster that started before the job existed.
                        LocalExecutor.class,
                        // Base class of serializers without settings, as for Flink's own.
                        TypeSerializerSingleton.class);
        noClasses()
                .should()
                .dependOnClassesThat(
                        resideInAPackage(FLINK)
                                .and(not(exceptions))
                                .and(annotatedWith(Internal.class)))
                .check(ALL);
    }

    /** Code that depends on Flink's internals is confined to one class each. */
    @Test
    void anInternalPartOfFlinkIsUsedInOneClass() {
        onlyUsedIn("io.lockstep.cli.console.FileSystems", GlobalConfiguration.class);
        onlyUsedIn("io.lockstep.cli.run.EmbeddedFlink", LocalExecutor.class);
    }

    private static void onlyUsedIn(String user, Class<?> internal) {
        noClasses()
                .that()
                .haveNameNotMatching(Pattern.quote(user) + "(\\$.*)?")
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(internal)
                .check(ALL);
    }

    /** Tells users what is stable and what may change at any time. */
    @Test
    void whatUsersSeeSaysWhetherItIsForThem() {
        classes()
                .that()
                .resideInAnyPackage(
                        "io.lockstep",
                        "io.lockstep.source",
                        "io.lockstep.source.parquet",
                        "io.lockstep.transform",
                        "io.lockstep.sink",
                        "io.lockstep.handoff.client",
                        "io.lockstep.cli.runfile")
                .and()
                .arePublic()
                .and()
                .areTopLevelClasses()
                .should()
                .beAnnotatedWith(PublicEvolving.class)
                .orShould()
                .beAnnotatedWith(Internal.class)
                .check(ALL);
    }

    /** At every level: each package is its own slice. */
    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.(**)").should().beFreeOfCycles().check(ALL);
    }
}
