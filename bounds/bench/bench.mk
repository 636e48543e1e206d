# attcert's engines beside programs that do a part of its work (bounds/bench/README.md).
#   make bench             about an hour on two idle cores: bounds/bench/results, and the tables of
#                          bounds/bench/README.md
#   make bench BENCH=full  the largest layers too, for hours
#   make bench-quick       small, less than a minute: $(BUILD)/bench
#   make bench-python      what the Python module adds to the command line's time
# E: only these groups of cases (bounds/bench/cases.sh), such as make bench E=one_head: into $(BUILD)/bench, the tables
# stay as they are.
# BENCH_THREADS: threads of both sides (default: one a processor).

BENCH ?= default
BENCH_PROGRAMS := $(BUILD)/bounds/bench/peers/peers $(BUILD)/bounds/bench/peers/write_jacobian
PEER_PARTS := $(filter-out $(BENCH_PROGRAMS:=.o),$(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard bounds/bench/peers/*.c))))
PEER_LIB   := $(BUILD)/bounds/bench/peers/libpeers.a
PEER_TESTS := $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard tests/bounds/bench/test_*.c)))

$(BUILD)/bounds/bench/%.o: CPPFLAGS += -Ibounds/programs $(ARB_CPPFLAGS)
$(BUILD)/tests/bounds/bench/%.o: CPPFLAGS += -Ibounds/bench/peers
$(PEER_LIB): $(PEER_PARTS)
	@rm -f $@
	$(call says,AR $@)ar rcs $@ $^
$(BENCH_PROGRAMS): %: %.o $(PEER_LIB) $(PROGRAM_LIB) $(BUILD)/libattcert.a
	$(call says,LD $@)$(CC) $(LDFLAGS) $^ $(ARB_LDLIBS) $(LDLIBS) -o $@
$(PEER_TESTS): %: %.o $(SUPPORT_LIB) $(PEER_LIB) $(PROGRAM_LIB) $(BUILD)/libattcert.a
	$(call says,LD $@)$(CC) $(LDFLAGS) $^ $(TEST_LDLIBS) $(LDLIBS) -o $@

# Part of make test.
tests: $(PEER_TESTS) $(BENCH_PROGRAMS)
TEST_BIN += $(PEER_TESTS)

.PHONY: bench bench-quick
bench bench-quick: $(BUILD)/attcert $(BENCH_PROGRAMS)
bench:
	@BUILD=$(BUILD) sh bounds/bench/run $(BENCH) $(if $(E),$(BUILD)/bench,bounds/bench/results) $(E)
	$(if $(E),,@sh bounds/bench/tables record)
bench-quick:
	@BUILD=$(BUILD) sh bounds/bench/run quick $(BUILD)/bench

-include $(BENCH_PROGRAMS:=.d) $(PEER_PARTS:.o=.d) $(PEER_TESTS:=.d)

# A minute on an idle machine; python3-numpy.
.PHONY: bench-python
bench-python: $(BUILD)/attcert $(BUILD)/libattcert.so
	@PYTHONPATH=src/python ATTCERT_LIBRARY=$(BUILD)/libattcert.so $$(sh src/python/interpreter numpy) -B \
	  bounds/bench/python_overhead.py $(BUILD)/attcert 15
