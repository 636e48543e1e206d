# Specification and proofs of src/kernel/ (spec/README.md). They need frama-c-base, why3, z3 and cvc4; nothing else does.
#   make spec-check   Frama-C type-checks every annotation; a warning of any kind fails it
#   make proofs       WP proves the contracts of the files listed in proofs/wp/kernel.txt

FRAMA_C := frama-c -machdep gcc_x86_64 \
  -cpp-extra-args="-Isrc -Ispec -idirafter /usr/include/x86_64-linux-gnu -idirafter /usr/include"

.PHONY: spec-check proofs
spec-check:
	@mkdir -p $(BUILD)/proofs
	@FRAMA_C='$(FRAMA_C)' sh proofs/spec_check $(BUILD)/proofs/spec_check.log src/kernel/*.c
proofs:
	@mkdir -p $(BUILD)/proofs
	@FRAMA_C='$(FRAMA_C)' sh proofs/wp/prove $(BUILD)/proofs proofs/wp/kernel.txt
