/* How the files name a tensor: WRAPPERS [PREFIX [WRAPPERS]] NAME, with what PyTorch's wrappers put before a name
 * (DataParallel and DistributedDataParallel "module.", torch.compile "_orig_mod.") and the family's prefix. A tensor
 * that every model has shows which. */
#include "model/family/families.h"
#include "model/model_parts.h"
#include "model/transformer.h"

#include <stdio.h>
#include <string.h>

/* How many of the bytes text .. end are wrappers. */
static size_t wrapper_length(const char *text, const char *end) {
  static const char *const wrappers[] = {"module.", "_orig_mod."};
  const char *at = text;
  for (size_t i = 0; i < sizeof wrappers / sizeof wrappers[0];) {
    const size_t length = strlen(wrappers[i]);
    const bool more = (size_t)(end - at) >= length && strncmp(at, wrappers[i], length) == 0;
    if (more) at += length;
    i = more ? 0 : i + 1;
  }
  return (size_t)(at - text);
}

/* The prefix at the text, with the wrappers behind it; 0: the family's is not there. */
static size_t prefix_length(const char *text, const char *end, const char *prefix) {
  const size_t length = strlen(prefix);
  if ((size_t)(end - text) < length || strncmp(text, prefix, length) != 0) return 0;
  return length + wrapper_length(text + length, end);
}

static const char *prefix_of(const model *m) {
  const model_family *const family = m->config.family;
  return m->config.object != NULL && family->tower.prefix != NULL ? family->tower.prefix : family->prefix;
}

/* Takes the prefixes from what is before `end` in the name. False: it is something else. */
static bool take_prefixes(model *m, const char *name, const char *end) {
  const size_t wrapper = wrapper_length(name, end), prefix = prefix_length(name + wrapper, end, prefix_of(m));
  if (wrapper >= sizeof m->wrapper || prefix >= sizeof m->prefix) return false;
  snprintf(m->wrapper, wrapper + 1, "%s", name);
  snprintf(m->prefix, prefix + 1, "%s", name + wrapper);
  return name + wrapper + prefix == end;
}

/* Without the tensor that shows them, the first name does, as far as it goes. */
static void find_prefixes(model *m, const char *probe) {
  const size_t count = tensor_files_tensors(m->files), length = strlen(probe);
  const safetensors *file;
  for (size_t i = 0; i < count; i++) {
    const char *const name = tensor_files_tensor(&file, m->files, i)->name, *const end = name + strlen(name);
    if ((size_t)(end - name) >= length && strcmp(end - length, probe) == 0 && take_prefixes(m, name, end - length))
      return;
  }
  if (count == 0) return;
  const char *const first = tensor_files_tensor(&file, m->files, 0)->name;
  (void)take_prefixes(m, first, first + strlen(first));
}

/* Whether the files have a tensor in the family's blocks. */
static bool has_blocks(const tensor_files *files, const model_family *family) {
  const size_t count = tensor_files_tensors(files);
  const safetensors *file;
  for (size_t i = 0; i < count; i++) {
    if (strstr(tensor_files_tensor(&file, files, i)->name, family->blocks) != NULL) return true;
  }
  return false;
}

void model_connect(model *m, uint64_t seed) {
  char part[TENSOR_NAME_SIZE], probe[TENSOR_NAME_SIZE];
  const model_family *const older = m->config.family->older_names;
  if (older != NULL && m->files != NULL && has_blocks(m->files, older)) m->config.family = older;
  const model_family *const family = m->config.family;
  m->source = (tensor_source){.files = m->files,
                              .wrapper = m->wrapper,
                              .prefix = m->prefix,
                              .table = family->word_table,
                              .alias = m->config.tied ? family_alias(family) : NULL,
                              .config = &m->config,
                              .seed = seed};
  transformer_part(part, &m->source, 0, family->attention.output);
  tensor_name(probe, part, "weight");
  if (m->files != NULL) find_prefixes(m, probe);
  if (m->config.object != NULL && m->prefix[0] == '\0') /* without it, names would be of either tower */
    snprintf(m->prefix, sizeof m->prefix, "%s", prefix_of(m));
}
