# attcert: certified Lipschitz bounds for attention.
#   make         build/attcert, build/libattcert.a, build/libattcert.so
#   make demo    certify two randomly initialised layers (installs what is missing first)
#   make test    every test                              (installs what is missing first)
#   make mpi     build/attcert-mpi, for mpirun            (installs what is missing first)
#   make docs, make notebooks: the documents as a site, the lessons as Jupyter notebooks (src/docs/docs.mk)
#   make install install the program, the library, its header and more under PREFIX (src/install/install.mk has the
#                targets uninstall, deb and doc, too)
# MODULES restricts the library to some folders of src/, BUILD names another output folder.

BUILD   ?= build
MODULES ?= base interval linalg kernel reference certify theory spectrum search ball network lipschitz model dataset onnx robust vnnlib report run api randomized
ifeq ($(origin CC),default)
CC := gcc
endif
OPT     ?= -O2
SANITIZE ?=

# What stops an overflow that the tests did not find; a build without optimisation or with sanitizers has no FORTIFY.
HARDEN := -fstack-protector-strong $(if $(SANITIZE)$(filter -O0,$(OPT)),,-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
WARN := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Werror
# -ffp-contract=off: the error model of every double expression is one rounding per operation.
# -fvisibility=hidden: the shared library exports what attcert.h declares, and calls the rest directly.
CFLAGS  := -std=c11 $(OPT) -g -fPIC -fvisibility=hidden -ffp-contract=off $(HARDEN) $(WARN) $(SANITIZE)
CPPFLAGS := -D_POSIX_C_SOURCE=200809L -D_FILE_OFFSET_BITS=64 -Isrc -isystem $(BUILD)/src/onnx
LDFLAGS := -Wl,-z,relro,-z,now $(SANITIZE)
LDLIBS  := -lprotobuf-c -lz -lnettle -lutf8proc -lpcre2-8 -ljansson -llapacke -lopenblas -lmpfr -lgmp -lm -lpthread

LIB_SRC := $(sort $(shell find $(addprefix src/,$(MODULES)) -name '*.c'))
CLI_SRC := $(sort $(shell find src/cli -name "*.c"))
# ONNX's messages, made by protobuf-c of their description.
ONNX_MESSAGES := $(BUILD)/src/onnx/onnx.pb-c
LIB_OBJ := $(LIB_SRC:%.c=$(BUILD)/%.o) $(if $(filter onnx,$(MODULES)),$(ONNX_MESSAGES).o)
CLI_OBJ := $(CLI_SRC:%.c=$(BUILD)/%.o)

.DEFAULT_GOAL := all
.PHONY: all lib objects setup demo mpi format format-check tidy clean
all: $(BUILD)/attcert $(BUILD)/libattcert.a $(BUILD)/libattcert.so
lib: $(BUILD)/libattcert.a
objects: $(LIB_OBJ) $(CLI_OBJ)
# madvise is no part of POSIX.
$(BUILD)/src/base/memory.o: CPPFLAGS += -D_DEFAULT_SOURCE

# Each command goes by one line, such as `CC src/base/clock.c`; V=1 shows them whole, -s neither.
says = $(if $(V)$(findstring s,$(firstword -$(MAKEFLAGS))),,@echo '$(1)';)

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(call says,CC $<)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

$(ONNX_MESSAGES).c: src/onnx/onnx.proto
	@mkdir -p $(@D)
	$(call says,PROTOC $<)protoc-c --proto_path=src/onnx --c_out=$(@D) $(<F)
$(ONNX_MESSAGES).h: $(ONNX_MESSAGES).c
$(ONNX_MESSAGES).o: $(ONNX_MESSAGES).c
	$(call says,CC $<)$(CC) -std=c11 $(OPT) -fPIC -fvisibility=hidden $(HARDEN) $(SANITIZE) -c $< -o $@
$(filter $(BUILD)/src/onnx/%,$(LIB_OBJ)): | $(ONNX_MESSAGES).h

$(BUILD)/libattcert.a: $(LIB_OBJ)
	@rm -f $@
	$(call says,AR $@)ar rcs $@ $^

# The file has the name that programs record (its soname); libattcert.so, which linkers look for, leads to it.
SONAME := libattcert.so.0
EXPORTS := src/api/attcert.map
$(BUILD)/$(SONAME): $(LIB_OBJ) $(EXPORTS)
	$(call says,LD $@)$(CC) -shared $(LDFLAGS) -Wl,-soname,$(SONAME) -Wl,--version-script,$(EXPORTS) $(LIB_OBJ) $(LDLIBS) -o $@
$(BUILD)/libattcert.so: $(BUILD)/$(SONAME)
	@ln -sf $(SONAME) $@

$(BUILD)/attcert: $(CLI_OBJ) $(BUILD)/libattcert.a
	$(call says,LD $@)$(CC) -pie $(LDFLAGS) $^ $(LDLIBS) -o $@

# The same library and commands; what needs mpi.h is src/mpi.
MPI_SRC := $(sort $(wildcard src/mpi/*.c))
MPI_OBJ := $(MPI_SRC:%.c=$(BUILD)/%.o)
$(MPI_OBJ): CPPFLAGS += $(addprefix -isystem ,$(shell mpicc --showme:incdirs))
$(BUILD)/attcert-mpi: $(MPI_OBJ) $(filter-out %/main.o,$(CLI_OBJ)) $(BUILD)/libattcert.a
	$(call says,LD $@)$(CC) -pie $(LDFLAGS) $^ $(LDLIBS) $(shell mpicc --showme:link) -o $@

setup:
	@sh .ci/setup test

# One job a processor, unless make was told otherwise.
MAKE_JOBS = $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc))
demo:
	@sh .ci/setup demo
	@$(MAKE) --no-print-directory $(MAKE_JOBS) all
	@BUILD=$(BUILD) sh src/cli/demo.sh
mpi:
	@sh .ci/setup mpi
	@$(MAKE) --no-print-directory $(MAKE_JOBS) $(BUILD)/attcert $(BUILD)/attcert-mpi

FORMATTED = $(shell git ls-files '*.c' '*.h' '*.cpp')
format:
	@clang-format -i $(FORMATTED)
format-check:
	@clang-format --dry-run -Werror $(FORMATTED)

# clang-tidy's checks (.clang-tidy) on the library and the command line; prints what it finds and nothing else.
tidy: $(ONNX_MESSAGES).h
	@printf '%s\n' $(LIB_SRC) $(CLI_SRC) | xargs -P $(shell nproc) -n 12 sh -c \
	  'clang-tidy --quiet "$$@" -- -std=c11 $(CPPFLAGS) 2>&1 | { ! grep -E "(error|warning): "; }' tidy

clean:
	rm -rf $(BUILD)

include src/docs/docs.mk
include src/install/install.mk
include tests/tests.mk
-include proofs/proofs.mk
-include bounds/bounds.mk
-include $(LIB_OBJ:.o=.d) $(CLI_OBJ:.o=.d) $(MPI_OBJ:.o=.d)
