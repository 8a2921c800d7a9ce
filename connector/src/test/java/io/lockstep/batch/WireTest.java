package io.lockstep.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.UserException;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the columns that trainers receive, and rejected columns. */
class WireTest {

    private static final ArrowType INT64 = new ArrowType.Int(64, true);

    @Test
    void appendsIdAndWeight() {
        Field age = RandomRows.column("age", INT64);
        Schema wire = Wire.schema(new Schema(List.of(age), Map.of("origin", "census")));
        assertThat(wire.getFields().get(0)).isEqualTo(age);
        assertThat(wire.toString())
                .contains("_sample: Int(64, false) not null", "_weight: Int(8, false) not null");
        assertThat(wire.getCustomMetadata()).containsEntry("origin", "census");
    }

    @ParameterizedTest
    @ValueSource(strings = {"_sample", "_weight"})
    void refusesItsOwnNames(String name) {
        Schema columns = new Schema(List.of(RandomRows.column(name, INT64)));
        assertThatThrownBy(() -> Wire.schema(columns))
                .isInstanceOf(UserException.class)
                .hasMessageContaining(name);
    }

    @Test
    void refusesTwoColumnsOfOneName() {
        Field age = RandomRows.column("age", INT64);
        assertThatThrownBy(() -> Wire.schema(new Schema(List.of(age, age))))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("age");
    }

    @Test
    void refusesTypesThatABatchCannotHold() {
        Field large = RandomRows.column("element", new ArrowType.LargeUtf8());
        Field tags = RandomRows.column("tags", new ArrowType.List(), large);
        assertThatThrownBy(() -> Wire.schema(new Schema(List.of(tags))))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("tags[]")
                .hasMessageContaining("LargeUtf8");
    }

    @Test
    void refusesToGatherIntoAnotherSchema() {
        Schema columns = new Schema(List.of(RandomRows.column("age", INT64)));
        assertThatThrownBy(() -> new Gather(columns)).isInstanceOf(IllegalArgumentException.class);
    }
}
