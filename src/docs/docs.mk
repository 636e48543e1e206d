# make docs: the documents, the figures and the interfaces as static HTML with a search, in $(BUILD)/docs; open
# index.html there.
# make notebooks: the course's lessons, and the page for those who have a power iteration, as Jupyter notebooks in
# $(BUILD)/notebooks, made of the same text (src/docs/notebook).
.PHONY: docs notebooks
LESSONS := $(wildcard spec/course/*.md) src/docs/power_iteration.md
NOTEBOOKS := $(addprefix $(BUILD)/notebooks/,$(notdir $(LESSONS:.md=.ipynb)))
docs: $(BUILD)/libattcert.so.0
	@BUILD=$(BUILD) python3 src/docs/build $(BUILD)/docs
	@sh src/docs/check_links $(BUILD)/docs

notebooks: $(NOTEBOOKS)
vpath %.md $(sort $(dir $(LESSONS)))
$(NOTEBOOKS): $(BUILD)/notebooks/%.ipynb: %.md src/docs/notebook
	$(call says,NOTEBOOK $@)python3 src/docs/notebook $< $@
