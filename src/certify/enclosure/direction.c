#include "certify/enclosure/direction.h"

#include "base/arrays.h"
#include "base/parallel.h"
#include "certify/enclosure/direction_row.h"
#include "certify/enclosure/projection.h"
#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"
#include "interval/interval_vec.h"
#include "kernel/row/attended_keys.h"
#include "linalg/exact_rows.h"

typedef struct {
  const attcert_layer *layer;
  const layer_enclosure *e;
  const double *u;        /* [n][d] */
  interval *dq, *dk, *dv; /* [H][n][k] */
  interval *dy;           /* [n][H k] */
  interval *image;        /* [n][out_dim]: J u; dy itself without W_O */
  point *output;          /* [out_dim][H k], or NULL */
  interval *squares;      /* [n]: ||(J u)_i||^2 */
} derivative;

static size_t channels_of(const layer_enclosure *e) {
  return (size_t)e->heads * (size_t)e->head_dim;
}

/* dy_i of one head. */
static void derivative_row(void *context, int index) {
  const derivative *const t = context;
  const layer_enclosure *const e = t->e;
  const int h = index / e->n, i = index % e->n;
  const size_t here = layer_enclosure_vec(e, h, i), head = layer_enclosure_vec(e, h, 0);
  interval *const dy = t->dy + (size_t)i * channels_of(e) + (size_t)h * (size_t)e->head_dim;
  interval_scratch ws;
  interval ds, term, root;
  interval_scratch_init(&ws, e->precision);
  interval_init(&ds, e->precision);
  interval_init(&term, e->precision);
  interval_init(&root, e->precision);
  layer_enclosure_root(&root, e);
  const direction_row row = {.n = attended_keys(e->mask, i, e->n),
                             .k = e->head_dim,
                             .p = e->p + layer_enclosure_row(e, h, i),
                             .q = e->q + here,
                             .dq = t->dq + here,
                             .keys = e->k + head,
                             .dkeys = t->dk + head,
                             .values = e->v + head,
                             .dvalues = t->dv + head,
                             .mean = e->y + here,
                             .root = &root};
  direction_row_add(dy, row, &ds, &term, &ws);
  interval_clear(&root);
  interval_clear(&term);
  interval_clear(&ds);
  interval_scratch_clear(&ws);
}

/* (J u)_i,o = (W_O dy_i)_o for every token i. */
static void output_channel(void *context, int o) {
  const derivative *const t = context;
  const size_t width = channels_of(t->e), out = (size_t)t->layer->out_dim;
  interval_scratch ws;
  interval_scratch_init(&ws, t->e->precision);
  for (size_t i = 0; i < (size_t)t->e->n; i++)
    interval_dot_mixed(&t->image[i * out + (size_t)o], t->dy + i * width, t->output + (size_t)o * width, width, &ws);
  interval_scratch_clear(&ws);
}

/* squares[i] := ||(J u)_i||^2 */
static void token_square(void *context, int i) {
  const derivative *const t = context;
  const size_t out = (size_t)t->layer->out_dim;
  interval_scratch ws;
  interval value;
  interval_scratch_init(&ws, t->e->precision);
  interval_init(&value, t->e->precision);
  for (size_t o = 0; o < out; o++) {
    interval_sqr(&value, &t->image[(size_t)i * out + o], &ws);
    interval_add(&t->squares[i], &t->squares[i], &value);
  }
  interval_clear(&value);
  interval_scratch_clear(&ws);
}

static bool derivative_init(derivative *t, const attcert_layer *layer, const layer_enclosure *e, const double *u) {
  const size_t rows = (size_t)e->n * channels_of(e);
  const size_t weights = layer->output_weight != NULL ? (size_t)layer->out_dim * channels_of(e) : 0;
  *t = (derivative){.layer = layer,
                    .e = e,
                    .u = u,
                    .dq = interval_vec_new(rows, e->precision),
                    .dk = interval_vec_new(rows, e->precision),
                    .dv = interval_vec_new(rows, e->precision),
                    .dy = interval_vec_new(rows, e->precision),
                    .squares = interval_vec_new((size_t)e->n, e->precision)};
  t->image = t->dy;
  if (weights != 0) {
    t->output = point_vec_new(weights, e->precision);
    t->image = interval_vec_new((size_t)e->n * (size_t)layer->out_dim, e->precision);
  }
  if (t->dq == NULL || t->dk == NULL || t->dv == NULL || t->dy == NULL || t->squares == NULL) return false;
  if (t->image == NULL || (weights != 0 && t->output == NULL)) return false;
  if (weights != 0) point_vec_set_d(t->output, layer->output_weight, weights);
  return true;
}

static void derivative_clear(derivative *t) {
  interval_vec_free(t->dq);
  interval_vec_free(t->dk);
  interval_vec_free(t->dv);
  if (t->image != t->dy) interval_vec_free(t->image);
  interval_vec_free(t->dy);
  point_vec_free(t->output);
  interval_vec_free(t->squares);
}

/* square contains ||u_i||^2; false when memory runs out. */
static bool direction_square(interval *square, const derivative *t, int i, mpz_ptr sum) {
  const size_t d = (size_t)t->e->dim;
  const double *const u = t->u + (size_t)i * d;
  exact_rows row;
  const bool ready = exact_rows_init(&row, u, 1, d, NULL);
  if (ready) exact_rows_dot(square, &row, 0, &row, 0, sum);
  exact_rows_clear(&row);
  return ready;
}

/* sqrt(sum of squares) / ||u|| */
static attcert_status norm_ratio(interval *ratio, const derivative *t, attcert_error *err) {
  bool ready = true;
  interval_scratch ws;
  interval norm, square;
  mpz_t sum;
  mpz_init(sum);
  interval_scratch_init(&ws, t->e->precision);
  interval_init(&norm, t->e->precision);
  interval_init(&square, t->e->precision);
  for (int i = 0; i < t->e->n && ready; i++) {
    ready = direction_square(&square, t, i, sum);
    interval_add(&norm, &norm, &square);
    if (i > 0) interval_add(&t->squares[0], &t->squares[0], &t->squares[i]);
  }
  interval_sqrt(&norm, &norm);
  interval_sqrt(&t->squares[0], &t->squares[0]);
  interval_div(ratio, &t->squares[0], &norm, &ws);
  interval_clear(&square);
  interval_clear(&norm);
  interval_scratch_clear(&ws);
  mpz_clear(sum);
  if (ready) return ATTCERT_OK;
  return array_out_of_memory(err, projection_bytes(1, t->e->dim), "a token's derivative in fixed point");
}

attcert_status direction_enclosure(interval *ratio, const attcert_layer *layer, const layer_enclosure *e,
                                   const double *u, int threads, attcert_error *err) {
  derivative t;
  attcert_status status = ATTCERT_OK;
  if (!derivative_init(&t, layer, e, u))
    status = array_out_of_memory(err, direction_bytes(layer, e->n, e->precision), "the directional derivative");
  const projection_shape shape = {e->n, e->dim, e->heads, e->head_dim, e->precision, threads};
  if (status == ATTCERT_OK) status = projection_enclosure(t.dq, layer->query_weight, NULL, t.u, &shape, err);
  if (status == ATTCERT_OK) status = projection_enclosure(t.dk, layer->key_weight, NULL, t.u, &shape, err);
  if (status == ATTCERT_OK) status = projection_enclosure(t.dv, layer->value_weight, NULL, t.u, &shape, err);
  if (status == ATTCERT_OK) {
    parallel_for(e->heads * e->n, threads, derivative_row, &t);
    if (t.output != NULL) parallel_for(layer->out_dim, threads, output_channel, &t);
    parallel_for(e->n, threads, token_square, &t);
    status = norm_ratio(ratio, &t, err);
  }
  derivative_clear(&t);
  return status;
}

bool direction_is_narrow(const interval *ratio) {
  mpfr_t width;
  mpfr_init2(width, 64);
  mpfr_sub(width, ratio->hi, ratio->lo, MPFR_RNDU);
  mpfr_mul_2ui(width, width, 50, MPFR_RNDU);
  const bool narrow = mpfr_number_p(width) && mpfr_cmp(width, ratio->lo) <= 0;
  mpfr_clear(width);
  return narrow;
}

uint64_t direction_bytes(const attcert_layer *layer, int n, mpfr_prec_t precision) {
  const size_t width = (size_t)layer->heads * (size_t)layer->head_dim, tokens = (size_t)n, out = (size_t)layer->out_dim;
  const size_t weights = layer->output_weight != NULL ? out * width : 0;
  return (uint64_t)interval_vec_bytes(tokens * (4 * width + out + 1), precision) + point_vec_bytes(weights, precision) +
         projection_bytes(n, layer->dim);
}
