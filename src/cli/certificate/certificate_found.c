#include "cli/certificate/certificate_found.h"

#include "base/arrays.h"

#include <nettle/base64.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers of 16 or 64 bits ------------------------------------------------------------------------------------ */

static uint64_t bits_of(const void *number, size_t width) {
  uint16_t narrow;
  uint64_t wide;
  if (width == sizeof narrow) {
    memcpy(&narrow, number, sizeof narrow);
    return narrow;
  }
  memcpy(&wide, number, sizeof wide);
  return wide;
}

static void set_bits(void *number, uint64_t wide, size_t width) {
  const uint16_t narrow = (uint16_t)wide;
  if (width == sizeof narrow)
    memcpy(number, &narrow, sizeof narrow);
  else
    memcpy(number, &wide, sizeof wide);
}

/* ---- written ----------------------------------------------------------------------------------------------------- */

static attcert_status put_bytes(json_writer *w, const char *key, const uint8_t *bytes, size_t size,
                                attcert_error *err) {
  const size_t length = BASE64_ENCODE_RAW_LENGTH(size);
  char *const text = array_new(length + 1, 1, err, "%zu bytes of a certificate", size);
  if (text == NULL) return ATTCERT_RESOURCE;
  base64_encode_raw(text, size, bytes);
  json_write_string(w, key, text);
  free(text);
  return ATTCERT_OK;
}

/* count numbers of `width` bytes each. */
static attcert_status put_numbers(json_writer *w, const char *key, const void *number, size_t count, size_t width,
                                  attcert_error *err) {
  uint8_t *const bytes = array_new(count, width, err, "%zu numbers of a certificate", count);
  if (bytes == NULL) return ATTCERT_RESOURCE;
  for (size_t k = 0; k < count; k++) {
    const uint64_t bits = bits_of((const char *)number + k * width, width);
    for (size_t i = 0; i < width; i++) bytes[k * width + i] = (uint8_t)(bits >> (8 * i));
  }
  const attcert_status status = put_bytes(w, key, bytes, count * width, err);
  free(bytes);
  return status;
}

attcert_status certificate_found_write(json_writer *w, const robust_found *found, attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  json_write_object(w, "found");
  json_write_bool(w, "narrowed", found->narrowed);
  json_write_array(w, "differences");
  for (int k = 0; k < found->count && status == ATTCERT_OK; k++) {
    const robust_found_difference *const d = &found->difference[k];
    json_write_object(w, NULL);
    json_write_integer(w, "class", (uint64_t)d->other);
    if (d->slopes > 0) status = put_numbers(w, "slopes", d->slope, d->slopes, sizeof *d->slope, err);
    if (d->nodes > 0 && status == ATTCERT_OK)
      status = put_numbers(w, "splits", d->node, d->nodes, sizeof *d->node, err);
    if (d->nodes > 0 && status == ATTCERT_OK)
      status = put_numbers(w, "multipliers", d->multiplier, d->multipliers, sizeof *d->multiplier, err);
    json_write_close(w);
  }
  json_write_close(w);
  json_write_close(w);
  return status;
}

/* ---- read -------------------------------------------------------------------------------------------------------- */

static attcert_status wrong(const json_file *file, const char *what, attcert_error *err) {
  return attcert_fail(err, ATTCERT_INPUT, "%s: found: expected %s, as `attcert robust --certificate` writes it",
                      file->path, what);
}

static uint64_t load(const uint8_t *bytes, size_t width) {
  uint64_t number = 0;
  for (size_t i = 0; i < width; i++) number |= (uint64_t)bytes[i] << (8 * i);
  return number;
}

/* *bytes := those of the key, none where it is absent: *count numbers of that width. The caller frees them. */
static attcert_status take_bytes(uint8_t **bytes, size_t *count, const json_file *file, const json_t *from,
                                 const char *key, size_t width, attcert_error *err) {
  const json_t *const value = json_object_get(from, key);
  const char *const text = json_string_value(value);
  struct base64_decode_ctx context;
  size_t size = 0;
  *bytes = NULL;
  *count = 0;
  if (value == NULL) return ATTCERT_OK;
  if (text == NULL) return wrong(file, "base64 texts", err);
  const size_t length = strlen(text);
  *bytes = array_new(BASE64_DECODE_LENGTH(length) + 1, 1, err, "a text of %zu characters", length);
  if (*bytes == NULL) return ATTCERT_RESOURCE;
  base64_decode_init(&context);
  if (base64_decode_update(&context, &size, *bytes, length, text) != 1 || base64_decode_final(&context) != 1 ||
      size % width != 0)
    return wrong(file, "base64 of whole numbers", err);
  *count = size / width;
  return ATTCERT_OK;
}

/* Likewise as numbers: an array that the caller frees, in *status what came of it; NULL: there are none. */
static void *take_numbers(attcert_status *status, size_t *count, const json_file *file, const json_t *from,
                          const char *key, size_t width, attcert_error *err) {
  uint8_t *bytes;
  char *number = NULL;
  *status = take_bytes(&bytes, count, file, from, key, width, err);
  if (*status == ATTCERT_OK && *count > 0) {
    number = array_new(*count, width, err, "%zu numbers of a certificate", *count);
    if (number == NULL) *status = ATTCERT_RESOURCE;
  }
  for (size_t k = 0; number != NULL && k < *count; k++)
    set_bits(number + k * width, load(bytes + k * width, width), width);
  free(bytes);
  return number;
}

static attcert_status take_difference(robust_found *found, const json_file *file, const json_t *from,
                                      attcert_error *err) {
  static const char *const known[] = {"class", "slopes", "splits", "multipliers", NULL};
  const json_t *const other = json_object_get(from, "class");
  const json_int_t number = json_integer_value(other);
  robust_found_difference *d;
  if (!json_is_integer(other) || number < 0 || number > INT32_MAX || json_file_unknown_key(from, known) != NULL)
    return wrong(file, "differences, each of a class", err);
  attcert_status status = robust_found_add(&d, found, (int)number, err);
  if (status == ATTCERT_OK) d->slope = take_numbers(&status, &d->slopes, file, from, "slopes", sizeof *d->slope, err);
  if (status == ATTCERT_OK) d->node = take_numbers(&status, &d->nodes, file, from, "splits", sizeof *d->node, err);
  if (status == ATTCERT_OK)
    d->multiplier = take_numbers(&status, &d->multipliers, file, from, "multipliers", sizeof *d->multiplier, err);
  return status;
}

attcert_status certificate_found_read(robust_found *found, const json_file *file, attcert_error *err) {
  static const char *const known[] = {"narrowed", "differences", NULL};
  const json_t *const from = json_object_get(file->root, "found");
  const json_t *const narrowed = json_object_get(from, "narrowed"), *const list = json_object_get(from, "differences");
  attcert_status status = ATTCERT_OK;
  *found = (robust_found){0};
  if (from == NULL) return ATTCERT_OK;
  if (!json_is_object(from) || json_file_unknown_key(from, known) != NULL || !json_is_boolean(narrowed) ||
      !json_is_array(list))
    return wrong(file, "'narrowed', true or false, and a list 'differences'", err);
  found->narrowed = json_is_true(narrowed);
  for (size_t k = 0; k < json_array_size(list) && status == ATTCERT_OK; k++)
    status = take_difference(found, file, json_array_get(list, k), err);
  return status;
}
