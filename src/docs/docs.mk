# make docs: the documents, the figures and the interfaces as static HTML with a search, in $(BUILD)/docs; open
# index.html there.
.PHONY: docs
docs: $(BUILD)/libattcert.so.0
	@BUILD=$(BUILD) python3 src/docs/build $(BUILD)/docs
	@sh src/docs/check_links $(BUILD)/docs
