# The programs of the experiments: $(BUILD)/bounds/programs/NAME, linked with what they share and libattcert.a; and the
# tests of what they share, CMocka programs like those of tests/.

PROGRAM_NAMES := head_variants layer_constants layernorm paper_variants regimes write_head
BOUNDS_PROGRAMS := $(PROGRAM_NAMES:%=$(BUILD)/bounds/programs/%)
PROGRAM_PARTS := $(filter-out $(PROGRAM_NAMES:%=bounds/programs/%.c),$(sort $(wildcard bounds/programs/*.c)))
PROGRAM_LIB   := $(BUILD)/bounds/programs/libprograms.a
PROGRAM_TESTS := $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard tests/bounds/test_*.c)))

.PHONY: bounds-programs
bounds-programs: $(BOUNDS_PROGRAMS)
$(PROGRAM_LIB): $(PROGRAM_PARTS:%.c=$(BUILD)/%.o)
	@rm -f $@
	$(call says,AR $@)ar rcs $@ $^
$(BOUNDS_PROGRAMS): %: %.o $(PROGRAM_LIB) $(BUILD)/libattcert.a
	$(call says,LD $@)$(CC) $(LDFLAGS) $^ $(LDLIBS) -o $@

tests: $(PROGRAM_TESTS) $(BOUNDS_PROGRAMS)
TEST_BIN += $(PROGRAM_TESTS)
CLI_TESTS += $(sort $(wildcard tests/bounds/test_regimes*.sh))
$(BUILD)/tests/bounds/%: CPPFLAGS += -Ibounds/programs
$(PROGRAM_TESTS): %: %.o $(SUPPORT_LIB) $(PROGRAM_LIB) $(BUILD)/libattcert.a
	$(call says,LD $@)$(CC) $(LDFLAGS) $^ $(TEST_LDLIBS) $(LDLIBS) -o $@

-include $(BOUNDS_PROGRAMS:=.d) $(PROGRAM_PARTS:%.c=$(BUILD)/%.d) $(PROGRAM_TESTS:=.d)
