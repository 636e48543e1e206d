/* See distribution_bound.h. */
#include "theory/distribution_bound.h"

#include "base/arrays.h"
#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"
#include "interval/interval_vec.h"
#include "kernel/row/attended_keys.h"
#include "linalg/norm/interval_norm.h"
#include "theory/product_norm.h"
#include "theory/table_entry.h"

#include <stdio.h>

/* p1 (1 - p1 + p2) of the n weights at p; order statistics of intervals are those of their ends. */
static void row_spread(interval *spread, const interval *p, int n, interval_scratch *ws) {
  interval largest, second, smaller;
  interval_init(&largest, THEORY_PRECISION);
  interval_init(&second, THEORY_PRECISION);
  interval_init(&smaller, THEORY_PRECISION);
  for (int j = 0; j < n; j++) {
    interval_min(&smaller, &largest, &p[j]);
    interval_max(&second, &second, &smaller);
    interval_max(&largest, &largest, &p[j]);
  }
  interval_set_si(spread, 1);
  interval_sub(spread, spread, &largest);
  interval_add(spread, spread, &second);
  interval_mul(spread, spread, &largest, ws);
  interval_clear(&smaller);
  interval_clear(&second);
  interval_clear(&largest);
}

/* spread := max_i p1 (1 - p1 + p2). */
static void largest_spread(interval *spread, const layer_enclosure *e, int h, interval_scratch *ws) {
  interval row;
  interval_init(&row, THEORY_PRECISION);
  interval_set_zero(spread);
  for (int i = 0; i < e->n; i++) {
    row_spread(&row, e->p + layer_enclosure_row(e, h, i), attended_keys(e->mask, i, e->n), ws);
    interval_max(spread, spread, &row);
  }
  interval_clear(&row);
}

/* bound := the formula; on entry bound holds the spread, and drift is used up. */
static void evaluate_formula(interval *bound, const head_norms *head, const interval *weights, const interval *tokens,
                             interval *drift, int n, interval_scratch *ws) {
  interval root;
  interval_init(&root, THEORY_PRECISION);
  interval_set_si(&root, n);
  interval_sqrt(&root, &root);
  interval_mul(drift, drift, &root, ws);
  interval_scale_2exp(&root, tokens, 1);
  interval_fma(drift, &root, &head->score, drift, ws);
  interval_mul(drift, drift, tokens, ws);
  interval_fma(bound, bound, drift, weights, ws);
  interval_mul(bound, bound, &head->value, ws);
  interval_clear(&root);
}

static attcert_status head_bound(interval *bound, const theory_subject *s, int h, const interval *tokens,
                                 attcert_error *err) {
  interval weights, drift;
  interval_scratch ws;
  interval_init(&weights, THEORY_PRECISION);
  interval_init(&drift, THEORY_PRECISION);
  interval_scratch_init(&ws, THEORY_PRECISION);
  attcert_status status =
      interval_matrix_norm(&weights, s->e->p + layer_enclosure_row(s->e, h, 0), s->e->n, s->e->n, err);
  if (status == ATTCERT_OK) status = head_drift(&drift, s->layer, h, NULL, err);
  if (status == ATTCERT_OK) {
    largest_spread(bound, s->e, h, &ws);
    evaluate_formula(bound, &s->norms->head[h], &weights, tokens, &drift, s->x->rows, &ws);
  }
  interval_scratch_clear(&ws);
  interval_clear(&drift);
  interval_clear(&weights);
  return status;
}

attcert_status distribution_bound_fill(theory_bound *entry, const theory_subject *s, attcert_error *err) {
  const int heads = s->layer->heads;
  interval *const head = interval_vec_new((size_t)heads, THEORY_PRECISION);
  if (head == NULL)
    return array_out_of_memory(err, interval_vec_bytes((size_t)heads, THEORY_PRECISION), "a bound of %d heads", heads);
  interval tokens, combined;
  interval_init(&tokens, THEORY_PRECISION);
  interval_init(&combined, THEORY_PRECISION);
  attcert_status status = product_norm_plain(&tokens, s->x->data, s->x->rows, s->x->cols, err);
  for (int h = 0; status == ATTCERT_OK && h < heads; h++) status = head_bound(&head[h], s, h, &tokens, err);
  if (status == ATTCERT_OK) {
    layer_norms_combine_heads(&combined, head, s->norms);
    table_entry_set(entry, &combined);
    snprintf(entry->applies, sizeof entry->applies, "this input");
  }
  interval_clear(&combined);
  interval_clear(&tokens);
  interval_vec_free(head);
  return status;
}
