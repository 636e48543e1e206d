# Installation: make install PREFIX=/usr/local DESTDIR=, make uninstall with the same, and make deb, which makes
# $(BUILD)/attcert_VERSION_ARCHITECTURE.deb (removed by apt remove attcert).

PREFIX  ?= /usr/local
DESTDIR ?=
LIBDIR  ?= $(PREFIX)/lib
# Where Debian's python3 looks: /usr/local has a folder of its own for each version.
PYTHONDIR ?= $(PREFIX)/lib/python3$(if $(filter /usr/local,$(PREFIX)),.$(shell /usr/bin/python3 -c \
  'import sys; print(sys.version_info.minor)' 2>/dev/null))/dist-packages
ZSHDIR ?= $(PREFIX)/share/zsh/site-functions
VERSION := $(shell sed -n 's/^\#define ATTCERT_VERSION "\(.*\)"/\1/p' src/attcert.h)
STAGE   := $(BUILD)/install

PYTHON_FILES := $(patsubst src/python/%,%,$(sort $(shell find src/python/attcert -name '*.py' -o -name py.typed 2>/dev/null)))
INSTALLED := $(PREFIX)/bin/attcert $(PREFIX)/include/attcert.h $(LIBDIR)/libattcert.a $(LIBDIR)/$(SONAME) \
  $(LIBDIR)/libattcert.so $(LIBDIR)/pkgconfig/attcert.pc $(PREFIX)/share/man/man1/attcert.1 \
  $(PREFIX)/share/bash-completion/completions/attcert $(ZSHDIR)/_attcert \
  $(PREFIX)/share/fish/vendor_completions.d/attcert.fish $(addprefix $(PYTHONDIR)/,$(PYTHON_FILES))

.PHONY: install uninstall deb doc wheel wheel-files
install: all $(STAGE)/libattcert.a
	install -D -m 755 $(BUILD)/attcert '$(DESTDIR)$(PREFIX)/bin/attcert'
	install -D -m 644 src/attcert.h '$(DESTDIR)$(PREFIX)/include/attcert.h'
	install -D -m 644 $(STAGE)/libattcert.a '$(DESTDIR)$(LIBDIR)/libattcert.a'
	install -D -m 644 $(BUILD)/$(SONAME) '$(DESTDIR)$(LIBDIR)/$(SONAME)'
	ln -sf $(SONAME) '$(DESTDIR)$(LIBDIR)/libattcert.so'
	install -d '$(DESTDIR)$(LIBDIR)/pkgconfig'
	sed 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@VERSION@|$(VERSION)|; s|@LIBS@|$(LDLIBS)|' \
	  src/install/attcert.pc.in >'$(DESTDIR)$(LIBDIR)/pkgconfig/attcert.pc'
	install -D -m 644 src/cli/attcert.1 '$(DESTDIR)$(PREFIX)/share/man/man1/attcert.1'
	install -D -m 644 src/install/attcert.bash '$(DESTDIR)$(PREFIX)/share/bash-completion/completions/attcert'
	install -D -m 644 src/install/_attcert '$(DESTDIR)$(ZSHDIR)/_attcert'
	install -D -m 644 src/install/attcert.fish '$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/attcert.fish'
	@test -n '$(DESTDIR)' || ldconfig 2>/dev/null || true # so that the loader knows a new library of a folder it looks in
	$(foreach file,$(PYTHON_FILES),install -D -m 644 src/python/$(file) '$(DESTDIR)$(PYTHONDIR)/$(file)';)

# What was installed, and folders that are then empty.
uninstall:
	rm -f $(foreach file,$(INSTALLED),'$(DESTDIR)$(file)')
	@rm -rf $(foreach folder,$(sort $(dir $(PYTHON_FILES))),'$(DESTDIR)$(PYTHONDIR)/$(folder)__pycache__')
	@for folder in $(sort $(dir $(INSTALLED))); do \
	  rmdir -p --ignore-fail-on-non-empty "$(DESTDIR)$$folder" 2>/dev/null || true; done

# One object whose internal names are local: a program's own interval_add stays its own, as with the shared library.
$(STAGE)/libattcert.a: $(LIB_OBJ)
	@mkdir -p $(@D)
	$(call says,LD $(STAGE)/attcert.o)$(LD) -r -o $(STAGE)/attcert.o $^
	@objcopy --localize-hidden $(STAGE)/attcert.o
	@rm -f $@
	$(call says,AR $@)ar rcs $@ $(STAGE)/attcert.o

deb: all
	@BUILD=$(BUILD) VERSION=$(VERSION) SONAME=$(SONAME) MAKE='$(MAKE)' sh src/install/deb

# dist/attcert-VERSION-py3-none-PLATFORM.whl, by setuptools (setup.py), without a network; then INTO is its folder.
wheel:
	@sh .ci/setup wheel
	@rm -rf $(STAGE)/wheel && mkdir -p $(STAGE) dist && rm -f dist/attcert-*.whl
	@BUILD=$(BUILD) /usr/bin/python3 -W ignore setup.py -q egg_info --egg-base $(STAGE) build --build-base $(STAGE)/wheel \
	  bdist_wheel --dist-dir dist
	@ls dist/attcert-*.whl
wheel-files: all
	@BUILD=$(BUILD) SONAME=$(SONAME) sh src/install/wheel '$(INTO)'

doc:
	@mkdir -p $(BUILD)
	@{ cat src/api/Doxyfile; echo 'OUTPUT_DIRECTORY = $(BUILD)/doc'; } | doxygen -
