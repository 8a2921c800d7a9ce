package io.lockstep.manifest;

import javax.annotation.Nullable;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * A column that can be read although it differs between files, if the {@link SchemaRules} allow it.
 *
 * @param field with the widest type
 * @param widened the types that differ, completing the sentence "the column ..."; null if none do
 * @param missing the file without it, in the same form; null if all have it
 */
record VaryingColumn(Field field, @Nullable String widened, @Nullable String missing) {

    String name() {
        return field.getName();
    }

    /** Returns why it is refused; null if it is not. */
    @Nullable
    UnreadableColumn refused(SchemaRules rules) {
        String type = TypeNames.of(field);
        if (widened != null && !rules.widen()) {
            return new UnreadableColumn(
                    name(), type, widened, null, "--widen or schema: {widen: true}");
        }
        if (missing != null && !rules.fillMissing()) {
            return new UnreadableColumn(
                    name(), type, missing, null, "--missing null or schema: {missing: null}");
        }
        return null;
    }
}
