# Experiments (bounds/README.md). They read trained models and texts below ATTCERT_DATA.
#   make bounds        all, full size: bounds/results, and the tables of bounds/README.md; goes on where it was
#                      interrupted
#   make bounds-quick  all, small: $(BUILD)/bounds, three minutes
# Both print what they check, and fail when a certified number contradicts the theory.
# E: only these experiments, such as make bounds E='growth mask'. BOUNDS_JOBS: processes at once.

include bounds/programs.mk
include bounds/bench/bench.mk

CONSTRUCTIONS := $(BUILD)/bounds/constructions/worst_start $(BUILD)/bounds/constructions/scaled_input
CONSTRUCTION_PARTS := $(BUILD)/bounds/constructions/read_head.o
$(CONSTRUCTIONS:=.o): CPPFLAGS += -Ibounds/programs
$(CONSTRUCTIONS): %: %.o $(CONSTRUCTION_PARTS) $(PROGRAM_LIB) $(BUILD)/libattcert.a
	$(call says,LD $@)$(CC) $(LDFLAGS) $^ $(LDLIBS) -o $@
-include $(CONSTRUCTIONS:=.d) $(CONSTRUCTION_PARTS:.o=.d)

# Part of make test.
tests: $(CONSTRUCTIONS)
SHELL_TEST_PROGRAMS += $(BOUNDS_PROGRAMS) $(BENCH_PROGRAMS) $(CONSTRUCTIONS)
CLI_TESTS := $(sort $(CLI_TESTS) $(wildcard tests/bounds/test_*.sh))

.PHONY: bounds bounds-quick
bounds bounds-quick: $(BUILD)/attcert $(BOUNDS_PROGRAMS) $(BENCH_PROGRAMS) $(CONSTRUCTIONS)
bounds:
	@BUILD=$(BUILD) sh bounds/run full bounds/results $(E)
	$(if $(E),,@sh bounds/tables record)
bounds-quick:
	@BUILD=$(BUILD) sh bounds/run quick $(BUILD)/bounds $(E)
