#include "certify/midpoint_layer.h"

#include "certify/binary_exponent.h"
#include "certify/parallel.h"
#include "certify/rounding.h"
#include "interval/interval_arith.h"
#include "interval/interval_convert.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"
#include "interval/interval_vec.h"

#include <stdlib.h>

/* Channels whose scale is within 2^CHANNEL_SPREAD of the largest share its shift. */
enum { CHANNEL_SPREAD = 16 };

/* What is shared by the tokens while the doubles are filled in. */
typedef struct {
  midpoint_layer *m;
  const attcert_layer *layer;
  const layer_enclosure *e;
  point *keys;          /* [H][d][k]: K^T */
  interval *kappa;      /* [H][n][k] */
  long *kappa_exponent; /* [H] */
  long *query_exponent; /* [H], of Q */
  long *row_exponent;   /* [H][n][k]: of max_j |w_ij,r| 2^{s_i} */
  double *excess;       /* [H][n]: of P and w */
  double *g_excess;     /* [H][n] */
  double *kappa_excess; /* [H] */
  double *w_size;       /* [H][n]: max_j |w_ij|, what an error of g_i or F_i is multiplied by */
} builder;

size_t midpoint_layer_token(const midpoint_layer *m, int h, int i) {
  return (size_t)h * (size_t)m->n + (size_t)i;
}

/* Converts a scaled by 2^e; returns the radius and raises *excess where it is more than the rounding of the midpoint. */
static double convert(double *mid, interval *a, long e, double *excess, interval_scratch *ws) {
  double radius;
  interval_scale_2exp(a, a, e);
  interval_get_midrad(mid, &radius, a, ws);
  *excess = fmax(*excess, radius - 0x1p-52 * fabs(*mid));
  return radius;
}

/* kappa_j = (k_j - c) / sqrt(k) with c = the mean key, rounded: any exact number would do. */
static void enclose_kappa(builder *b, int h) {
  const layer_enclosure *const e = b->e;
  const size_t k = (size_t)e->head_dim;
  interval_scratch ws;
  interval root, centre;
  interval_scratch_init(&ws, e->precision);
  interval_init(&root, e->precision);
  interval_init(&centre, e->precision);
  layer_enclosure_root(&root, e);
  long exponent = EXPONENT_OF_ZERO;
  for (size_t r = 0; r < k; r++) {
    mpfr_set_zero(centre.lo, 1);
    for (int j = 0; j < e->n; j++) mpfr_add(centre.lo, centre.lo, e->k[layer_enclosure_vec(e, h, j) + r].lo, MPFR_RNDN);
    mpfr_div_si(centre.lo, centre.lo, e->n, MPFR_RNDN);
    mpfr_set(centre.hi, centre.lo, MPFR_RNDU);
    for (int j = 0; j < e->n; j++) {
      const size_t at = layer_enclosure_vec(e, h, j) + r;
      interval_sub(&b->kappa[at], &e->k[at], &centre);
      interval_div(&b->kappa[at], &b->kappa[at], &root, &ws);
      exponent = exponent_max(exponent, exponent_of_interval(&b->kappa[at]));
    }
  }
  b->kappa_exponent[h] = exponent;
  b->query_exponent[h] =
      exponent_of_doubles(b->layer->query_weight + (size_t)h * k * (size_t)e->dim, k * (size_t)e->dim);
  interval_clear(&centre);
  interval_clear(&root);
  interval_scratch_clear(&ws);
}

/* g_i = K^T q_i / sqrt(k) as an interval vector; returns its exponent. */
static long enclose_g(interval *g, const builder *b, int h, int i, interval_scratch *ws) {
  const layer_enclosure *const e = b->e;
  const size_t k = (size_t)e->head_dim, d = (size_t)e->dim;
  interval root;
  interval_init(&root, e->precision);
  layer_enclosure_root(&root, e);
  long exponent = EXPONENT_OF_ZERO;
  for (size_t c = 0; c < d; c++) {
    interval_dot_mixed(&g[c], e->q + layer_enclosure_vec(e, h, i), b->keys + ((size_t)h * d + c) * k, k, ws);
    interval_div(&g[c], &g[c], &root, ws);
    exponent = exponent_max(exponent, exponent_of_interval(&g[c]));
  }
  interval_clear(&root);
  return exponent;
}

/* g_i with the token's scale, and the size of each channel of w_ij. */
static void scale_token(void *context, int index) {
  builder *const b = context;
  midpoint_layer *const m = b->m;
  const layer_enclosure *const e = b->e;
  const int h = index / e->n, i = index % e->n;
  const size_t d = (size_t)e->dim, k = (size_t)e->head_dim, at = midpoint_layer_token(m, h, i);
  interval_scratch ws;
  interval_scratch_init(&ws, e->precision);
  interval *const g = interval_vec_new(d, e->precision);
  if (g == NULL) { /* an infinite radius is still true */
    m->g_radius[at] = INFINITY;
    b->excess[at] = INFINITY;
    interval_scratch_clear(&ws);
    return;
  }
  const long factored = exponent_product(b->kappa_exponent[h], b->query_exponent[h]);
  const long s = exponent_max(enclose_g(g, b, h, i, &ws), factored);
  m->scale[at] = s == EXPONENT_OF_ZERO ? SMALLEST_EXPONENT : s; /* g_i = 0 and F_i = 0: w_i. does not matter */
  for (size_t c = 0; c < d; c++) {
    const double radius = convert(&m->g[at * d + c], &g[c], -m->scale[at], &b->g_excess[at], &ws);
    m->g_radius[at] = round_up_nonnegative(m->g_radius[at] + radius, 1.0); /* l1 >= l2 */
  }
  m->rho[at] = factored == EXPONENT_OF_ZERO || factored - m->scale[at] < -1000
                   ? 0.0
                   : scale_double(1.0, factored - m->scale[at]);
  const interval *const p = e->p + layer_enclosure_row(e, h, i);
  for (size_t r = 0; r < k; r++) b->row_exponent[at * k + r] = EXPONENT_OF_ZERO;
  for (int j = 0; j < layer_enclosure_reach(e, i); j++) {
    const long weight = exponent_product(exponent_of_interval(&p[j]), s);
    for (size_t r = 0; r < k; r++) {
      layer_enclosure_deviation(&ws.q, e, h, i, j, r);
      long *const x = &b->row_exponent[at * k + r];
      *x = exponent_max(*x, exponent_product(weight, exponent_of_interval(&ws.q)));
    }
  }
  interval_vec_free(g);
  interval_scratch_clear(&ws);
}

/* Exponent of channel (h, r) of the Jacobian: of V's row and of every w g^T. */
static long channel_exponent(const builder *b, int h, int r) {
  const midpoint_layer *const m = b->m;
  const size_t d = (size_t)m->dim, k = (size_t)m->head_dim, channel = (size_t)h * k + (size_t)r;
  long exponent = exponent_of_doubles(b->layer->value_weight + channel * d, d);
  for (int i = 0; i < m->n; i++)
    exponent = exponent_max(exponent, b->row_exponent[midpoint_layer_token(m, h, i) * k + (size_t)r]);
  return exponent;
}

/* Chooses shift[] and the exponent of J, fills V' and W'. Sets m->zero when every channel is 0, or W_O is. */
static void scale_channels(builder *b) {
  midpoint_layer *const m = b->m;
  const attcert_layer *const layer = b->layer;
  const size_t d = (size_t)m->dim, channels = (size_t)m->heads * (size_t)m->head_dim, out = (size_t)m->out_dim;
  long largest = EXPONENT_OF_ZERO;
  for (size_t c = 0; c < channels; c++) {
    m->shift[c] = channel_exponent(b, (int)(c / (size_t)m->head_dim), (int)(c % (size_t)m->head_dim));
    largest = exponent_max(largest, m->shift[c]);
  }
  for (size_t c = 0; c < channels; c++) {
    const bool alike = m->output == NULL || m->shift[c] == EXPONENT_OF_ZERO || m->shift[c] >= largest - CHANNEL_SPREAD;
    if (alike) m->shift[c] = largest;
    for (size_t j = 0; j < d; j++) m->v[c * d + j] = scale_double(layer->value_weight[c * d + j], -m->shift[c]);
  }
  m->exponent = m->output == NULL ? largest : EXPONENT_OF_ZERO;
  for (size_t c = 0; m->output != NULL && c < channels; c++) {
    for (size_t o = 0; o < out; o++) {
      const long weight = exponent_of_doubles(&layer->output_weight[o * channels + c], 1);
      m->exponent = exponent_max(m->exponent, exponent_product(weight, m->shift[c]));
    }
  }
  m->zero = largest == EXPONENT_OF_ZERO || m->exponent == EXPONENT_OF_ZERO;
  for (size_t at = 0; m->output != NULL && !m->zero && at < out * channels; at++)
    m->output[at] = scale_double(layer->output_weight[at], m->shift[at % channels] - m->exponent);
}

/* w_ij for all j, and the row of P. */
static void convert_token(void *context, int index) {
  builder *const b = context;
  midpoint_layer *const m = b->m;
  const layer_enclosure *const e = b->e;
  const int h = index / e->n, i = index % e->n;
  const size_t n = (size_t)e->n, k = (size_t)e->head_dim, at = midpoint_layer_token(m, h, i);
  const interval *const p = e->p + layer_enclosure_row(e, h, i);
  interval_scratch ws;
  interval x;
  interval_scratch_init(&ws, e->precision);
  interval_init(&x, e->precision);
  for (int j = 0; j < layer_enclosure_reach(e, i); j++) {
    double squares = 0.0;
    for (size_t r = 0; r < k; r++) {
      layer_enclosure_deviation(&x, e, h, i, j, r);
      interval_mul(&x, &x, &p[j], &ws);
      const long e2 = m->scale[at] - m->shift[(size_t)h * k + r];
      const double radius = convert(&m->w[(at * k + r) * n + (size_t)j], &x, e2, &b->excess[at], &ws);
      squares += radius * radius;
      b->w_size[at] = fmax(b->w_size[at], fabs(m->w[(at * k + r) * n + (size_t)j]) + radius);
    }
    m->w_radius[at * n + (size_t)j] = round_up_nonnegative(sqrt(round_up_nonnegative(squares, (double)k)), 1.0);
    interval_set(&x, &p[j]);
    m->p_radius[at * n + (size_t)j] = convert(&m->p[at * n + (size_t)j], &x, 0, &b->excess[at], &ws);
  }
  interval_clear(&x);
  interval_scratch_clear(&ws);
}

/* kappa' and Q' of head h, with their scales. */
static void convert_head(builder *b, int h) {
  midpoint_layer *const m = b->m;
  const size_t k = (size_t)m->head_dim, d = (size_t)m->dim;
  interval_scratch ws;
  interval_scratch_init(&ws, b->e->precision);
  const long kappa = b->kappa_exponent[h] == EXPONENT_OF_ZERO ? 0 : b->kappa_exponent[h];
  const long query = b->query_exponent[h] == EXPONENT_OF_ZERO ? 0 : b->query_exponent[h];
  for (int j = 0; j < m->n; j++) {
    const size_t at = midpoint_layer_token(m, h, j);
    for (size_t r = 0; r < k; r++) {
      const double radius = convert(&m->kappa[at * k + r], &b->kappa[at * k + r], -kappa, &b->kappa_excess[h], &ws);
      m->kappa_radius[at] = round_up_nonnegative(m->kappa_radius[at] + radius, 1.0); /* l1 >= l2 */
    }
  }
  for (size_t c = (size_t)h * k * d; c < ((size_t)h + 1) * k * d; c++)
    m->q[c] = scale_double(b->layer->query_weight[c], -query);
  interval_scratch_clear(&ws);
}

/* K^T of every head as exact numbers. */
static void load_keys(builder *b) {
  const size_t k = (size_t)b->e->head_dim, d = (size_t)b->e->dim, heads = (size_t)b->e->heads;
  for (size_t h = 0; h < heads; h++) {
    for (size_t c = 0; c < d; c++) {
      for (size_t r = 0; r < k; r++)
        mpfr_set_d(b->keys[(h * d + c) * k + r].v, b->layer->key_weight[(h * k + r) * d + c], MPFR_RNDN);
    }
  }
}

static bool builder_init(builder *b, midpoint_layer *m, const attcert_layer *layer, const layer_enclosure *e) {
  const size_t heads = (size_t)e->heads, n = (size_t)e->n, k = (size_t)e->head_dim, d = (size_t)e->dim;
  *b = (builder){.m = m,
                 .layer = layer,
                 .e = e,
                 .keys = point_vec_new(heads * d * k, e->precision),
                 .kappa = interval_vec_new(heads * n * k, e->precision),
                 .kappa_exponent = calloc(heads, sizeof(long)),
                 .query_exponent = calloc(heads, sizeof(long)),
                 .row_exponent = calloc(heads * n * k, sizeof(long)),
                 .excess = calloc(heads * n, sizeof(double)),
                 .g_excess = calloc(heads * n, sizeof(double)),
                 .kappa_excess = calloc(heads, sizeof(double)),
                 .w_size = calloc(heads * n, sizeof(double))};
  return b->keys != NULL && b->kappa != NULL && b->kappa_exponent != NULL && b->query_exponent != NULL &&
         b->row_exponent != NULL && b->excess != NULL && b->g_excess != NULL && b->kappa_excess != NULL &&
         b->w_size != NULL;
}

static void builder_clear(builder *b) {
  point_vec_free(b->keys);
  interval_vec_free(b->kappa);
  free(b->kappa_exponent);
  free(b->query_exponent);
  free(b->row_exponent);
  free(b->excess);
  free(b->g_excess);
  free(b->kappa_excess);
  free(b->w_size);
}

static void build(builder *b, int threads) {
  midpoint_layer *const m = b->m;
  load_keys(b);
  for (int h = 0; h < m->heads; h++) enclose_kappa(b, h);
  parallel_for(m->heads * m->n, threads, scale_token, b);
  scale_channels(b);
  if (m->zero) return;
  parallel_for(m->heads * m->n, threads, convert_token, b);
  for (int h = 0; h < m->heads; h++) convert_head(b, h);
  for (int h = 0; h < m->heads; h++) {
    for (int i = 0; i < m->n; i++) {
      const size_t at = midpoint_layer_token(m, h, i);
      const double factors = b->g_excess[at] + b->kappa_excess[h] * m->rho[at];
      m->excess = fmax(m->excess, fmax(b->excess[at], factors * b->w_size[at]));
    }
  }
}

uint64_t midpoint_layer_bytes(const attcert_layer *layer, int n, mpfr_prec_t precision) {
  const uint64_t heads = (uint64_t)layer->heads, k = (uint64_t)layer->head_dim, d = (uint64_t)layer->dim;
  const uint64_t tokens = (uint64_t)n, out = layer->output_weight != NULL ? (uint64_t)layer->out_dim : 0;
  const uint64_t doubles = heads * tokens * (tokens * (3 + k) + d + k + 3) + 2 * heads * k * d + out * heads * k;
  const uint64_t building = (uint64_t)point_vec_bytes((size_t)(heads * d * k), precision) +
                            interval_vec_bytes((size_t)(heads * tokens * k), precision); /* K^T and kappa */
  return (doubles + heads * tokens * k) * sizeof(double) + building;
}

static bool allocate(midpoint_layer *m, bool output) {
  const size_t heads = (size_t)m->heads, n = (size_t)m->n, k = (size_t)m->head_dim, d = (size_t)m->dim;
  const struct {
    double **array;
    size_t count;
  } parts[] = {{&m->p, heads * n * n},        {&m->p_radius, heads * n * n}, {&m->w, heads * n * k * n},
               {&m->w_radius, heads * n * n}, {&m->g, heads * n * d},        {&m->g_radius, heads * n},
               {&m->kappa, heads * n * k},    {&m->kappa_radius, heads * n}, {&m->rho, heads * n},
               {&m->v, heads * k * d},        {&m->q, heads * k * d}};
  m->scale = calloc(heads * n, sizeof(long));
  m->shift = calloc(heads * k, sizeof(long));
  bool allocated = m->scale != NULL && m->shift != NULL;
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
    *parts[i].array = calloc(parts[i].count, sizeof(double));
    allocated = allocated && *parts[i].array != NULL;
  }
  if (!output) return allocated;
  m->output = calloc((size_t)m->out_dim * heads * k, sizeof(double));
  return allocated && m->output != NULL;
}

attcert_status midpoint_layer_init(midpoint_layer *m, const attcert_layer *layer, const layer_enclosure *e, int threads,
                                   attcert_error *err) {
  *m = (midpoint_layer){
      .n = e->n, .dim = e->dim, .heads = e->heads, .head_dim = e->head_dim, .out_dim = layer->out_dim, .mask = e->mask};
  builder b;
  const bool ready = builder_init(&b, m, layer, e);
  if (ready && allocate(m, layer->output_weight != NULL)) {
    build(&b, threads);
    builder_clear(&b);
    return ATTCERT_OK;
  }
  builder_clear(&b);
  midpoint_layer_clear(m);
  return attcert_fail(err, ATTCERT_RESOURCE, "out of memory: the Jacobian's factors need %llu bytes",
                      (unsigned long long)midpoint_layer_bytes(layer, e->n, e->precision));
}

void midpoint_layer_clear(midpoint_layer *m) {
  double *const parts[] = {m->p,     m->p_radius,     m->w,   m->w_radius, m->g, m->g_radius, m->f,
                           m->kappa, m->kappa_radius, m->rho, m->v,        m->q, m->output,   m->f_radius};
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) free(parts[i]);
  free(m->scale);
  free(m->shift);
  *m = (midpoint_layer){0};
}
