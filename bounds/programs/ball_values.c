/* See ball_values.h. */
#include "ball_values.h"

#include "interval/interval_arith.h"
#include "interval/interval_set.h"
#include "theory/layer_norms.h"
#include "theory/lower_bound.h"
#include "theory/score_eigenvalue.h"
#include "theory/worst_score_matrix.h"

typedef void upper_bound(interval *bound, const ball_head *b, ball_scratch *s);

static const struct {
  const char *name;
  upper_bound *evaluate; /* NULL: a lower bound */
  bool masked, unmasked; /* where it holds */
} bounds[BALL_COUNT] = {
    [BALL_T1] = {"T1", sqrt_n_bound, true, true},  [BALL_T2] = {"T2", mean_field_bound, false, true},
    [BALL_T3] = {"T3", NULL, false, true},         [BALL_T4] = {"T4", unified_bound, true, true},
    [BALL_T5] = {"T5", causal_bound, true, false}, [BALL_T9] = {"T9", sharp_bound, true, true},
    [BALL_T10] = {"T10", NULL, true, true},
};

const char *ball_value_name(ball_value_id id) {
  return bounds[id].name;
}

void ball_values_init(ball_values *b) {
  for (int i = 0; i < BALL_COUNT; i++) {
    b->bound[i] = (ball_value){.lower = bounds[i].evaluate == NULL};
    interval_init(&b->bound[i].value, THEORY_PRECISION);
  }
}

void ball_values_clear(ball_values *b) {
  for (int i = 0; i < BALL_COUNT; i++) interval_clear(&b->bound[i].value);
}

/* What both kinds of bounds are made of. */
typedef struct {
  const attcert_layer *head;
  layer_norms norms;
  ball_head ball;
  ball_scratch scratch;
  double radius;
} head_on_ball;

static void set_upper(ball_values *b, head_on_ball *h) {
  interval drift; /* 0: no query bias, and the ball is around 0 */
  interval_init(&drift, THEORY_PRECISION);
  interval_set(&h->ball.value, &h->norms.head[0].value);
  ball_head_set(&h->ball, h->head->mask, &h->norms.head[0].score, &drift, h->radius, &h->scratch);
  interval_clear(&drift);
  for (int i = 0; i < BALL_COUNT; i++) {
    const bool holds = h->head->mask == ATTCERT_MASK_CAUSAL ? bounds[i].masked : bounds[i].unmasked;
    b->bound[i].available = bounds[i].evaluate != NULL && holds;
    if (b->bound[i].available) bounds[i].evaluate(&b->bound[i].value, &h->ball, &h->scratch);
  }
}

static attcert_status set_t3(ball_value *t3, head_on_ball *h, attcert_error *err) {
  if (h->head->mask != ATTCERT_MASK_NONE || h->ball.tokens < 2) return ATTCERT_OK;
  interval gamma;
  interval_init(&gamma, THEORY_PRECISION);
  const attcert_status status = score_eigenvalue_gamma(&t3->available, &gamma, h->head, err);
  t3->available = t3->available && mpfr_sgn(gamma.lo) > 0;
  if (t3->available) lower_bound(&t3->value, &h->ball.value, &gamma, h->radius, h->ball.tokens, &h->scratch.ws);
  interval_clear(&gamma);
  return status;
}

static void set_t10(ball_value *t10, head_on_ball *h) {
  t10->available = h->ball.tokens >= 3 && h->head->dim >= 2;
  if (t10->available) worst_score_matrix(&t10->value, &h->ball.value, &h->ball.score, h->ball.tokens, &h->scratch.ws);
}

attcert_status ball_values_set(ball_values *b, const attcert_layer *head, int n, double radius, attcert_error *err) {
  head_on_ball h = {.head = head, .radius = radius};
  attcert_status status = layer_norms_init(&h.norms, head, err);
  if (status != ATTCERT_OK) return status;
  ball_head_init(&h.ball);
  ball_scratch_init(&h.scratch);
  h.ball.tokens = n;
  set_upper(b, &h);
  status = set_t3(&b->bound[BALL_T3], &h, err);
  set_t10(&b->bound[BALL_T10], &h);
  ball_scratch_clear(&h.scratch);
  ball_head_clear(&h.ball);
  layer_norms_clear(&h.norms);
  return status;
}

ball_value_id ball_values_smallest(const ball_values *b) {
  ball_value_id best = BALL_T1;
  for (ball_value_id i = BALL_T1; i < BALL_COUNT; i++) {
    if (b->bound[i].lower || !b->bound[i].available) continue;
    if (mpfr_less_p(b->bound[i].value.hi, b->bound[best].value.hi)) best = i;
  }
  return best;
}
