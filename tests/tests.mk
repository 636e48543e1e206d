# Tests: every tests/{unit,property,conformance,oracle,fuzz}/**/test_*.c is one CMocka program linked with libattcert.a,
# tests/support/*.c and the oracles (Arb, GMP). tests/cli/test_*.sh drive build/attcert. tests/run adds up their results.
# One program: make test-one T=tests/unit/interval/test_add
# The long run against the oracle: make campaign (command, seed and result in tests/README.md)

TEST_DIRS := tests/unit tests/property tests/conformance tests/oracle tests/fuzz
TEST_SRC  := $(sort $(shell find $(TEST_DIRS) -name 'test_*.c' 2>/dev/null))
TEST_BIN  := $(TEST_SRC:%.c=$(BUILD)/%)
SUPPORT_SRC := $(sort $(wildcard tests/support/*.c))
SUPPORT_OBJ := $(SUPPORT_SRC:%.c=$(BUILD)/%.o)
SUPPORT_LIB := $(BUILD)/tests/libsupport.a
CLI_TESTS   := $(sort $(wildcard tests/cli/test_*.sh))
TEST_LDLIBS := -lcmocka -lflint-arb -lflint

export ATTCERT_DATA ?= ../shared/data

.PHONY: tests test run-tests run-unit-tests test-one campaign
tests: $(TEST_BIN)
test: setup
	@$(MAKE) --no-print-directory $(JOBS) all tests
	@$(MAKE) --no-print-directory run-tests
run-tests:
	@BUILD=$(BUILD) sh tests/run $(TEST_BIN) $(CLI_TESTS)
run-unit-tests:
	@BUILD=$(BUILD) sh tests/run $(filter $(BUILD)/tests/unit/%,$(TEST_BIN))

test-one: $(BUILD)/$(T)
	$(BUILD)/$(T)

campaign: $(BUILD)/tests/oracle/test_enclosure
	ATTCERT_CASES=100000 ATTCERT_SEED=2026 ATTCERT_JOBS=2 $<

$(BUILD)/tests/%: CPPFLAGS += -Itests/support
# An archive, so that a program links only the support it calls.
$(SUPPORT_LIB): $(SUPPORT_OBJ)
	@rm -f $@
	ar rcs $@ $^
$(TEST_BIN): $(BUILD)/%: $(BUILD)/%.o $(SUPPORT_LIB) $(BUILD)/libattcert.a
	$(CC) $(LDFLAGS) $^ $(TEST_LDLIBS) $(LDLIBS) -o $@

-include $(TEST_BIN:=.d) $(SUPPORT_OBJ:.o=.d)
