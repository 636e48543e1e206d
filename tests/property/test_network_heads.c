/* Every class of transformers whose head is supported, on tiny random models of its types: the enclosed scores of each
 * token that can be asked about contain those of the definition, and the bound of the margin on a ball is below the
 * margin of every point of it that was tried; of classifiers also as multi-label ones, all labels and each alone.
 *   ATTCERT_CASES=N  models of each class and type     ATTCERT_SEED=S  which ones */
#include "robust/ascent.h"
#include "robust/gradient.h"
#include "robust/prediction.h"
#include "robust/signs.h"
#include "test_setting.h"
#include "tiny_head.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { DEFAULT_CASES = 2, POINTS = 6, MOST = TINY_BODY_TOKENS * REFERENCE_WIDTH };

typedef struct {
  const tiny_head *head;
  const tiny_body *body;
  model *m;
  model_head found;
  int tokens, token; /* of the input; whose scores count */
  random_source r;
  long bounds, positive; /* how many margins of balls were compared; how many of the lower ends are above 0 */
} instance;

static void define(long double *score, const instance *t, const double *numbers) {
  long double x[MOST];
  for (int i = 0; i < t->tokens * t->body->dim; i++) x[i] = numbers[i];
  tiny_body_run(x, t->body, t->tokens);
  assert_int_equal(tiny_head_scores(score, x, t->tokens, t->head, t->body, t->token), t->found.labels);
}

/* score_label - score_other, the smallest; of signs the smallest s_k z_k, label >= 0: of this one. */
static long double margin_of(const instance *t, const robust_network *network, const double *numbers, int label) {
  long double score[TINY_HEAD_CLASSES], margin = INFINITY;
  define(score, t, numbers);
  for (int k = 0; k < t->found.labels; k++) {
    if (network->each_sign) {
      if (network->signs.sign[k] != 0.0) margin = fminl(margin, network->signs.sign[k] * score[k]);
    } else if (k != label) {
      margin = fminl(margin, score[label] - score[k]);
    }
  }
  return margin;
}

/* ---- at a point -------------------------------------------------------------------------------------------------- */

static void check_score(const instance *t, int k, range found, long double score) {
  const long double slack = 1e-15L * (1 + fabsl(score));
  if (!(found.lo - slack <= score && score <= found.hi + slack))
    fail_msg("%s, %s, token %d: score %d in [%.17g, %.17g], expected %.17Lg", t->head->architecture, t->body->config,
             t->token, k, found.lo, found.hi, score);
  assert_true(found.hi - found.lo <= 1e-12 * (1.0 + fabs(found.hi)));
}

static void check_scores(const instance *t, const robust_network *network, const attcert_matrix *x) {
  range found[TINY_HEAD_CLASSES];
  long double score[TINY_HEAD_CLASSES];
  robust_prediction answer;
  const robust_prediction_place at = {.x = x, .each_sign = network->each_sign, .top = TINY_HEAD_CLASSES};
  define(score, t, x->data);
  assert_int_equal(robust_network_classes(network), t->found.labels);
  assert_int_equal(robust_gradient_scores(found, &network->steps, x, NULL), ATTCERT_OK);
  assert_int_equal(robust_prediction_enclose(&answer, &network->steps, &at, NULL), ATTCERT_OK);
  assert_int_equal(answer.top, t->found.labels);
  for (int k = 0; k < t->found.labels; k++) {
    check_score(t, k, found[k], score[k]);
    check_score(t, answer.score[k].label, answer.score[k].score, score[answer.score[k].label]);
  }
  robust_prediction_clear(&answer);
}

static void check_center(const instance *t, const robust_network *network, const attcert_matrix *x, int winner) {
  robust_gradient g;
  const robust_gradient_place at = {.x = x, .label = winner};
  assert_int_equal(robust_gradient_enclose(&g, &network->steps, &at, NULL), ATTCERT_OK);
  const long double margin = margin_of(t, network, x->data, g.label), slack = 1e-15L * (1 + fabsl(margin));
  if (!(g.margin.lo - slack <= margin && margin <= g.margin.hi + slack))
    fail_msg("%s: margin in [%.17g, %.17g], expected %.17Lg", t->head->architecture, g.margin.lo, g.margin.hi, margin);
  if (network->each_sign) assert_true(g.margin.hi >= 0.0); /* the signs are those of the scores here */
}

/* ---- in a ball --------------------------------------------------------------------------------------------------- */

static void check_point(instance *t, const robust_network *network, const robust_margin *bound, const double *numbers) {
  const long double margin = margin_of(t, network, numbers, bound->label);
  if (!(bound->margin.lo <= margin + 1e-16L * (1 + fabsl(margin))))
    fail_msg("%s: the margin of a point of the ball is %.17Lg, below %.17g", t->head->architecture, margin,
             bound->margin.lo);
  t->bounds++;
}

/* Some points on the sphere, and the end of an ascent. */
static void check_ball(instance *t, const robust_network *network, const attcert_matrix *x, int winner) {
  const robust_ball ball = {.input = x, .label = winner, .region.radius = exp2(random_uniform(&t->r, -12.0, -5.0))};
  const size_t count = (size_t)x->rows * (size_t)x->cols;
  const robust_ascent ascent = {.steps = 10, .starts = 1, .seed = 3};
  robust_margin bound;
  attcert_matrix moved;
  double least;
  assert_int_equal(robust_margin_evaluate(&bound, &network->steps, &ball, NULL), ATTCERT_OK);
  if (bound.label < 0 && !network->each_sign) { /* no bound to the end, and so no class */
    assert_true(bound.ended >= 0 && bound.margin.lo == -INFINITY);
    robust_margin_clear(&bound);
    return;
  }
  t->positive += bound.margin.lo > 0.0;
  for (int p = 0; p < POINTS; p++) {
    double moved_to[MOST], squares = 0.0;
    for (size_t k = 0; k < count; k++) moved_to[k] = random_gaussian(&t->r);
    for (size_t k = 0; k < count; k++) squares += moved_to[k] * moved_to[k];
    for (size_t k = 0; k < count; k++)
      moved_to[k] = x->data[k] + 0.999 * ball.region.radius * moved_to[k] / sqrt(squares);
    check_point(t, network, &bound, moved_to);
  }
  assert_int_equal(robust_ascent_run(&moved, &least, &network->steps, &ball, &ascent, NULL), ATTCERT_OK);
  check_point(t, network, &bound, moved.data);
  attcert_matrix_clear(&moved);
  robust_margin_clear(&bound);
}

/* ---- every token, every label ------------------------------------------------------------------------------------ */

static void check_network(instance *t, const attcert_matrix *x) {
  robust_network network;
  int winner;
  assert_int_equal(robust_network_open(&network, t->m, &t->found, t->tokens, t->token, NULL), ATTCERT_OK);
  check_scores(t, &network, x);
  for (int label = -1; label < (t->found.each_sign ? t->found.labels : 0); label++) {
    assert_int_equal(robust_signs_settle(&winner, &network, x, label, NULL), ATTCERT_OK);
    check_center(t, &network, x, winner);
    check_ball(t, &network, x, winner);
    if (network.each_sign) {
      assert_int_equal(robust_network_classes(&network), label < 0 ? t->found.labels + 1 : 2);
      assert_int_equal(robust_signs_label(&network, 1), label < 0 ? 0 : label);
    }
  }
  robust_network_clear(&network);
}

static void check_tokens(instance *t) {
  double numbers[MOST];
  const attcert_matrix x = {t->tokens, t->body->dim, numbers};
  random_fill_gaussian(numbers, (size_t)(t->tokens * t->body->dim), 1.0, &t->r);
  for (int i = 0; i < t->tokens * t->body->dim; i++) numbers[i] = ldexp(trunc(ldexp(numbers[i], 30)), -30);
  for (int i = 0; i < t->tokens; i++) {
    const int expected = t->head->token == TINY_HEAD_ASKED ? i : t->head->token == TINY_HEAD_LAST ? t->tokens - 1 : 0;
    const bool asks = t->head->token == TINY_HEAD_ASKED;
    assert_int_equal(model_head_token(&t->token, &t->found, asks ? i : HEAD_TOKEN_UNASKED, t->tokens, NULL),
                     ATTCERT_OK);
    assert_int_equal(t->token, expected);
    assert_int_equal(model_head_token(&t->token, &t->found, asks ? HEAD_TOKEN_UNASKED : i, t->tokens, NULL),
                     ATTCERT_INPUT);
    t->token = expected;
    if (asks || i == 0) check_network(t, &x);
  }
}

/* One model in a folder of its own, as a class of one label an input or of several. */
static void check_model(instance *t, bool prefixed, bool several) {
  temp_folder folder;
  char keys[256];
  attcert_error err;
  temp_folder_init(&folder);
  snprintf(keys, sizeof keys, "\"architectures\": [\"%s\"], %s%s", t->head->architecture,
           t->head->keys != NULL ? t->head->keys : "",
           several ? "\"problem_type\": \"multi_label_classification\", " : "");
  tiny_body_write(&folder, t->body, keys, prefixed);
  if (model_open(&t->m, folder.path, 0, &err) != ATTCERT_OK) fail_msg("%s", err.message);
  if (model_head_open(&t->found, t->m, NULL, &err) != ATTCERT_OK) fail_msg("%s", err.message);
  char text[MODEL_HEAD_TEXT_SIZE];
  const bool capped = strcmp(t->head->architecture, "Gemma2ForCausalLM") == 0; /* at 30, where the file is silent */
  assert_true(t->found.each_sign == several);
  assert_true((strstr(model_head_text(text, &t->found, HEAD_TOKEN_UNASKED), "before their cap at 30") != NULL) ==
              capped);
  check_tokens(t);
  model_head_clear(&t->found);
  model_close(t->m);
  temp_folder_clear(&folder);
}

static void check_class(instance *t, const tiny_head *head, int index, uint64_t seed) {
  tiny_body body;
  const bool labels = head->token != TINY_HEAD_ASKED && head->classifier != NULL && head->classes == 0;
  t->r = random_source_make(seed, 5, (uint64_t)index);
  if (!tiny_body_init(&body, index, &t->r)) fail_msg("no body %d", index);
  tiny_head_add(&body, head, &t->r);
  t->head = head;
  t->body = &body;
  t->tokens = random_integer(&t->r, 1 + head->from, TINY_BODY_TOKENS);
  check_model(t, random_chance(&t->r, 0.5), false);
  if (labels) check_model(t, random_chance(&t->r, 0.5), true);
  tiny_body_clear(&body);
}

static void scores_and_margins_are_those_of_the_class(void **state) {
  (void)state;
  const uint64_t cases = test_setting("ATTCERT_CASES", DEFAULT_CASES), seed = test_setting("ATTCERT_SEED", 1);
  int classes = 0, models = 0;
  instance t = {.bounds = 0};
  for (const tiny_head *head = tiny_heads; head->type != NULL; head++, classes++) {
    random_source r = random_source_make(0, 0, 0);
    tiny_body body;
    for (int index = 0; tiny_body_init(&body, index, &r); index++) {
      const bool fits = strcmp(body.type, head->type) == 0;
      tiny_body_clear(&body);
      for (uint64_t k = 0; fits && k < cases; k++, models++) check_class(&t, head, index, seed * 1000 + k);
    }
  }
  print_message("%d heads, %d models, %ld margins compared with bounds on balls; %ld bounds above 0\n", classes, models,
                t.bounds, t.positive);
  assert_true(t.positive * (POINTS + 1) * 4 > t.bounds);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(scores_and_margins_are_those_of_the_class)};
  return cmocka_run_group_tests_name("network_heads", tests, NULL, NULL);
}
