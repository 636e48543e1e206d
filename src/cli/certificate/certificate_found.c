#include "cli/certificate/certificate_found.h"

#include "base/arrays.h"

#include <nettle/base64.h>
#include <stdlib.h>
#include <string.h>

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

static void store(uint8_t *bytes, uint64_t number, size_t width) {
  for (size_t i = 0; i < width; i++) bytes[i] = (uint8_t)(number >> (8 * i));
}

static attcert_status put_doubles(json_writer *w, const char *key, const double *number, size_t count,
                                  attcert_error *err) {
  uint8_t *const bytes = array_new(count, sizeof *number, err, "%zu numbers of a certificate", count);
  if (bytes == NULL) return ATTCERT_RESOURCE;
  for (size_t k = 0; k < count; k++) {
    uint64_t bits;
    memcpy(&bits, &number[k], sizeof bits);
    store(bytes + k * sizeof bits, bits, sizeof bits);
  }
  const attcert_status status = put_bytes(w, key, bytes, count * sizeof *number, err);
  free(bytes);
  return status;
}

static attcert_status put_integers(json_writer *w, const char *key, const uint16_t *number, size_t count,
                                   attcert_error *err) {
  uint8_t *const bytes = array_new(count, sizeof *number, err, "%zu numbers of a certificate", count);
  if (bytes == NULL) return ATTCERT_RESOURCE;
  for (size_t k = 0; k < count; k++) store(bytes + k * sizeof *number, number[k], sizeof *number);
  const attcert_status status = put_bytes(w, key, bytes, count * sizeof *number, err);
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
    if (d->slopes > 0) status = put_doubles(w, "slopes", d->slope, d->slopes, err);
    if (d->nodes > 0 && status == ATTCERT_OK) status = put_integers(w, "splits", d->node, d->nodes, err);
    if (d->nodes > 0 && status == ATTCERT_OK)
      status = put_integers(w, "multipliers", d->multiplier, d->multipliers, err);
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

static attcert_status take_doubles(double **number, size_t *count, const json_file *file, const json_t *from,
                                   const char *key, attcert_error *err) {
  uint8_t *bytes;
  attcert_status status = take_bytes(&bytes, count, file, from, key, sizeof **number, err);
  if (status == ATTCERT_OK && *count > 0) {
    *number = array_new(*count, sizeof **number, err, "%zu numbers of a certificate", *count);
    if (*number == NULL) status = ATTCERT_RESOURCE;
  }
  for (size_t k = 0; status == ATTCERT_OK && k < *count; k++) {
    const uint64_t bits = load(bytes + k * sizeof bits, sizeof bits);
    memcpy(&(*number)[k], &bits, sizeof bits);
  }
  free(bytes);
  return status;
}

static attcert_status take_integers(uint16_t **number, size_t *count, const json_file *file, const json_t *from,
                                    const char *key, attcert_error *err) {
  uint8_t *bytes;
  attcert_status status = take_bytes(&bytes, count, file, from, key, sizeof **number, err);
  if (status == ATTCERT_OK && *count > 0) {
    *number = array_new(*count, sizeof **number, err, "%zu numbers of a certificate", *count);
    if (*number == NULL) status = ATTCERT_RESOURCE;
  }
  for (size_t k = 0; status == ATTCERT_OK && k < *count; k++)
    (*number)[k] = (uint16_t)load(bytes + k * sizeof **number, sizeof **number);
  free(bytes);
  return status;
}

/* Whether all keys are among those. */
static bool has_only(const json_t *object, const char *const *known) {
  const char *key;
  json_t *value;
  json_object_foreach((json_t *)object, key, value) {
    bool found = false;
    for (const char *const *k = known; *k != NULL && !found; k++) found = strcmp(*k, key) == 0;
    if (!found) return false;
  }
  return true;
}

static attcert_status take_difference(robust_found *found, const json_file *file, const json_t *from,
                                      attcert_error *err) {
  static const char *const known[] = {"class", "slopes", "splits", "multipliers", NULL};
  const json_t *const other = json_object_get(from, "class");
  const json_int_t number = json_integer_value(other);
  robust_found_difference *d;
  if (!json_is_integer(other) || number < 0 || number > INT32_MAX || !has_only(from, known))
    return wrong(file, "differences, each of a class", err);
  attcert_status status = robust_found_add(&d, found, (int)number, err);
  if (status == ATTCERT_OK) status = take_doubles(&d->slope, &d->slopes, file, from, "slopes", err);
  if (status == ATTCERT_OK) status = take_integers(&d->node, &d->nodes, file, from, "splits", err);
  if (status == ATTCERT_OK) status = take_integers(&d->multiplier, &d->multipliers, file, from, "multipliers", err);
  return status;
}

attcert_status certificate_found_read(robust_found *found, const json_file *file, attcert_error *err) {
  static const char *const known[] = {"narrowed", "differences", NULL};
  const json_t *const from = json_object_get(file->root, "found");
  const json_t *const narrowed = json_object_get(from, "narrowed"), *const list = json_object_get(from, "differences");
  attcert_status status = ATTCERT_OK;
  *found = (robust_found){0};
  if (from == NULL) return ATTCERT_OK;
  if (!json_is_object(from) || !has_only(from, known) || !json_is_boolean(narrowed) || !json_is_array(list))
    return wrong(file, "'narrowed', true or false, and a list 'differences'", err);
  found->narrowed = json_is_true(narrowed);
  for (size_t k = 0; k < json_array_size(list) && status == ATTCERT_OK; k++)
    status = take_difference(found, file, json_array_get(list, k), err);
  return status;
}
