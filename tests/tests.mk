# Tests: every tests/{unit,property,conformance,oracle,fuzz}/**/test_*.c is one CMocka program linked with libattcert.a,
# tests/support/*.c and the oracles (Arb, GMP). tests/cli/*.sh drive build/attcert. tests/run adds up their results.
# One program: make test-one T=tests/unit/interval/test_add

TEST_DIRS := tests/unit tests/property tests/conformance tests/oracle tests/fuzz
TEST_SRC  := $(sort $(shell find $(TEST_DIRS) -name 'test_*.c'))
TEST_BIN  := $(TEST_SRC:%.c=$(BUILD)/%)
SUPPORT_SRC := $(sort $(wildcard tests/support/*.c))
SUPPORT_OBJ := $(SUPPORT_SRC:%.c=$(BUILD)/%.o)
TEST_LDLIBS := -lcmocka -lflint-arb -lflint

export ATTCERT_DATA ?= ../shared/data

.PHONY: tests test test-one
tests: $(TEST_BIN)
test: setup
	@$(MAKE) --no-print-directory all tests
	@BUILD=$(BUILD) sh tests/run

test-one: $(BUILD)/$(T)
	$(BUILD)/$(T)

$(BUILD)/tests/%: CPPFLAGS += -Itests/support
$(TEST_BIN): $(BUILD)/%: $(BUILD)/%.o $(SUPPORT_OBJ) $(BUILD)/libattcert.a
	$(CC) $(LDFLAGS) $^ $(TEST_LDLIBS) $(LDLIBS) -o $@

-include $(TEST_BIN:=.d) $(SUPPORT_OBJ:.o=.d)
