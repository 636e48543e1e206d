/* Checks every condition that the format states (github.com/huggingface/safetensors, "Format"): header
 * length, UTF-8 JSON without duplicate keys, padding by spaces only, byte ranges that match shape x dtype and
 * tile the data. What is done with untrusted numbers is in safetensors_prefix.c and safetensors_layout.c;
 * here is the traversal of the JSON text. */
#include "model/format/safetensors_header.h"

#include "base/arrays.h"
#include "model/format/json_file.h"
#include "model/format/safetensors_layout.h"
#include "model/format/safetensors_prefix.h"

#include <stdlib.h>
#include <string.h>

#define METADATA_KEY "__metadata__"

/* The dtypes of the format with their widths. Others may come: their tensors' lengths cannot be
 * checked, only their ranges. */
static const struct {
  const char *name;
  unsigned bits; /* 0: unknown */
  number_format format;
} dtypes[] = {{"F64", 64, NUMBER_F64},
              {"F32", 32, NUMBER_F32},
              {"F16", 16, NUMBER_F16},
              {"BF16", 16, NUMBER_BF16},
              {"I64", 64, NUMBER_UNSUPPORTED},
              {"U64", 64, NUMBER_UNSUPPORTED},
              {"I32", 32, NUMBER_UNSUPPORTED},
              {"U32", 32, NUMBER_UNSUPPORTED},
              {"I16", 16, NUMBER_UNSUPPORTED},
              {"U16", 16, NUMBER_UNSUPPORTED},
              {"I8", 8, NUMBER_UNSUPPORTED},
              {"U8", 8, NUMBER_UNSUPPORTED},
              {"BOOL", 8, NUMBER_UNSUPPORTED},
              {"C64", 64, NUMBER_UNSUPPORTED},
              {"F8_E4M3", 8, NUMBER_UNSUPPORTED},
              {"F8_E5M2", 8, NUMBER_UNSUPPORTED},
              {"F8_E8M0", 8, NUMBER_UNSUPPORTED},
              {"F6_E2M3", 6, NUMBER_UNSUPPORTED},
              {"F6_E3M2", 6, NUMBER_UNSUPPORTED},
              {"F4", 4, NUMBER_UNSUPPORTED},
              {NULL, 0, NUMBER_UNSUPPORTED}};

static size_t find_dtype(const char *name) {
  size_t i = 0;
  while (dtypes[i].name != NULL && strcmp(dtypes[i].name, name) != 0) i++;
  return i;
}

static attcert_status read_shape(safetensors_tensor *t, const json_t *shape, const char *label, attcert_error *err) {
  const size_t rank = json_array_size(shape);
  if (!json_is_array(shape) || rank > SAFETENSORS_MAX_RANK)
    return attcert_fail(err, ATTCERT_INPUT, "%s: tensor '%s': expected a shape of at most %d sides", label, t->name,
                        SAFETENSORS_MAX_RANK);
  t->rank = (int)rank;
  for (size_t i = 0; i < rank; i++) {
    const json_t *const side = json_array_get(shape, i);
    if (!json_is_integer(side) || json_integer_value(side) < 0)
      return attcert_fail(err, ATTCERT_INPUT, "%s: tensor '%s': side %zu of its shape is not an integer >= 0", label,
                          t->name, i);
    t->shape[i] = (uint64_t)json_integer_value(side);
  }
  return ATTCERT_OK;
}

/* Everything but the count and the bytes; only the types of the values are checked. */
static attcert_status read_tensor(safetensors_tensor *t, const char *name, json_t *entry, const char *label,
                                  attcert_error *err) {
  json_t *shape;
  json_int_t begin, end;
  json_error_t detail;
  *t = (safetensors_tensor){.name = name};
  if (json_unpack_ex(entry, &detail, 0, "{s:s, s:o, s:[I, I!]!}", "dtype", &t->dtype, "shape", &shape, "data_offsets",
                     &begin, &end) != 0)
    return attcert_fail(err, ATTCERT_INPUT, "%s: tensor '%s': expected dtype, shape and data_offsets [begin, end]: %s",
                        label, name, detail.text);
  const attcert_status status = read_shape(t, shape, label, err);
  if (status != ATTCERT_OK) return status;
  if (begin < 0 || end < 0)
    return attcert_fail(err, ATTCERT_INPUT, "%s: tensor '%s': negative data_offsets", label, name);
  t->range = (tensor_range){(uint64_t)begin, (uint64_t)end};
  const size_t dtype = find_dtype(t->dtype);
  t->format = dtypes[dtype].format;
  t->bits = dtypes[dtype].bits;
  return ATTCERT_OK;
}

static attcert_status check_metadata(const json_t *metadata, const char *label, attcert_error *err) {
  if (metadata == NULL) return ATTCERT_OK;
  if (!json_is_object(metadata))
    return attcert_fail(err, ATTCERT_INPUT, "%s: " METADATA_KEY ": expected an object of strings", label);
  const char *key;
  json_t *value;
  json_object_foreach((json_t *)(uintptr_t)metadata, key, value) {
    if (!json_is_string(value))
      return attcert_fail(err, ATTCERT_INPUT, "%s: " METADATA_KEY ": '%s' is not a string", label, key);
  }
  return ATTCERT_OK;
}

static int compare_ranges(const void *a, const void *b) {
  const tensor_range x = ((const safetensors_tensor *)a)->range, y = ((const safetensors_tensor *)b)->range;
  if (x.begin != y.begin) return x.begin < y.begin ? -1 : 1;
  return (x.end > y.end) - (x.end < y.end);
}

/* A layout that is not right, in words. */
static attcert_status layout_error(const safetensors_header *header, layout_verdict verdict, uint64_t data_size,
                                   const char *label, attcert_error *err) {
  const safetensors_tensor *const t = &header->tensor[verdict.at];
  const unsigned long long covered = verdict.at == 0 ? 0 : header->tensor[verdict.at - 1].range.end, size = data_size;
  if (verdict.problem == LAYOUT_TRAILING)
    return attcert_fail(err, ATTCERT_INPUT,
                        "%s: its tensors cover %llu bytes, but %llu bytes of data follow the header", label, covered,
                        size);
  const unsigned long long begin = t->range.begin, end = t->range.end, count = t->count;
  if (verdict.problem == LAYOUT_COUNT)
    return attcert_fail(err, ATTCERT_INPUT, "%s: tensor '%s': the number of entries of its shape exceeds 64 bits",
                        label, t->name);
  if (verdict.problem == LAYOUT_OUTSIDE)
    return attcert_fail(err, ATTCERT_INPUT, "%s: tensor '%s': data_offsets [%llu, %llu] do not lie within %llu bytes",
                        label, t->name, begin, end, size);
  if (verdict.problem == LAYOUT_LENGTH)
    return attcert_fail(err, ATTCERT_INPUT,
                        "%s: tensor '%s': data_offsets [%llu, %llu] do not match its shape: %llu entries of %llu bits",
                        label, t->name, begin, end, count, (unsigned long long)safetensors_entry_bits(t));
  return attcert_fail(err, ATTCERT_INPUT, "%s: tensor '%s': its data begin at %llu, expected %llu (%s)", label, t->name,
                      begin, covered, begin < covered ? "overlapping another tensor" : "a hole in the data");
}

static attcert_status read_length(size_t *length, const unsigned char *bytes, size_t size, const char *label,
                                  attcert_error *err) {
  uint64_t value;
  const prefix_verdict verdict = safetensors_prefix_read(&value, bytes, size);
  *length = (size_t)value;
  if (verdict == PREFIX_OK) return ATTCERT_OK;
  if (verdict == PREFIX_TOO_SHORT)
    return attcert_fail(err, ATTCERT_INPUT, "%s: %zu bytes, too short for a safetensors file", label, size);
  if (verdict == PREFIX_BEYOND_FILE)
    return attcert_fail(err, ATTCERT_INPUT,
                        "%s: truncated, or not a safetensors file: a header of %llu bytes in a file of %zu bytes",
                        label, (unsigned long long)value, size);
  return attcert_fail(err, ATTCERT_INPUT, "%s: a header of %llu bytes, expected at most %d", label,
                      (unsigned long long)value, SAFETENSORS_MAX_HEADER);
}

static attcert_status check_text(const unsigned char *text, size_t length, const char *label, attcert_error *err) {
  if (length == 0 || text[0] != '{')
    return attcert_fail(err, ATTCERT_INPUT, "%s: header does not begin with '{'", label);
  const unsigned char last = text[safetensors_unpadded_length(text, length) - 1]; /* the '{' at the latest */
  if (last == '}') return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT,
                      "%s: header ends with byte 0x%02x, expected '}' and padding by spaces (0x20) only", label, last);
}

/* Fills the table from header->root. */
static attcert_status read_table(safetensors_header *header, const unsigned char *data, uint64_t data_size,
                                 const char *label, attcert_error *err) {
  attcert_status status = check_metadata(json_object_get(header->root, METADATA_KEY), label, err);
  if (status != ATTCERT_OK) return status;
  header->tensor = array_new(json_object_size(header->root), sizeof *header->tensor, err, "the header of %s", label);
  if (header->tensor == NULL) return ATTCERT_RESOURCE;
  const char *name;
  json_t *entry;
  json_object_foreach(header->root, name, entry) {
    if (strcmp(name, METADATA_KEY) == 0) continue;
    safetensors_tensor *const t = &header->tensor[header->count++];
    status = read_tensor(t, name, entry, label, err);
    if (status != ATTCERT_OK) return status;
  }
  qsort(header->tensor, header->count, sizeof *header->tensor, compare_ranges);
  const layout_verdict verdict = safetensors_layout_check(header->tensor, header->count, data_size);
  if (verdict.problem != LAYOUT_OK) return layout_error(header, verdict, data_size, label, err);
  for (size_t i = 0; i < header->count; i++) header->tensor[i].bytes = data + header->tensor[i].range.begin;
  return ATTCERT_OK;
}

attcert_status safetensors_header_read(safetensors_header *header, const unsigned char *bytes, size_t size,
                                       const char *label, attcert_error *err) {
  *header = (safetensors_header){NULL, NULL, 0};
  size_t length;
  attcert_status status = read_length(&length, bytes, size, label, err);
  if (status != ATTCERT_OK) return status;
  const unsigned char *const text = bytes + SAFETENSORS_PREFIX_SIZE, *const data = text + length;
  status = check_text(text, length, label, err);
  if (status == ATTCERT_OK) status = json_file_parse_object(&header->root, (const char *)text, length, label, err);
  if (status == ATTCERT_OK) status = read_table(header, data, size - SAFETENSORS_PREFIX_SIZE - length, label, err);
  if (status != ATTCERT_OK) safetensors_header_clear(header);
  return status;
}

void safetensors_header_clear(safetensors_header *header) {
  json_decref(header->root);
  free(header->tensor);
  *header = (safetensors_header){NULL, NULL, 0};
}
