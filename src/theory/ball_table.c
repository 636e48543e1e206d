/* See ball_table.h. */
#include "theory/ball_table.h"

#include "base/arrays.h"
#include "interval/interval_arith.h"
#include "interval/interval_set.h"
#include "interval/interval_vec.h"
#include "theory/table_entry.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct {
  theory_id id;
  void (*evaluate)(interval *bound, const ball_head *b, ball_scratch *s);
  bool any_tokens; /* the same for every n */
} ball_theorem;

static const ball_theorem theorems[] = {
    {THEORY_T1, sqrt_n_bound, false}, {THEORY_T2, mean_field_bound, true}, {THEORY_T4, unified_bound, false},
    {THEORY_T5, causal_bound, true},  {THEORY_T9, sharp_bound, false},
};

enum { THEOREMS = sizeof theorems / sizeof theorems[0] };

/* What holds at x may be too wide to improve on what holds on the ball. */
static attcert_status head_on_ball(ball_head *head, const ball_subject *s, int h, const token_ball *at,
                                   ball_scratch *scratch, attcert_error *err) {
  const attcert_status status = s->set_head(head, s->of, h, at, scratch, err);
  if (status != ATTCERT_OK || s->radius > 0) return status;
  interval largest;
  interval_init(&largest, THEORY_PRECISION);
  s->column_sum(&largest, s->of, h);
  interval_min(&head->column_sum, &head->column_sum, &largest);
  interval_clear(&largest);
  return ATTCERT_OK;
}

/* bounds[t * heads + h] := theorem t for head h. */
static attcert_status evaluate_heads(interval *bounds, const ball_subject *s, const token_ball *at,
                                     attcert_error *err) {
  const int heads = s->norms->heads;
  ball_head head;
  ball_scratch scratch;
  ball_head_init(&head);
  ball_scratch_init(&scratch);
  attcert_status status = ATTCERT_OK;
  for (int h = 0; status == ATTCERT_OK && h < heads; h++) {
    status = head_on_ball(&head, s, h, at, &scratch, err);
    for (int t = 0; status == ATTCERT_OK && t < THEOREMS; t++)
      theorems[t].evaluate(&bounds[t * heads + h], &head, &scratch);
  }
  ball_scratch_clear(&scratch);
  ball_head_clear(&head);
  return status;
}

/* Takes the bound over where it is the first, or the smaller one. */
static void keep_smaller(theory_bound *entry, const interval *bound, const ball_theorem *t, const ball_subject *s,
                         const token_ball *at) {
  if (entry->available && mpfr_lessequal_p(entry->value, bound->hi)) return;
  char rest[64];
  if (t->any_tokens && s->any_tokens)
    snprintf(rest, sizeof rest, "any n");
  else if ((t->id == THEORY_T4 || t->id == THEORY_T9) && s->radius == 0)
    snprintf(rest, sizeof rest, "n = %d, column sums of this input", s->x->rows);
  else
    snprintf(rest, sizeof rest, "n = %d", s->x->rows);
  table_entry_set(entry, bound);
  table_entry_say_ball(entry, at->radius, at->centre != NULL, rest);
}

/* NULL: it holds. */
static const char *reason_of(theory_id id, const ball_subject *s) {
  return id == THEORY_T2 ? s->not_t2 : id == THEORY_T5 ? s->not_t5 : NULL;
}

static attcert_status add_ball(theory_bound bound[THEORY_COUNT], const ball_subject *s, const token_ball *at,
                               attcert_error *err) {
  const size_t heads = (size_t)s->norms->heads;
  interval *const bounds = interval_vec_new(THEOREMS * heads, THEORY_PRECISION);
  if (bounds == NULL)
    return array_out_of_memory(err, interval_vec_bytes(THEOREMS * heads, THEORY_PRECISION), "a bound of %zu heads",
                               heads);
  interval combined;
  interval_init(&combined, THEORY_PRECISION);
  const attcert_status status = evaluate_heads(bounds, s, at, err);
  for (size_t t = 0; status == ATTCERT_OK && t < THEOREMS; t++) {
    theory_bound *const entry = &bound[theorems[t].id];
    const char *const reason = reason_of(theorems[t].id, s);
    if (reason != NULL) {
      table_entry_refuse(entry, reason);
      continue;
    }
    layer_norms_combine_heads(&combined, bounds + t * heads, s->norms);
    keep_smaller(entry, &combined, &theorems[t], s, at);
  }
  interval_clear(&combined);
  interval_vec_free(bounds);
  return status;
}

/* A ball around another point than 0, when there is a smaller one. */
static attcert_status add_centred_ball(theory_bound bound[THEORY_COUNT], const ball_subject *s, double radius,
                                       attcert_error *err) {
  double *const centre = array_new((size_t)s->x->cols, sizeof *centre, err, "the centre of the tokens");
  if (centre == NULL) return ATTCERT_RESOURCE;
  attcert_status status = token_ball_centre(centre, s->x, err);
  if (status == ATTCERT_OK) {
    const token_ball at = {centre, token_ball_radius(s->x, centre)};
    if (at.radius < radius) status = add_ball(bound, s, &at, err);
  }
  free(centre);
  return status;
}

attcert_status ball_table_fill(theory_bound bound[THEORY_COUNT], const ball_subject *s, attcert_error *err) {
  const token_ball around_zero = {NULL, s->radius > 0 ? s->radius : token_ball_radius(s->x, NULL)};
  const attcert_status status = add_ball(bound, s, &around_zero, err);
  if (status != ATTCERT_OK || s->radius > 0) return status;
  return add_centred_ball(bound, s, around_zero.radius, err);
}
