/* T1, T2, T4, T5 and T9 of plain heads. */
#include "theory/ball_table.h"

#include "interval/interval_arith.h"
#include "interval/interval_set.h"

static void column_sum(interval *largest, const void *of, int h) {
  const layer_enclosure *const e = ((const theory_subject *)of)->e;
  interval sum;
  interval_init(&sum, THEORY_PRECISION);
  interval_set_zero(largest);
  for (int j = 0; j < e->n; j++) {
    interval_set_zero(&sum);
    for (int i = 0; i < e->n; i++) interval_add(&sum, &sum, &e->p[layer_enclosure_row(e, h, i) + (size_t)j]);
    interval_max(largest, largest, &sum);
  }
  interval_clear(&sum);
}

static attcert_status set_head(ball_head *head, const void *of, int h, const token_ball *at, ball_scratch *scratch,
                               attcert_error *err) {
  const theory_subject *const s = of;
  interval drift;
  interval_init(&drift, THEORY_PRECISION);
  const attcert_status status = head_drift(&drift, s->layer, h, at->centre, err);
  if (status == ATTCERT_OK) {
    head->tokens = s->x->rows;
    interval_set(&head->value, &s->norms->head[h].value);
    ball_head_set(head, s->layer->mask, &s->norms->head[h].score, &drift, at->radius, scratch);
  }
  interval_clear(&drift);
  return status;
}

attcert_status ball_table_fill_plain(theory_bound bound[THEORY_COUNT], const theory_subject *s, attcert_error *err) {
  const bool masked = s->layer->mask == ATTCERT_MASK_CAUSAL;
  const ball_subject subject = {.x = s->x,
                                .norms = s->norms,
                                .radius = s->radius,
                                .not_t2 = masked ? "holds without a mask only, see T5" : NULL,
                                .not_t5 = masked ? NULL : "holds under the causal mask only, see T2",
                                .any_tokens = true,
                                .set_head = set_head,
                                .column_sum = column_sum,
                                .of = s};
  return ball_table_fill(bound, &subject, err);
}
