/* Functions of entries. GELU comes in parts from most exporters: x (1 + f) / 2 in any order of its factors, with
 * f = erf(x / c) for the number c that the file has, or f = tanh(a (x + b x^3)). The first is evaluated for that c,
 * as u (1 + erf u) at u = x / c; the second where a and b are the float32 numbers next to sqrt(2 / pi) and 0.044715.
 * Other constants, and parts of no GELU, are evaluated step by step, as they stand. */
#include "network/activation/step_activation.h"
#include "network/product/step_product.h"
#include "network/sum/step_sum.h"
#include "onnx/onnx_operators.h"
#include "robust/range/range_exported.h"

/* ---- whole ------------------------------------------------------------------------------------------------------- */

onnx_tensor *onnx_activation(onnx_graph *g, onnx_tensor *x, const range_curve *curve) {
  const int value = x != NULL ? onnx_place(g, x, onnx_shape_last(&x->shape)) : 0;
  return g->b.status == ATTCERT_OK ? onnx_placed(g, &x->shape, step_activation_add(&g->b, value, curve)) : NULL;
}

void onnx_relu(onnx_graph *g) {
  onnx_result(g, 0, onnx_activation(g, onnx_input(g, 0), &curve_relu));
}

void onnx_gelu(onnx_graph *g) {
  const Onnx__AttributeProto *const by = onnx_attribute(g, "approximate");
  const bool tanh = by != NULL && by->has_s && by->s.len == 4 && by->s.data[0] == 't';
  if (by != NULL && by->has_s && by->s.len != 4) onnx_refuse(g, "approximate: expected none or tanh");
  onnx_result(g, 0, onnx_activation(g, onnx_input(g, 0), tanh ? &curve_gelu_tanh : &curve_gelu));
}

/* Which function it is a part of is said by what follows. */
static void begin_part(onnx_graph *g, onnx_meaning meaning) {
  onnx_tensor *const x = onnx_input(g, 0);
  if (x != NULL) onnx_result(g, 0, onnx_meant(g, &x->shape, meaning, x));
}

void onnx_tanh(onnx_graph *g) {
  begin_part(g, ONNX_TANH);
}

void onnx_erf(onnx_graph *g) {
  begin_part(g, ONNX_ERF);
}

void onnx_sigmoid(onnx_graph *g) {
  begin_part(g, ONNX_SIGMOID);
}

/* ---- parts ------------------------------------------------------------------------------------------------------- */

/* t with another scale and factor. */
static onnx_tensor *copied(onnx_graph *g, onnx_meaning meaning, const onnx_tensor *t, double scale, double factor) {
  onnx_tensor *const copy = onnx_meant(g, &t->shape, meaning, t->of[0]);
  if (copy == NULL) return NULL;
  copy->scale = scale;
  copy->factor = factor;
  return copy;
}

/* The tensor that t is a multiple of. */
static const onnx_tensor *base_of(const onnx_tensor *t) {
  return t->meaning == ONNX_SCALED ? t->of[0] : t;
}

/* t by the factor of `scaled`, or back. */
static onnx_tensor *rescaled(onnx_graph *g, onnx_tensor *t, const onnx_tensor *scaled, bool back) {
  if (t == NULL || scaled->meaning != ONNX_SCALED) return t;
  const bool by = scaled->divided_by != 1.0;
  const double c = by ? scaled->divided_by : scaled->scale;
  return c == 1.0 ? t : onnx_with_number(g, by != back ? ONNX_DIV : ONNX_MUL, t, c);
}

/* m (1 + erf u) times the gate's scale, m and u multiples of the same. */
static onnx_tensor *gated_by_erf(onnx_graph *g, const onnx_tensor *m, const onnx_tensor *gate) {
  onnx_tensor *const u = gate->of[0]->of[0];
  if (base_of(m) != base_of(u) && m != u) return NULL;
  onnx_tensor *t = onnx_activation(g, u, &curve_erf_gated);
  if (m != u) t = rescaled(g, rescaled(g, t, u, true), m, false);
  return gate->scale == 1.0 || t == NULL ? t : onnx_with_number(g, ONNX_MUL, t, gate->scale);
}

/* m (1 + tanh(a (x + b x^3))) times the gate's scale, m a multiple of x. */
static onnx_tensor *gated_by_tanh(onnx_graph *g, const onnx_tensor *m, const onnx_tensor *gate) {
  const onnx_tensor *const bent = gate->of[0]->of[0];
  if (bent->meaning != ONNX_BENT || base_of(m) != bent->of[0]) return NULL;
  if (bent->factor != exported_factor || bent->scale != exported_cubic) return NULL;
  onnx_tensor *const half = onnx_activation(g, bent->of[0], &curve_tanh_gated_float32);
  onnx_tensor *const t = rescaled(g, half, m, false);
  return t != NULL ? onnx_with_number(g, ONNX_MUL, t, 2.0 * gate->scale) : NULL;
}

/* Of a part and a number. */
static onnx_tensor *part_with_number(onnx_graph *g, onnx_operation op, onnx_tensor *x, double c) {
  const double product = x->scale * c;
  const bool exact = op == ONNX_MUL && onnx_is_exact(ONNX_MUL, x->scale, c, product);
  if (op == ONNX_ADD && c == 1.0 && (x->meaning == ONNX_ERF || x->meaning == ONNX_TANH))
    return onnx_meant(g, &x->shape, ONNX_GATE, x);
  if (exact && (x->meaning == ONNX_GATE || x->meaning == ONNX_CUBE)) return copied(g, x->meaning, x, product, 1.0);
  if (op == ONNX_MUL && x->meaning == ONNX_BENT && x->factor == 1.0) return copied(g, ONNX_BENT, x, x->scale, c);
  return NULL;
}

/* Of two parts, or of a part and what it is of. */
static onnx_tensor *part_with_part(onnx_graph *g, onnx_operation op, onnx_tensor *x, onnx_tensor *y) {
  if (op == ONNX_MUL && y->meaning == ONNX_SIGMOID && y->of[0] == x) return onnx_activation(g, x, &curve_silu);
  if (op == ONNX_MUL && y->meaning == ONNX_GATE)
    return y->of[0]->meaning == ONNX_ERF ? gated_by_erf(g, x, y) : gated_by_tanh(g, x, y);
  if (op == ONNX_MUL && y->meaning == ONNX_SQUARE && y->of[0] == x) return onnx_meant(g, &x->shape, ONNX_CUBE, x);
  if (op == ONNX_ADD && y->meaning == ONNX_CUBE && y->of[0] == x) return copied(g, ONNX_BENT, y, y->scale, 1.0);
  return NULL;
}

onnx_tensor *onnx_activation_part(onnx_graph *g, onnx_operation op, onnx_tensor *x, onnx_tensor *y) {
  onnx_tensor *t = NULL;
  if (op != ONNX_ADD && op != ONNX_MUL) return NULL;
  for (int turned = 0; turned < 2 && t == NULL && g->b.status == ATTCERT_OK; turned++) {
    onnx_tensor *const a = turned ? y : x, *const b = turned ? x : y;
    if (onnx_tensor_is_constant(a)) continue;
    if (!onnx_tensor_is_constant(b))
      t = part_with_part(g, op, a, b);
    else if (b->count == 1)
      t = part_with_number(g, op, a, b->number[0]);
  }
  if (t == NULL && op == ONNX_MUL && x == y && !onnx_tensor_is_constant(x))
    t = onnx_meant(g, &x->shape, ONNX_SQUARE, x);
  return t;
}

/* ---- parts of something else ------------------------------------------------------------------------------------- */

static onnx_tensor *product_of(onnx_graph *g, onnx_tensor *x, onnx_tensor *y) {
  const int64_t cols = onnx_shape_last(&x->shape);
  const int a = onnx_place(g, x, cols), b = onnx_place(g, y, cols);
  return g->b.status == ATTCERT_OK ? onnx_placed(g, &x->shape, step_product_add(&g->b, a, b)) : NULL;
}

static onnx_tensor *sum_of(onnx_graph *g, onnx_tensor *x, onnx_tensor *y) {
  const int64_t cols = onnx_shape_last(&x->shape);
  const int a = onnx_place(g, x, cols), b = onnx_place(g, y, cols);
  return g->b.status == ATTCERT_OK ? onnx_placed(g, &x->shape, step_sum_add(&g->b, a, b)) : NULL;
}

static onnx_tensor *power_of(onnx_graph *g, onnx_tensor *x, int exponent) {
  onnx_tensor *const square = product_of(g, x, x);
  return exponent == 2 || square == NULL ? square : product_of(g, square, x);
}

static onnx_tensor *times_number(onnx_graph *g, onnx_tensor *t, double c) {
  return c == 1.0 || t == NULL ? t : onnx_with_number(g, ONNX_MUL, t, c);
}

onnx_tensor *onnx_activation_settle(onnx_graph *g, const onnx_tensor *t) {
  onnx_tensor *const x = t->of[0];
  onnx_tensor *cube;
  switch (t->meaning) {
  case ONNX_SQUARE:
    return power_of(g, x, 2);
  case ONNX_CUBE:
    return times_number(g, power_of(g, x, 3), t->scale);
  case ONNX_BENT:
    cube = times_number(g, power_of(g, x, 3), t->scale);
    return cube != NULL ? times_number(g, sum_of(g, x, cube), t->factor) : NULL;
  case ONNX_ERF:
    return onnx_activation(g, x, &curve_erf);
  case ONNX_TANH:
    return onnx_activation(g, x, &curve_tanh);
  default: /* ONNX_GATE */
    onnx_settle(g, x);
    return times_number(g, onnx_with_number(g, ONNX_ADD, x, 1.0), t->scale);
  }
}
