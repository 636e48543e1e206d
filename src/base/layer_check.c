#include "base/layer_check.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>

/*@ requires given: \valid_read(layer) && \valid_read(x);
    requires error: err == \null || \valid(err);
    requires separated: \separated(err, layer, x);
    terminates \true;
    assigns *err;
    ensures given: \result == ATTCERT_OK ==> x->data != \null &&
      (layer->mask == ATTCERT_MASK_NONE || layer->mask == ATTCERT_MASK_CAUSAL); */
static attcert_status check_given(const attcert_layer *layer, const attcert_matrix *x, attcert_error *err) {
  if (x->data == NULL) return attcert_fail(err, ATTCERT_INPUT, "input: NULL, expected an n x d matrix");
  if (layer->mask != ATTCERT_MASK_NONE && layer->mask != ATTCERT_MASK_CAUSAL)
    return attcert_fail(err, ATTCERT_INPUT, "mask: %d is none, expected %d, no mask, or %d, causal", (int)layer->mask,
                        ATTCERT_MASK_NONE, ATTCERT_MASK_CAUSAL);
  return ATTCERT_OK;
}

/*@ requires error: err == \null || \valid(err);
    terminates \true;
    assigns *err;
    ensures most: \result == ATTCERT_OK ==> side <= ATTCERT_SIDE_MAX; */
static attcert_status check_side(int64_t side, const char *name, attcert_error *err) {
  if (side <= ATTCERT_SIDE_MAX) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s is %" PRId64 ", expected at most %d", name, side, ATTCERT_SIDE_MAX);
}

/*@ requires given: \valid_read(layer);
    requires error: err == \null || \valid(err);
    requires separated: \separated(err, layer);
    terminates \true;
    assigns *err;
    ensures sides: \result == ATTCERT_OK ==>
      1 <= tokens <= DIM_MAX && 1 <= layer->dim <= DIM_MAX && 1 <= layer->out_dim <= DIM_MAX && 1 <= layer->heads &&
      1 <= layer->head_dim && layer->heads * layer->head_dim <= DIM_MAX; */
static attcert_status check_sides(const attcert_layer *layer, int tokens, attcert_error *err) {
  if (layer->dim <= 0 || layer->heads <= 0 || layer->head_dim <= 0 || layer->out_dim <= 0)
    return attcert_fail(err, ATTCERT_INPUT, "layer sides must be positive: dim %d, heads %d, head_dim %d, out_dim %d",
                        layer->dim, layer->heads, layer->head_dim, layer->out_dim);
  if (tokens <= 0) return attcert_fail(err, ATTCERT_INPUT, "input: %d tokens, expected at least 1", tokens);
  attcert_status status = check_side(tokens, "number of tokens", err);
  if (status == ATTCERT_OK) status = check_side(layer->dim, "dim", err);
  if (status == ATTCERT_OK) status = check_side((int64_t)layer->heads * layer->head_dim, "heads x head_dim", err);
  if (status == ATTCERT_OK) status = check_side(layer->out_dim, "out_dim", err);
  return status;
}

/*@ requires given: \valid_read(layer) && \valid_read(x);
    requires error: err == \null || \valid(err);
    requires separated: \separated(err, layer, x);
    requires sides: 1 <= layer->heads && 1 <= layer->head_dim && layer->heads * layer->head_dim <= DIM_MAX;
    terminates \true;
    assigns *err;
    ensures shapes: \result == ATTCERT_OK ==>
      layer->query_weight != \null && layer->key_weight != \null && layer->value_weight != \null &&
      (layer->output_weight == \null ==> layer->out_dim == width(layer)) && x->cols == layer->dim; */
static attcert_status check_shapes(const attcert_layer *layer, const attcert_matrix *x, attcert_error *err) {
  if (layer->query_weight == NULL || layer->key_weight == NULL || layer->value_weight == NULL)
    return attcert_fail(err, ATTCERT_INPUT, "a layer needs query.weight, key.weight and value.weight");
  if (layer->output_weight == NULL && layer->out_dim != layer->heads * layer->head_dim)
    return attcert_fail(err, ATTCERT_INPUT,
                        "without output.weight the output has dimension %d (heads x head_dim), not %d",
                        layer->heads * layer->head_dim, layer->out_dim);
  if (x->cols != layer->dim)
    return attcert_fail(err, ATTCERT_INPUT, "input: tokens of dimension %d, but the layer's weights expect %d", x->cols,
                        layer->dim);
  return ATTCERT_OK;
}

/*@ requires sides: side(rows) && side(cols);
    requires given: numbers_given(a, row(rows, cols));
    requires error: err == \null || \valid(err);
    requires separated: numbers_apart(err, a, row(rows, cols));
    terminates \true;
    assigns *err;
    ensures checked: \result == ATTCERT_OK ==> checked(a, row(rows, cols)); */
static attcert_status check_finite(const double *a, int rows, int cols, const char *name, attcert_error *err) {
  if (a == NULL) return ATTCERT_OK;
  /*@ assert entries: 0 <= row(rows, cols) == rows * cols <= DIM_MAX * DIM_MAX; */
  const int count = rows * cols;
  /*@ loop invariant range: 0 <= i <= count;
      loop invariant finite: \forall integer t; 0 <= t < i ==> finite_double(a[t]);
      loop assigns i;
      loop variant count - i; */
  for (int i = 0; i < count; i++) {
    if (!isfinite(a[i]))
      return attcert_fail(err, ATTCERT_INPUT, "%s: entry [%d, %d] is %g, expected a finite number", name, i / cols,
                          i % cols, a[i]);
  }
  return ATTCERT_OK;
}

attcert_status layer_check(const attcert_layer *layer, const attcert_matrix *x, attcert_error *err) {
  attcert_status status = check_given(layer, x, err);
  if (status == ATTCERT_OK) status = check_sides(layer, x->rows, err);
  if (status == ATTCERT_OK) status = check_shapes(layer, x, err);
  if (status != ATTCERT_OK) return status;
  const int width = layer->heads * layer->head_dim, dim = layer->dim, out = layer->out_dim;
  /*@ assert width: width == width(layer) && side(width); */
  /*@ assert columns: row(width, 1) == width && row(out, 1) == out; */
  status = check_finite(x->data, x->rows, dim, "input", err);
  if (status == ATTCERT_OK) status = check_finite(layer->query_weight, width, dim, "query.weight", err);
  if (status == ATTCERT_OK) status = check_finite(layer->key_weight, width, dim, "key.weight", err);
  if (status == ATTCERT_OK) status = check_finite(layer->value_weight, width, dim, "value.weight", err);
  if (status == ATTCERT_OK) status = check_finite(layer->query_bias, width, 1, "query.bias", err);
  if (status == ATTCERT_OK) status = check_finite(layer->key_bias, width, 1, "key.bias", err);
  if (status == ATTCERT_OK) status = check_finite(layer->value_bias, width, 1, "value.bias", err);
  if (status == ATTCERT_OK) status = check_finite(layer->output_weight, out, width, "output.weight", err);
  if (status == ATTCERT_OK) status = check_finite(layer->output_bias, out, 1, "output.bias", err);
  return status;
}
