#include "network/arrange/step_arrange.h"
#include "network/batchnorm/step_batchnorm.h"
#include "network/product/step_product.h"
#include "network/scale/step_scale.h"
#include "network/sum/step_sum.h"
#include "onnx/onnx_operators.h"

#include <math.h>

/* ---- of two constants: exact, or refused ------------------------------------------------------------------------- */

bool onnx_is_exact(onnx_operation op, double x, double y, double z) {
  if (!isfinite(z)) return false;
  switch (op) {
  case ONNX_ADD:
  case ONNX_SUB: {
    const double other = op == ONNX_ADD ? y : -y, back = z - x; /* what the sum misses, D. Knuth's two-sum */
    return (x - (z - back)) + (other - back) == 0.0;
  }
  case ONNX_MUL:
    return fma(x, y, -z) == 0.0 && (z != 0.0 ? fabs(z) > 0x1p-960 : x == 0.0 || y == 0.0);
  default: /* of whole numbers, one: a quotient of integers is cut off */
    return fma(z, y, -x) == 0.0 && fabs(x) < 0x1p900 && (z != 0.0 ? fabs(x) > 0x1p-900 : x == 0.0) &&
           (z == floor(z) || x != floor(x) || y != floor(y));
  }
}

static double operate(onnx_operation op, double x, double y) {
  return op == ONNX_ADD ? x + y : op == ONNX_SUB ? x - y : op == ONNX_MUL ? x * y : x / y;
}

static onnx_tensor *of_constants(onnx_graph *g, onnx_operation op, onnx_tensor *x, onnx_tensor *y) {
  onnx_tensor *const z = onnx_new(g, &x->shape, false, true);
  for (size_t k = 0; z != NULL && k < z->count; k++) {
    z->number[k] = operate(op, x->number[k], y->number[k]);
    if (onnx_is_exact(op, x->number[k], y->number[k], z->number[k])) continue;
    onnx_refuse(g, "of the constants %g and %g: the result is no double, so that it is not exact", x->number[k],
                y->number[k]);
    return NULL;
  }
  return z;
}

/* ---- of a computed tensor and a constant ------------------------------------------------------------------------- */

const double *onnx_columns_of(onnx_graph *g, onnx_tensor *constant, const onnx_shape *shape) {
  const onnx_tensor *const all = onnx_broadcast(g, constant, shape);
  const size_t cols = (size_t)onnx_shape_last(shape);
  for (size_t k = cols; all != NULL && k < all->count; k++) {
    if (all->number[k] != all->number[k - cols]) return NULL;
  }
  return all != NULL ? onnx_keep(g, all->number, cols) : NULL;
}

/* A value of the constant's numbers. */
static int constant_value(onnx_graph *g, onnx_tensor *constant, int64_t cols) {
  onnx_tensor *const beside = onnx_new(g, &constant->shape, false, true);
  for (size_t k = 0; beside != NULL && k < beside->count; k++) beside->number[k] = constant->number[k];
  return beside != NULL ? onnx_place(g, beside, cols) : 0;
}

/* x + c, or where x is what a bias may follow, that with it. */
static onnx_tensor *add_constant(onnx_graph *g, onnx_tensor *x, onnx_tensor *c) {
  if (x->entry == NULL && (x->meaning == ONNX_PRODUCT || x->meaning == ONNX_STANDARDIZED)) {
    const double *const bias = onnx_columns_of(g, c, &x->shape);
    if (bias != NULL && x->meaning == ONNX_PRODUCT)
      return onnx_affine(g, x->of[0], x->of[1]->number, bias, onnx_shape_last(&x->shape));
    if (bias != NULL) return onnx_layernorm(g, x->of[0], x->of[1] != NULL ? x->of[1]->number : NULL, bias, x->epsilon);
  }
  onnx_tensor *const all = onnx_broadcast(g, c, &x->shape);
  if (all == NULL) return NULL;
  const int64_t cols = onnx_shape_last(&x->shape);
  const int value = onnx_place(g, x, cols), beside = constant_value(g, all, cols);
  return onnx_placed(g, &x->shape, step_sum_add(&g->b, value, beside));
}

/* The columns that x has as a value, on which c is one number each: its last side, or all of it. */
static const double *columns_for(int64_t *cols, onnx_graph *g, const onnx_tensor *x, onnx_tensor *c) {
  const double *factor = onnx_columns_of(g, c, &x->shape);
  *cols = onnx_shape_last(&x->shape);
  if (factor != NULL || g->b.status != ATTCERT_OK) return factor;
  const onnx_tensor *const all = onnx_broadcast(g, c, &x->shape);
  *cols = (int64_t)x->count;
  return all != NULL ? onnx_keep(g, all->number, all->count) : NULL;
}

static onnx_tensor *scale_by(onnx_graph *g, onnx_tensor *x, onnx_tensor *c) {
  int64_t cols;
  const double *const factor = columns_for(&cols, g, x, c);
  if (factor == NULL) return NULL;
  const int value = onnx_place(g, x, cols);
  return onnx_placed(
      g, &x->shape, step_scale_add(&g->b, value, network_copy(&g->b, &(scale_weights){factor}, sizeof(scale_weights))));
}

/* x / c = sign(c) (x - 0) / sqrt(c^2 + 0), where c^2 is a double. */
static onnx_tensor *divide_by(onnx_graph *g, onnx_tensor *x, onnx_tensor *c) {
  int64_t cols;
  const double *const divisor = columns_for(&cols, g, x, c);
  if (divisor == NULL) return NULL;
  double *const sign = network_new(&g->b, (size_t)cols, sizeof *sign);
  double *const square = network_new(&g->b, (size_t)cols, sizeof *square);
  double *const zero = network_new(&g->b, (size_t)cols, sizeof *zero);
  for (int64_t k = 0; zero != NULL && k < cols; k++) {
    sign[k] = divisor[k] < 0.0 ? -1.0 : 1.0;
    square[k] = divisor[k] * divisor[k];
    if (divisor[k] == 0.0 || !onnx_is_exact(ONNX_MUL, divisor[k], divisor[k], square[k]))
      onnx_refuse(g, "by %.17g, expected a number of 26 bits or fewer, as floats are", divisor[k]);
  }
  const int value = onnx_place(g, x, cols);
  if (g->b.status != ATTCERT_OK) return NULL;
  const step_batchnorm_parameters by = {.weight = sign, .mean = zero, .variance = square, .cols = (int)cols};
  return onnx_placed(g, &x->shape, step_batchnorm_add(&g->b, value, &by));
}

static onnx_tensor *negated(onnx_graph *g, onnx_tensor *x) {
  onnx_tensor *const one = onnx_new(g, &(onnx_shape){0}, false, true);
  if (one == NULL) return NULL;
  one->number[0] = -1.0;
  return scale_by(g, x, one);
}

static onnx_tensor *negated_constant(onnx_graph *g, const onnx_tensor *c) {
  onnx_tensor *const t = onnx_new(g, &c->shape, false, true);
  for (size_t k = 0; t != NULL && k < t->count; k++) t->number[k] = -c->number[k];
  return t;
}

/* ---- what operators mean together -------------------------------------------------------------------------------- */

static bool means(const onnx_tensor *t, onnx_meaning meaning) {
  return t->meaning == meaning;
}

static onnx_tensor *rescaled_scores(onnx_graph *g, onnx_operation op, const onnx_tensor *x, double c) {
  onnx_tensor *const t = onnx_meant(g, &x->shape, ONNX_SCORES, x->of[0]);
  if (t == NULL) return NULL;
  const double square = c * c;
  t->of[1] = x->of[1];
  if (x->of[2] != NULL) onnx_refuse(g, "scores by a number behind what is added to them, expected it before");
  t->scale = op == ONNX_MUL ? x->scale * c : x->scale;
  t->divided_by = op == ONNX_MUL ? x->divided_by : x->divided_by * square;
  const bool exact = op == ONNX_MUL ? c != 0.0 && onnx_is_exact(ONNX_MUL, x->scale, c, t->scale)
                                    : c > 0.0 && onnx_is_exact(ONNX_MUL, c, c, square) &&
                                          onnx_is_exact(ONNX_MUL, x->divided_by, square, t->divided_by);
  if (!exact) onnx_refuse(g, "scores by %.17g: no exact factor, or a divisor whose square is no double", c);
  return t;
}

/* NULL: they mean nothing together that is not what the operator says. */
static onnx_tensor *meaning_of(onnx_graph *g, onnx_operation op, onnx_tensor *x, onnx_tensor *y) {
  const bool number = onnx_tensor_is_constant(y) && y->count == 1, columns = onnx_tensor_is_constant(y);
  onnx_tensor *t = NULL;
  if (means(x, ONNX_SCORES) && number && op >= ONNX_MUL) return rescaled_scores(g, op, x, y->number[0]);
  if (op == ONNX_SUB && means(y, ONNX_MEAN) && y->of[0] == x) return onnx_meant(g, &x->shape, ONNX_CENTERED, x);
  if (op == ONNX_MUL && means(x, ONNX_CENTERED) && y == x) return onnx_meant(g, &x->shape, ONNX_SQUARES, x->of[0]);
  if (op == ONNX_ADD && means(x, ONNX_SCORES) && columns) return onnx_biased_scores(g, x, y);
  if (op == ONNX_ADD && means(x, ONNX_VARIANCE) && number && x->epsilon == 0.0) {
    t = onnx_meant(g, &x->shape, ONNX_VARIANCE, x->of[0]);
    if (t != NULL) t->epsilon = y->number[0];
  }
  if (op == ONNX_DIV && means(x, ONNX_CENTERED) && means(y, ONNX_DEVIATION) && y->of[0] == x->of[0]) {
    t = onnx_meant(g, &x->shape, ONNX_STANDARDIZED, x->of[0]);
    if (t != NULL) t->epsilon = y->epsilon;
  }
  if (op == ONNX_MUL && means(x, ONNX_STANDARDIZED) && x->of[1] == NULL && columns) {
    const double *const gain = onnx_columns_of(g, y, &x->shape);
    onnx_tensor *const kept =
        gain != NULL ? onnx_new(g, &(onnx_shape){1, {onnx_shape_last(&x->shape)}}, false, true) : NULL;
    t = kept != NULL ? onnx_meant(g, &x->shape, ONNX_STANDARDIZED, x->of[0]) : NULL;
    for (size_t k = 0; t != NULL && k < kept->count; k++) kept->number[k] = gain[k];
    if (t != NULL) {
      t->of[1] = kept;
      t->epsilon = x->epsilon;
    }
  }
  return t;
}

/* ---- the operators ----------------------------------------------------------------------------------------------- */

/* That t is x times one number, or by it, for what follows. */
static onnx_tensor *with_its_factor(onnx_tensor *t, onnx_operation op, onnx_tensor *x, const onnx_tensor *c) {
  for (size_t k = 1; k < c->count; k++) {
    if (c->number[k] != c->number[0]) return t;
  }
  if (t == NULL) return NULL;
  t->meaning = ONNX_SCALED;
  t->of[0] = x;
  *(op == ONNX_MUL ? &t->scale : &t->divided_by) = c->number[0];
  return t;
}

onnx_tensor *onnx_with_constant(onnx_graph *g, onnx_operation op, onnx_tensor *x, onnx_tensor *c) {
  if (op == ONNX_MUL) return with_its_factor(scale_by(g, x, c), op, x, c);
  if (op == ONNX_DIV) return with_its_factor(divide_by(g, x, c), op, x, c);
  onnx_tensor *const add = op == ONNX_SUB ? negated_constant(g, c) : c;
  return add != NULL ? add_constant(g, x, add) : NULL;
}

onnx_tensor *onnx_with_number(onnx_graph *g, onnx_operation op, onnx_tensor *x, double c) {
  onnx_tensor *const one = x != NULL ? onnx_new(g, &x->shape, false, true) : NULL;
  for (size_t k = 0; one != NULL && k < one->count; k++) one->number[k] = c;
  return one != NULL ? onnx_with_constant(g, op, x, one) : NULL;
}

static onnx_tensor *of_values(onnx_graph *g, onnx_operation op, onnx_tensor *x, onnx_tensor *y) {
  const int64_t cols = onnx_shape_last(&x->shape);
  if (op == ONNX_DIV) {
    onnx_refuse(g, "of two computed tensors that are no layer normalisation");
    return NULL;
  }
  if (op == ONNX_SUB) y = negated(g, y);
  if (y == NULL) return NULL;
  const int a = onnx_place(g, x, cols), b = onnx_place(g, y, cols);
  if (g->b.status != ATTCERT_OK) return NULL;
  return onnx_placed(g, &x->shape, op == ONNX_MUL ? step_product_add(&g->b, a, b) : step_sum_add(&g->b, a, b));
}

onnx_tensor *onnx_combine(onnx_graph *g, onnx_operation op, onnx_tensor *x, onnx_tensor *y) {
  onnx_shape shape;
  onnx_tensor *const meant = meaning_of(g, op, x, y);
  if (meant != NULL || g->b.status != ATTCERT_OK) return meant;
  const bool turns = op == ONNX_ADD || op == ONNX_MUL;
  onnx_tensor *const part = onnx_activation_part(g, op, x, y);
  if (part != NULL || g->b.status != ATTCERT_OK) return part;
  if (turns && (onnx_tensor_is_constant(x) || x->entry == NULL) && !onnx_tensor_is_constant(y)) {
    onnx_tensor *const turned = meaning_of(g, op, y, x);
    if (turned != NULL || g->b.status != ATTCERT_OK) return turned;
  }
  if (!onnx_shape_broadcast(&shape, &x->shape, &y->shape)) {
    char a[ONNX_SHAPE_TEXT_SIZE], b[ONNX_SHAPE_TEXT_SIZE];
    onnx_refuse(g, "of shapes %s and %s", onnx_shape_text(a, &x->shape), onnx_shape_text(b, &y->shape));
    return NULL;
  }
  x = onnx_broadcast(g, x, &shape);
  y = onnx_broadcast(g, y, &shape);
  if (x == NULL || y == NULL) return NULL;
  if (x->masks || y->masks) {
    onnx_refuse(g, "of numbers that are -inf, expected them added to scores of queries and keys");
    return NULL;
  }
  if (onnx_tensor_is_constant(x) && onnx_tensor_is_constant(y)) return of_constants(g, op, x, y);
  if (onnx_tensor_is_constant(y)) return onnx_with_constant(g, op, x, y);
  if (onnx_tensor_is_constant(x) && turns) return onnx_with_constant(g, op, y, x);
  if (onnx_tensor_is_constant(x) && op == ONNX_SUB) return onnx_with_constant(g, ONNX_ADD, negated(g, y), x);
  return of_values(g, op, x, y);
}

static void combine_inputs(onnx_graph *g, onnx_operation op) {
  onnx_tensor *const x = onnx_input(g, 0), *const y = onnx_input(g, 1);
  onnx_tensor *const z = x != NULL && y != NULL ? onnx_combine(g, op, x, y) : NULL;
  if (z != NULL) onnx_result(g, 0, z);
}

void onnx_add(onnx_graph *g) {
  combine_inputs(g, ONNX_ADD);
}

void onnx_sub(onnx_graph *g) {
  combine_inputs(g, ONNX_SUB);
}

void onnx_mul(onnx_graph *g) {
  combine_inputs(g, ONNX_MUL);
}

void onnx_div(onnx_graph *g) {
  combine_inputs(g, ONNX_DIV);
}

void onnx_pow(onnx_graph *g) {
  onnx_tensor *const x = onnx_input(g, 0);
  const double exponent = onnx_constant(g, 1);
  if (exponent != 2.0 && exponent != 3.0) onnx_refuse(g, "expected the exponent 2 or 3");
  if (x == NULL || g->b.status != ATTCERT_OK) return;
  onnx_tensor *const square = onnx_combine(g, ONNX_MUL, x, x);
  if (square != NULL) onnx_result(g, 0, exponent == 2.0 ? square : onnx_combine(g, ONNX_MUL, square, x));
}

void onnx_sqrt(onnx_graph *g) {
  onnx_tensor *const x = onnx_input(g, 0);
  if (x == NULL) return;
  if (!means(x, ONNX_VARIANCE)) {
    onnx_refuse(g, "expected the variance of a layer normalisation");
    return;
  }
  onnx_tensor *const t = onnx_meant(g, &x->shape, ONNX_DEVIATION, x->of[0]);
  if (t != NULL) t->epsilon = x->epsilon;
  onnx_result(g, 0, t);
}
