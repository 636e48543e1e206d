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

void distribution_head_init(distribution_head *d) {
  interval_init(&d->value, THEORY_PRECISION);
  interval_init(&d->weights, THEORY_PRECISION);
  interval_init(&d->tokens, THEORY_PRECISION);
  interval_init(&d->slopes, THEORY_PRECISION);
  interval_init(&d->spread, THEORY_PRECISION);
}

void distribution_head_clear(distribution_head *d) {
  interval_clear(&d->value);
  interval_clear(&d->weights);
  interval_clear(&d->tokens);
  interval_clear(&d->slopes);
  interval_clear(&d->spread);
}

/* Order statistics of intervals are those of their ends. */
void distribution_bound_add_row(interval *spread, const interval *p, int n, interval_scratch *ws) {
  interval largest, second, smaller;
  interval_init(&largest, THEORY_PRECISION);
  interval_init(&second, THEORY_PRECISION);
  interval_init(&smaller, THEORY_PRECISION);
  for (int j = 0; j < n; j++) {
    interval_min(&smaller, &largest, &p[j]);
    interval_max(&second, &second, &smaller);
    interval_max(&largest, &largest, &p[j]);
  }
  interval_set_si(&smaller, 1);
  interval_sub(&smaller, &smaller, &largest);
  interval_add(&smaller, &smaller, &second);
  interval_mul(&smaller, &smaller, &largest, ws);
  interval_max(spread, spread, &smaller);
  interval_clear(&smaller);
  interval_clear(&second);
  interval_clear(&largest);
}

void distribution_bound(interval *bound, distribution_head *d, interval_scratch *ws) {
  interval_mul(&d->slopes, &d->slopes, &d->tokens, ws);
  interval_fma(bound, &d->spread, &d->slopes, &d->weights, ws);
  interval_mul(bound, bound, &d->value, ws);
}

/* slopes := 2 ||X|| ||A|| + sqrt(n) drift */
static void set_slopes(distribution_head *d, const interval *score, const interval *drift, int n,
                       interval_scratch *ws) {
  interval root;
  interval_init(&root, THEORY_PRECISION);
  interval_set_si(&root, n);
  interval_sqrt(&root, &root);
  interval_mul(&d->slopes, drift, &root, ws);
  interval_scale_2exp(&root, &d->tokens, 1);
  interval_fma(&d->slopes, &root, score, &d->slopes, ws);
  interval_clear(&root);
}

static attcert_status set_head(distribution_head *d, const theory_subject *s, int h, const interval *tokens,
                               interval_scratch *ws, attcert_error *err) {
  const layer_enclosure *const e = s->e;
  interval drift;
  interval_init(&drift, THEORY_PRECISION);
  attcert_status status = interval_matrix_norm(&d->weights, e->p + layer_enclosure_row(e, h, 0), e->n, e->n, err);
  if (status == ATTCERT_OK) status = head_drift(&drift, s->layer, h, NULL, err);
  interval_set(&d->tokens, tokens);
  interval_set(&d->value, &s->norms->head[h].value);
  set_slopes(d, &s->norms->head[h].score, &drift, s->x->rows, ws);
  for (int i = 0; i < e->n; i++)
    distribution_bound_add_row(&d->spread, e->p + layer_enclosure_row(e, h, i), attended_keys(e->mask, i, e->n), ws);
  interval_clear(&drift);
  return status;
}

static attcert_status head_bound(interval *bound, const theory_subject *s, int h, const interval *tokens,
                                 attcert_error *err) {
  distribution_head d;
  interval_scratch ws;
  distribution_head_init(&d);
  interval_scratch_init(&ws, THEORY_PRECISION);
  const attcert_status status = set_head(&d, s, h, tokens, &ws, err);
  if (status == ATTCERT_OK) distribution_bound(bound, &d, &ws);
  interval_scratch_clear(&ws);
  distribution_head_clear(&d);
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
