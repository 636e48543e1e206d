#include "kernel_case.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

double *new_doubles(size_t count) {
  double *a = malloc(count * sizeof *a);
  assert_non_null(a);
  for (size_t i = 0; i < count; i++) a[i] = NAN;
  return a;
}

void kernel_case_init_shape(kernel_case *c, const layer_shape *shape, int index) {
  random_source r = random_source_make(1, 0, (uint64_t)index);
  layer_case_init_gaussian(&c->input, shape, &r);
  const attcert_layer *layer = &c->input.layer;
  c->n = shape->n;
  c->dim = layer->dim;
  c->out_dim = layer->out_dim;
  attention_state_init(&c->state, layer, c->input.x.data, c->n, new_doubles(attention_state_size(layer, c->n)));
}

void kernel_case_init(kernel_case *c, int index) {
  const layer_shape shape = {.n = 1 + index % 5,
                             .dim = 1 + index % 7,
                             .heads = 1 + index % 3,
                             .head_dim = 1 + index % 4,
                             .out_dim = index / 2 % 2 ? 1 + index % 6 : 0,
                             .biases = index / 4 % 2,
                             .mask = index / 8 % 2 ? ATTCERT_MASK_CAUSAL : ATTCERT_MASK_NONE};
  kernel_case_init_shape(c, &shape, index);
}

void kernel_case_clear(kernel_case *c) {
  free(c->state.storage);
  layer_case_clear(&c->input);
}

static size_t inputs(const kernel_case *c) {
  return (size_t)c->n * (size_t)c->dim;
}

static size_t outputs(const kernel_case *c) {
  return (size_t)c->n * (size_t)c->out_dim;
}

double *kernel_case_forward(const kernel_case *c) {
  double *out = new_doubles(outputs(c));
  double *scratch = new_doubles(attention_forward_scratch(&c->input.layer, c->n));
  attention_forward(out, &c->input.layer, c->input.x.data, c->n, scratch);
  free(scratch);
  return out;
}

double *kernel_case_jacobian(const kernel_case *c) {
  double *jacobian = new_doubles(outputs(c) * inputs(c)), *scratch = new_doubles(attention_jacobian_scratch(&c->state));
  attention_jacobian(jacobian, &c->state, scratch);
  free(scratch);
  return jacobian;
}

double *kernel_case_jvp(const kernel_case *c, const double *dx) {
  double *dy = new_doubles(outputs(c)), *scratch = new_doubles(attention_product_scratch(&c->state));
  attention_jvp(dy, &c->state, dx, scratch);
  free(scratch);
  return dy;
}

double *kernel_case_vjp(const kernel_case *c, const double *cotangent) {
  double *dx = new_doubles(inputs(c)), *scratch = new_doubles(attention_product_scratch(&c->state));
  attention_vjp(dx, &c->state, cotangent, scratch);
  free(scratch);
  return dx;
}
