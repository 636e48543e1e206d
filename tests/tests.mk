# Tests: every test_*.c in tests/{unit,property,conformance,oracle,fault,fuzz} is one CMocka program linked with
# libattcert.a, tests/support/*.c and the oracles (Arb, GMP). tests/{cli,fault}/test_*.sh drive build/attcert,
# tests/structure/test_*.sh look at the sources, tests/install/test_*.sh at what is installed. tests/run runs them side
# by side and adds up their results; JOBS: how many at a time, one a processor unless set.
#   make check T=tests/unit/interval/test_text    one program
#   make check T=tests/cli/test_help.sh           one shell test
#   make run-tests LEFT_OUT='tests/install/%'     those of the last build, without some: patterns of make
# The long run against the oracle: make campaign (command, seed and result in tests/README.md)

TEST_DIRS := tests/unit tests/property tests/conformance tests/oracle tests/fault tests/fuzz
TEST_SRC  := $(sort $(shell find $(TEST_DIRS) -name 'test_*.c' 2>/dev/null))
TEST_BIN  := $(TEST_SRC:%.c=$(BUILD)/%)
SUPPORT_SRC := $(sort $(wildcard tests/support/*.c))
SUPPORT_OBJ := $(SUPPORT_SRC:%.c=$(BUILD)/%.o)
SUPPORT_LIB := $(BUILD)/tests/libsupport.a
CLI_TESTS   := $(sort $(wildcard tests/cli/test_*.sh tests/fault/test_*.sh tests/structure/test_*.sh tests/install/test_*.sh))
# Arb is a library of its own for FLINT 2 (Debian 12), a part of FLINT 3 (Debian 13), whose headers are in flint/.
ARB_CPPFLAGS := -idirafter /usr/include/flint
ARB_LDLIBS  := $(if $(wildcard /usr/include/flint/arb.h),,-lflint-arb) -lflint
TEST_LDLIBS := -lcmocka $(ARB_LDLIBS)

export ATTCERT_DATA ?= ../shared/data

# What the tests of faults preload.
PRELOADED := $(BUILD)/tests/fault/wrong_blas.so $(BUILD)/tests/fault/flush_to_zero.so
SHELL_TEST_PROGRAMS += $(PRELOADED)

.PHONY: tests test-objects test run-tests run-unit-tests check campaign
# tests/install installs: two of them at a time, so what they install is built before.
SHELL_TEST_PROGRAMS += $(STAGE)/libattcert.a
tests: $(TEST_BIN) $(SHELL_TEST_PROGRAMS)
test-objects: $(TEST_BIN:=.o) $(SUPPORT_OBJ)
test: setup
	@$(MAKE) --no-print-directory $(MAKE_JOBS) all tests
	@$(MAKE) --no-print-directory run-tests
run-tests:
	@BUILD=$(BUILD) sh tests/run $(filter-out $(LEFT_OUT),$(TEST_BIN) $(CLI_TESTS))
# Without tests/unit/support, which calls the oracles of the tests and nothing of src/.
run-unit-tests:
	@BUILD=$(BUILD) sh tests/run $(filter-out $(BUILD)/tests/unit/support/% $(LEFT_OUT),$(filter $(BUILD)/tests/unit/%,$(TEST_BIN)))

# A shell test may use any program that the tests build beside their own.
check:
	@test -n "$(T)" || { echo 'usage: make check T=tests/unit/interval/test_text' >&2; exit 2; }
	@$(MAKE) --no-print-directory $(MAKE_JOBS) $(if $(filter %.sh,$(T)),all $(SHELL_TEST_PROGRAMS),$(BUILD)/$(T:.c=))
	@$(if $(filter %.sh,$(T)),BUILD=$(BUILD) sh $(T),$(BUILD)/$(T:.c=))

campaign: $(BUILD)/tests/oracle/test_enclosure
	ATTCERT_CASES=100000 ATTCERT_SEED=2026 ATTCERT_JOBS=2 $<

$(BUILD)/tests/%: CPPFLAGS += -Itests/support $(ARB_CPPFLAGS)
# Programs that run commands of attcert link them too.
COMMANDS_LIB := $(BUILD)/tests/libcommands.a
$(COMMANDS_LIB): $(filter-out %/main.o,$(CLI_OBJ))
	@rm -f $@
	$(call says,AR $@)ar rcs $@ $^
# An archive, so that a program links only the support it calls.
$(SUPPORT_LIB): $(SUPPORT_OBJ)
	@rm -f $@
	$(call says,AR $@)ar rcs $@ $^
$(TEST_BIN): $(BUILD)/%: $(BUILD)/%.o $(SUPPORT_LIB) $(COMMANDS_LIB) $(BUILD)/libattcert.a
	$(call says,LD $@)$(CC) $(LDFLAGS) $^ $(TEST_LDLIBS) $(LDLIBS) -o $@

$(PRELOADED): $(BUILD)/%.so: %.c
	@mkdir -p $(@D)
	$(call says,LD $@)$(CC) $(CPPFLAGS) -std=gnu11 -O1 -fPIC -shared $(WARN) $< -ldl -o $@

# Every reader under libFuzzer and the sanitizers, from the stored inputs on; the last line adds up the executions.
#   make fuzz FUZZ_SECONDS=600     seconds for each reader (default 60)
FUZZ_SECONDS ?= 60
FUZZ_BUILD   ?= build-fuzz
.PHONY: fuzz
fuzz:
	@$(MAKE) --no-print-directory $(MAKE_JOBS) CC=clang OPT=-O1 BUILD=$(FUZZ_BUILD) \
	  SANITIZE='-fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all' $(FUZZ_BUILD)/tests/fuzz/fuzz_reader
	@BUILD=$(FUZZ_BUILD) sh tests/fuzz/run $(FUZZ_SECONDS)
$(BUILD)/tests/fuzz/fuzz_reader: %: %.o $(SUPPORT_LIB) $(COMMANDS_LIB) $(BUILD)/libattcert.a
	$(call says,LD $@)$(CC) $(LDFLAGS) -fsanitize=fuzzer $^ $(LDLIBS) -o $@

-include $(TEST_BIN:=.d) $(SUPPORT_OBJ:.o=.d)
