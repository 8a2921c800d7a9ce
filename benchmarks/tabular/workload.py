"""The columns and the batch size of every loader in this comparison."""

FLOATS = [f"f{number:02d}" for number in range(40)]
INTEGERS = [f"i{number:02d}" for number in range(10)]
ROW_ID, LABEL = "row_id", "label"
COLUMNS = [*FLOATS, *INTEGERS, ROW_ID, LABEL]

BATCH = 4096
ROWS = 2_000_000
FILES = 8
ROW_GROUP = 50_000

ROW_BYTES = 4 * len(FLOATS) + 8 * len(INTEGERS) + 8 + 4
