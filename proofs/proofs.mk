# Proofs (spec/reference.md, proofs/TRUST.md). They need frama-c-base, why3, z3, cvc4, coq and libcoq-flocq, which
# `.ci/setup proofs` installs; nothing else does.
#   make proofs          every proof anew (KEEP_CACHE=1: goals proved before are looked up), then the record of it:
#                        proofs/results/*.json, proofs/wp/cache.txt, the tables in proofs/README.md and spec/chain.svg
#   make proofs-changed  the same of the files that are not as they were recorded; the others are taken from the record
#   make proofs-replay   the same with verdicts from the record, which must agree: of files that changed since they were
#                        recorded and of a random tenth of the others (SEED=N draws it again; PROOFS_ALL=1: of all); the
#                        rest is taken as recorded. The provers run on a random sample of verdicts, and on new ones
#   make proofs-path     for each kind of certificate: the lines that it passes through, those under proof, what it
#                        trusts (also a part of the two above; RECORD=1: writes the figures in proofs/README.md)
#   make prove F=FILE.c  one file through the provers; names the goals that are not proved (LIMIT: seconds for each
#                        prover)
#   make proofs-assumed  writes down what no proof establishes, as the last run of the first two has found it
#   make teach           programs whose specifications run, and stop them at a mistake
#   make proofs-failures which provers need not be asked for which goals: proofs/wp/failures.txt, for a faster `make
#   proofs`
#   make mutants         seeded bugs, each of which must leave a goal unproved or fail a test; verdicts are recorded in
#                        proofs/results/mutants.csv, and a run goes on where the last one stopped

PROOFS := $(BUILD)/proofs

# Provers, Frama-C and Coq fill hundreds of MiB each and end: large pages save a tenth of their time.
fresh-wp changed-wp replay-wp coq mutants prove: export GLIBC_TUNABLES := glibc.malloc.hugetlb=1

.PHONY: proofs proofs-changed proofs-replay fresh-wp changed-wp replay-wp eva coq proofs-path proofs-assumed
.PHONY: prove proofs-failures teach mutants
proofs proofs-changed proofs-replay prove proofs-failures teach mutants: | proofs-setup
.PHONY: proofs-setup
proofs-setup:
	@sh .ci/setup proofs
proofs: PROVED_ANEW := fresh-wp
proofs-changed: PROVED_ANEW := changed-wp
proofs proofs-changed:
	@$(MAKE) --no-print-directory -j3 $(PROVED_ANEW) eva coq
	@sh proofs/status record $(PROOFS)
	@$(MAKE) --no-print-directory proofs-path RECORD=1
proofs-replay:
	@$(MAKE) --no-print-directory -j4 replay-wp eva coq proofs-path
	@sh proofs/status check $(PROOFS)
fresh-wp changed-wp replay-wp: %-wp:
	@bash proofs/wp/gate $* $(PROOFS)
eva:
	@sh proofs/eva/check $(PROOFS)/eva
coq:
	@sh proofs/coq/check $(PROOFS)/coq
proofs-assumed:
	@python3 proofs/gates/check record $(PROOFS)
# A build that shows which function calls which, and which have run (proofs/chain/calls.py).
CHAIN := $(BUILD)/chain
# Counts of runs before are those of other objects where a file has changed since.
proofs-path: | setup
	@mkdir -p $(CHAIN) && find $(CHAIN) -name '*.gcda' -delete
	@$(MAKE) --no-print-directory -s $(MAKE_JOBS) BUILD=$(CHAIN) OPT='-O0 -ffunction-sections -fdata-sections' \
	  SANITIZE=--coverage $(CHAIN)/attcert
	@python3 proofs/chain/path $(if $(RECORD),record,check) $(CHAIN)
prove:
	@sh proofs/wp/prove $(BUILD)/prove/proofs "$(F)"
proofs-failures:
	@bash proofs/wp/failures $(BUILD)/proofs-failures
teach:
	@mkdir -p $(PROOFS)/teach
	@bash proofs/teach/run $(PROOFS)/teach
mutants:
	@bash proofs/mutants/run $(PROOFS)/mutants
