#include "network/rotary/step_rotary.h"

#include "interval/interval_arith.h"
#include "interval/interval_convert.h"
#include "linalg/rounding/upward.h"

#include <string.h>

/* ---- the turns --------------------------------------------------------------------------------------------------- */

/* cos and sin of position times f, and the rule's amplitude. */
static void turn_of(interval *cosine, interval *sine, const rotary_rule *rule, const interval *f, int position,
                    interval_scratch *ws) {
  interval amplitude;
  interval_init(&amplitude, mpfr_get_prec(f->lo));
  rotary_rule_turn(cosine, sine, f, position, ws);
  if (rotary_rule_amplitude(&amplitude, rule, ws)) {
    interval_mul(cosine, cosine, &amplitude, ws);
    interval_mul(sine, sine, &amplitude, ws);
  }
  interval_clear(&amplitude);
}

/* At 128 bits, the miss is that of the nearest double. */
static void make_turns(rotary_turn *turn, const rotary_heads *of, int rows) {
  const int pairs = rotary_heads_pairs(of), last = rotary_heads_position(of, rows - 1);
  const mpfr_prec_t precision = rotary_rule_precision(&of->rule, last, 128);
  step_scratch scratch;
  step_scratch_init(&scratch, precision);
  interval *const f = &scratch.t[0], *const cosine = &scratch.t[1], *const sine = &scratch.t[2];
  for (int m = 0; m < pairs; m++) {
    rotary_rule_frequency(f, &of->rule, m, &scratch.ws);
    for (int i = 0; i < rows; i++) {
      rotary_turn *const t = &turn[(size_t)i * (size_t)pairs + (size_t)m];
      turn_of(cosine, sine, &of->rule, f, rotary_heads_position(of, i), &scratch.ws);
      interval_get_midrad(&t->cosine, &t->cosine_miss, cosine, &scratch.ws);
      interval_get_midrad(&t->sine, &t->sine_miss, sine, &scratch.ws);
      t->angle = round_up_nonnegative(interval_get_d_upper(f) * rotary_heads_position(of, i), 1.0);
    }
  }
  step_scratch_clear(&scratch);
}

/* ---- forms ------------------------------------------------------------------------------------------------------- */

/* Entry `at` of row i becomes c x + s y, with x the entry itself and y its partner's: linear, with roundings gamma_3 of
 * |c x| + |s y|, center and linear part alike, and what c and s miss times all that x and y can be. */
static void turn_entry(form *out, const form *in, int i, rotary_pair p, double c, double s, const rotary_turn *turn) {
  const size_t row = (size_t)i * (size_t)in->cols, x = row + (size_t)p.first, y = row + (size_t)p.second;
  const size_t columns = (size_t)form_layout_columns(&in->row[i].layout);
  const double *const of_x = in->row[i].linear + (size_t)p.first * columns;
  const double *const of_y = in->row[i].linear + (size_t)p.second * columns;
  double *const to = out->row[i].linear + (size_t)p.first * columns;
  for (size_t k = 0; k < columns; k++) to[k] = c * of_x[k] + s * of_y[k];
  out->center[x] = c * in->center[x] + s * in->center[y];
  const double gamma = gamma_upper(3.0);
  const double along_x = in->radius[x] + gamma * (fabs(in->center[x]) + in->support[x].magnitude);
  const double along_y = in->radius[y] + gamma * (fabs(in->center[y]) + in->support[y].magnitude);
  const double missed =
      turn->cosine_miss * step_execution_size(in, i, p.first) + turn->sine_miss * step_execution_size(in, i, p.second);
  out->radius[x] = round_up_nonnegative(fabs(c) * along_x + fabs(s) * along_y + missed + UNDERFLOW_ALLOWANCE, 12.0);
}

static void turn_row(form *out, const form *in, int i, const rotary_heads *of) {
  const size_t cols = (size_t)in->cols, at = (size_t)i * cols;
  const size_t columns = (size_t)form_layout_columns(&in->row[i].layout);
  const rotary_turn *const turn = rotary_heads_turns(of, i);
  if (columns > 0) memcpy(out->row[i].linear, in->row[i].linear, cols * columns * sizeof(double));
  memcpy(out->center + at, in->center + at, cols * sizeof(double));
  memcpy(out->radius + at, in->radius + at, cols * sizeof(double));
  for (int k = 0; k < of->heads * rotary_heads_pairs(of); k++) {
    const int m = k % rotary_heads_pairs(of);
    const rotary_pair p = rotary_heads_pair(of, k / rotary_heads_pairs(of), m);
    turn_entry(out, in, i, p, turn[m].cosine, -turn[m].sine, &turn[m]);
    turn_entry(out, in, i, (rotary_pair){p.second, p.first}, turn[m].cosine, turn[m].sine, &turn[m]);
  }
}

static attcert_status forms(form *out, const step *s, const form *const *inputs, form_symbols *symbols, int origin,
                            attcert_error *err) {
  const form *const in = inputs[0];
  attcert_status status = form_init(out, in->rows, in->cols, err);
  (void)origin;
  for (int i = 0; i < in->rows && status == ATTCERT_OK; i++) {
    const form_layout *const layout = &in->row[i].layout;
    out->row[i].token = in->row[i].token;
    status = operation_row_layout(out, i, &layout, 1, symbols->count, symbols, err);
    if (status == ATTCERT_OK) turn_row(out, in, i, s->of);
  }
  return status;
}

/* ---- in double --------------------------------------------------------------------------------------------------- */

/* Rows of all heads: z += x turned, or where `back` turned back, which is the transpose. */
static void turn_in_double(double *z, const rotary_heads *of, const double *x, int rows, bool back) {
  const int pairs = rotary_heads_pairs(of), cols = of->heads * of->head_dim;
  for (int i = 0; i < rows; i++) {
    const rotary_turn *const turn = rotary_heads_turns(of, i);
    const double *const from = x + (size_t)i * (size_t)cols;
    double *const to = z + (size_t)i * (size_t)cols;
    for (int c = 0; c < cols; c++) {
      if (c % of->head_dim >= 2 * pairs) to[c] += from[c];
    }
    for (int k = 0; k < of->heads * pairs; k++) {
      const rotary_pair p = rotary_heads_pair(of, k / pairs, k % pairs);
      const double c = turn[k % pairs].cosine, s = back ? -turn[k % pairs].sine : turn[k % pairs].sine;
      to[p.first] += from[p.first] * c - from[p.second] * s;
      to[p.second] += from[p.second] * c + from[p.first] * s;
    }
  }
}

static attcert_status value(attcert_matrix *y, const step *s, const attcert_matrix *const *x, attcert_error *err) {
  (void)err;
  turn_in_double(y->data, s->of, x[0]->data, y->rows, false);
  return ATTCERT_OK;
}

static attcert_status pull_back(attcert_matrix *const *dx, const step *s, const attcert_matrix *const *x,
                                const attcert_matrix *dy, attcert_error *err) {
  (void)x;
  (void)err;
  turn_in_double(dx[0]->data, s->of, dy->data, dy->rows, true);
  return ATTCERT_OK;
}

/* ---- in intervals: the angles anew, as closely as the precision asks for ----------------------------------------- */

/* (z_first, z_second) += (x, y) turned by the angle, or back: t[1] and t[2] of the scratch are its cosine and sine. */
static void turn_pair(const step_enclosure *z, const step_enclosure *x, int i, rotary_pair p, step_scratch *scratch) {
  const interval *const from = step_entry(x, i, p.first), *const partner = step_entry(x, i, p.second);
  interval *const to = step_entry(z, i, p.first), *const to_partner = step_entry(z, i, p.second);
  interval *const cosine = &scratch->t[1], *const sine = &scratch->t[2], *const less = &scratch->t[3];
  interval_neg(less, sine);
  interval_fma(to, cosine, from, to, &scratch->ws);
  interval_fma(to, less, partner, to, &scratch->ws);
  interval_fma(to_partner, cosine, partner, to_partner, &scratch->ws);
  interval_fma(to_partner, sine, from, to_partner, &scratch->ws);
}

/* As turn_in_double. */
static void turn_in_intervals(step_enclosure *z, const rotary_heads *of, const step_enclosure *x, bool back,
                              step_scratch *scratch) {
  const int pairs = rotary_heads_pairs(of);
  interval *const cosine = &scratch->t[1], *const sine = &scratch->t[2];
  interval f;
  interval_scratch ws;
  const mpfr_prec_t precision =
      rotary_rule_precision(&of->rule, rotary_heads_position(of, x->rows - 1), scratch->precision);
  interval_init(&f, precision);
  interval_scratch_init(&ws, precision);
  for (int m = 0; m < pairs; m++) {
    rotary_rule_frequency(&f, &of->rule, m, &ws);
    for (int i = 0; i < x->rows; i++) {
      turn_of(cosine, sine, &of->rule, &f, rotary_heads_position(of, i), &ws);
      if (back) interval_neg(sine, sine);
      for (int h = 0; h < of->heads; h++) turn_pair(z, x, i, rotary_heads_pair(of, h, m), scratch);
    }
  }
  for (int i = 0; i < x->rows; i++) {
    for (int c = 0; c < x->cols; c++) {
      if (c % of->head_dim >= 2 * pairs) interval_add(step_entry(z, i, c), step_entry(z, i, c), step_entry(x, i, c));
    }
  }
  interval_clear(&f);
  interval_scratch_clear(&ws);
}

static attcert_status enclose(step_enclosure *y, const step *s, const step_enclosure *const *x, step_scratch *scratch,
                              attcert_error *err) {
  (void)err;
  turn_in_intervals(y, s->of, x[0], false, scratch);
  return ATTCERT_OK;
}

static attcert_status enclose_pull_back(step_enclosure *const *dx, const step *s, const step_enclosure *const *x,
                                        const step_enclosure *dy, step_scratch *scratch, attcert_error *err) {
  (void)x;
  (void)err;
  turn_in_intervals(dx[0], s->of, dy, true, scratch);
  return ATTCERT_OK;
}

/* Orthogonal, times the amplitude, or 1 where it is less, of entries that stay. A turn whose cosine and sine are off by
 * c and s is off by c + s at most, and a product takes two roundings of a matrix whose absolute value has the norm
 * |cos| + |sin| <= 3/2, times that. */
static attcert_status linearize(step_linear *l, const step_enclosure *const *x, step_scratch *scratch,
                                attcert_error *err) {
  const rotary_heads *const of = l->step->of;
  (void)x;
  (void)err;
  step_linear_size *const size = &l->size[0];
  rotary_rule_amplitude(&scratch->t[0], &of->rule, &scratch->ws);
  const double norm = fmax(1.0, interval_get_d_upper(&scratch->t[0]));
  const double rounded = upward_mul(norm, 1.5 * gamma_upper(3.0));
  *size = (step_linear_size){.norm = norm, .pushed = rounded, .pulled = rounded};
  for (int k = 0; k < l->rows[0] * rotary_heads_pairs(of); k++)
    size->missed = fmax(size->missed, upward_add(of->turn[k].cosine_miss, of->turn[k].sine_miss));
  return ATTCERT_OK;
}

static void turn_vectors(double *z, const step_linear *l, const double *x, int count, bool back) {
  const size_t size = (size_t)l->rows[0] * (size_t)l->cols[0];
  memset(z, 0, (size_t)count * size * sizeof *z);
  for (int b = 0; b < count; b++)
    turn_in_double(z + (size_t)b * size, l->step->of, x + (size_t)b * size, l->rows[0], back);
}

static void push(double *y, const step_linear *l, const double *const *x, int count, double *scratch) {
  (void)scratch;
  turn_vectors(y, l, x[0], count, false);
}

static void pull(double *const *x, const step_linear *l, const double *y, int count, double *scratch) {
  (void)scratch;
  turn_vectors(x[0], l, y, count, true);
}

const step_kind step_rotary = {.name = "rotary",
                               .forms = forms,
                               .lower = step_lower_affine,
                               .execution = step_rotary_execution,
                               .value = value,
                               .pull_back = pull_back,
                               .enclose = enclose,
                               .enclose_pull_back = enclose_pull_back,
                               .linearize = linearize,
                               .push = push,
                               .pull = pull};

/* Those of a step before it: layers, and their queries and keys, turn alike. NULL: there is none of the same rows. */
static const rotary_turn *turns_before(const network_steps *network, const rotary_heads *heads, int rows) {
  for (int k = 0; k < network->count; k++) {
    const step *const s = &network->step[k];
    const rotary_heads *const of = s->kind == &step_rotary ? s->of : NULL;
    if (of != NULL && s->rows == rows && of->token == heads->token && rotary_rule_same(&of->rule, &heads->rule))
      return of->turn;
  }
  return NULL;
}

static const rotary_turn *new_turns(network_builder *b, const rotary_heads *heads, int rows) {
  rotary_turn *const turn = network_new(b, (size_t)rows * (size_t)rotary_heads_pairs(heads), sizeof *turn);
  if (turn != NULL) make_turns(turn, heads, rows);
  return turn;
}

int step_rotary_add(network_builder *b, int value, const rotary_heads *heads) {
  const int rows = network_rows(b->network, value);
  rotary_heads own = *heads;
  const double *const divisor = heads->rule.scaling.divisor;
  if (divisor != NULL)
    own.rule.scaling.divisor = network_copy(b, divisor, (size_t)rotary_heads_pairs(heads) * sizeof *divisor);
  if (b->status != ATTCERT_OK) return 0;
  own.turn = turns_before(b->network, heads, rows);
  if (own.turn == NULL) own.turn = new_turns(b, heads, rows);
  const void *const of = network_copy(b, &own, sizeof own);
  return network_add(b, (step){.kind = &step_rotary, .of = of, .input = {value}, .inputs = 1});
}
