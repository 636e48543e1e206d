# make docs: the documents, the figures and the interfaces as static HTML in $(BUILD)/docs; open index.html there.
.PHONY: docs
docs: $(BUILD)/libattcert.so.0
	@BUILD=$(BUILD) bash src/docs/build $(BUILD)/docs
