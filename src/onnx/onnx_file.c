#include "onnx/onnx_file.h"

#include "base/arrays.h"
#include "model/format/file_kind.h"
#include "model/format/little_endian.h"
#include "model/format/mapped_file.h"
#include "model/format/number_format.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- fields ------------------------------------------------------------------------------------------------------ */

static const ProtobufCMessage *first_unknown(const ProtobufCMessage *message);

/* In a field of messages. */
static const ProtobufCMessage *unknown_in_field(const ProtobufCMessage *message, const ProtobufCFieldDescriptor *f) {
  const char *const member = (const char *)message + f->offset;
  if (f->type != PROTOBUF_C_TYPE_MESSAGE) return NULL;
  if (f->label != PROTOBUF_C_LABEL_REPEATED) {
    const ProtobufCMessage *const one = *(ProtobufCMessage *const *)member;
    return one != NULL ? first_unknown(one) : NULL;
  }
  const size_t count = *(const size_t *)((const char *)message + f->quantifier_offset);
  ProtobufCMessage *const *const all = *(ProtobufCMessage *const *const *)member;
  const ProtobufCMessage *found = NULL;
  for (size_t i = 0; i < count && found == NULL; i++) found = first_unknown(all[i]);
  return found;
}

/* The first message with a field that onnx.proto does not have; messages do not contain their own kind. */
static const ProtobufCMessage *first_unknown(const ProtobufCMessage *message) {
  const ProtobufCMessage *found = message->n_unknown_fields > 0 ? message : NULL;
  for (unsigned i = 0; i < message->descriptor->n_fields && found == NULL; i++)
    found = unknown_in_field(message, &message->descriptor->fields[i]);
  return found;
}

static attcert_status check_fields(const Onnx__ModelProto *model, const char *path, attcert_error *err) {
  const ProtobufCMessage *const unknown = first_unknown(&model->base);
  if (unknown != NULL)
    return attcert_fail(err, ATTCERT_INPUT, "%s: field %" PRIu32 " of a %s is not read, so the network is not known",
                        path, unknown->unknown_fields[0].tag, unknown->descriptor->short_name);
  if (model->graph == NULL || model->graph->n_node == 0)
    return attcert_fail(err, ATTCERT_INPUT, "%s: no graph with nodes in it, expected an ONNX model", path);
  return ATTCERT_OK;
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

static attcert_status parse(Onnx__ModelProto **model, const mapped_file *file, const char *path, attcert_error *err) {
  *model = onnx__model_proto__unpack(NULL, file->size, file->data);
  if (*model != NULL) return check_fields(*model, path, err);
  const attcert_status status =
      attcert_fail(err, ATTCERT_INPUT, "%s: is no ONNX model: its bytes are no message of that kind", path);
  return file_kind_explain(status, file->data, file->size, path, "an ONNX file", err);
}

attcert_status onnx_file_open(Onnx__ModelProto **model, char sha256[SHA256_HEX_SIZE], const char *path,
                              attcert_error *err) {
  mapped_file file;
  *model = NULL;
  attcert_status status = mapped_file_open(&file, path, err);
  if (status != ATTCERT_OK) return status;
  status = parse(model, &file, path, err);
  if (status == ATTCERT_OK) status = mapped_file_digest(sha256, &file, path, err);
  mapped_file_close(&file);
  if (status == ATTCERT_OK) return ATTCERT_OK;
  onnx_file_close(*model);
  *model = NULL;
  return status;
}

void onnx_file_close(Onnx__ModelProto *model) {
  if (model != NULL) onnx__model_proto__free_unpacked(model, NULL);
}

attcert_status onnx_file_version(int *version, const Onnx__ModelProto *model, attcert_error *err) {
  enum { OLDEST = 7, NEWEST = 21 };
  *version = 0;
  for (size_t k = 0; k < model->n_opset_import; k++) {
    const Onnx__OperatorSetIdProto *const of = model->opset_import[k];
    const bool standard = of->domain == NULL || of->domain[0] == '\0' || strcmp(of->domain, "ai.onnx") == 0;
    if (!standard) continue; /* a node of that domain is refused where there is one */
    if (of->version < OLDEST || of->version > NEWEST)
      return attcert_fail(err, ATTCERT_INPUT, "operators of version %" PRId64 ", expected one from %d to %d",
                          of->version, OLDEST, NEWEST);
    *version = (int)of->version;
  }
  if (*version == 0) return attcert_fail(err, ATTCERT_INPUT, "no version of ONNX's own operators, expected one");
  return ATTCERT_OK;
}

/* ---- stored tensors ---------------------------------------------------------------------------------------------- */

/* TensorProto.DataType. */
enum { TYPE_FLOAT = 1, TYPE_INT32 = 6, TYPE_INT64 = 7, TYPE_BOOL = 9, TYPE_HALF = 10, TYPE_DOUBLE = 11 };

/* Bytes of a number in raw_data; 0: a type that is not read. */
static size_t width_of(int32_t type) {
  switch (type) {
  case TYPE_FLOAT:
  case TYPE_INT32:
    return 4;
  case TYPE_INT64:
  case TYPE_DOUBLE:
    return 8;
  case TYPE_HALF:
    return 2;
  case TYPE_BOOL:
    return 1;
  default:
    return 0;
  }
}

static double raw_number(const unsigned char *bytes, int32_t type) {
  double x = NAN;
  switch (type) {
  case TYPE_FLOAT:
    number_decode(&x, bytes, 1, NUMBER_F32);
    return x;
  case TYPE_DOUBLE:
    number_decode(&x, bytes, 1, NUMBER_F64);
    return x;
  case TYPE_HALF:
    number_decode(&x, bytes, 1, NUMBER_F16);
    return x;
  case TYPE_INT32:
    return (int32_t)little_endian_32(bytes);
  case TYPE_INT64:
    return (double)(int64_t)little_endian_64(bytes);
  default:
    return bytes[0] != 0;
  }
}

/* How many numbers the list of its type has. */
static size_t listed_count(const Onnx__TensorProto *s) {
  switch (s->data_type) {
  case TYPE_FLOAT:
    return s->n_float_data;
  case TYPE_DOUBLE:
    return s->n_double_data;
  case TYPE_INT64:
    return s->n_int64_data;
  default:
    return s->n_int32_data;
  }
}

static double listed_number(const Onnx__TensorProto *s, size_t k) {
  switch (s->data_type) {
  case TYPE_FLOAT:
    return (double)s->float_data[k];
  case TYPE_DOUBLE:
    return s->double_data[k];
  case TYPE_INT64:
    return (double)s->int64_data[k];
  case TYPE_HALF:
    return number_from_half((uint16_t)s->int32_data[k]);
  default:
    return s->int32_data[k];
  }
}

static attcert_status take_numbers(onnx_tensor *t, const Onnx__TensorProto *s, const char *name, attcert_error *err) {
  const size_t width = width_of(s->data_type), stored = s->has_raw_data ? s->raw_data.len / width : listed_count(s);
  if (stored != t->count || (s->has_raw_data && s->raw_data.len % width != 0))
    return attcert_fail(err, ATTCERT_INPUT, "tensor %s: %zu numbers, expected %zu", name, stored, t->count);
  for (size_t k = 0; k < t->count; k++) {
    t->number[k] = s->has_raw_data ? raw_number(s->raw_data.data + k * width, s->data_type) : listed_number(s, k);
    /* Integers are shapes and indices, which are all far below 2^53. */
    t->masks = t->masks || t->number[k] == -INFINITY;
    if (!(t->number[k] < INFINITY) || (s->data_type == TYPE_INT64 && fabs(t->number[k]) > 0x1p53))
      return attcert_fail(err, ATTCERT_INPUT, "tensor %s: number %zu is not finite, or an integer beyond 2^53", name,
                          k);
  }
  return ATTCERT_OK;
}

attcert_status onnx_file_tensor(onnx_tensor **t, const Onnx__TensorProto *s, const char *name, attcert_error *err) {
  onnx_shape shape = {.rank = (int)s->n_dims};
  char text[ONNX_SHAPE_TEXT_SIZE];
  *t = NULL;
  if (s->data_location != 0 || s->n_external_data > 0)
    return attcert_fail(err, ATTCERT_INPUT, "tensor %s: its numbers are in another file, expected them in this one",
                        name);
  if (width_of(s->data_type) == 0 || s->segment != NULL)
    return attcert_fail(err, ATTCERT_INPUT,
                        "tensor %s: data type %" PRId32 ", expected float, double, float16, an "
                        "integer or bool, in one piece",
                        name, s->data_type);
  if (s->n_dims > ONNX_RANK_MOST)
    return attcert_fail(err, ATTCERT_INPUT, "tensor %s: %zu sides, expected at most %d", name, s->n_dims,
                        ONNX_RANK_MOST);
  for (int k = 0; k < shape.rank; k++) shape.side[k] = s->dims[k];
  if (onnx_shape_count(&shape) == 0)
    return attcert_fail(err, ATTCERT_INPUT, "tensor %s: shape %s, expected sides above 0 of at most 2^26 entries", name,
                        onnx_shape_text(text, &shape));
  *t = onnx_tensor_new(&shape, false, true, err);
  if (*t == NULL) return ATTCERT_RESOURCE;
  const attcert_status status = take_numbers(*t, s, name, err);
  if (status == ATTCERT_OK) return ATTCERT_OK;
  onnx_tensor_free(*t);
  *t = NULL;
  return status;
}
