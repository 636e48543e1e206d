/* The whole network of every model type: its margin, from a folder with the type's own names, is that of the
 * definition; and what the steps are no network of is refused by name. */
#include "robust/gradient.h"
#include "robust/network.h"
#include "tiny_relative.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { D = RELATIVE_DIM, N = RELATIVE_TOKENS };

/* The smallest difference of the label's score and another one. */
static long double definition(const tiny_relative *type, const tensor_list *tensors, const double *numbers, int label) {
  long double x[N * D], score[RELATIVE_VOCABULARY], margin = INFINITY;
  for (int i = 0; i < N * D; i++) x[i] = numbers[i];
  for (int l = 0; l < type->layers; l++) tiny_relative_block(x, type, tensors, l, N);
  const int classes = tiny_relative_scores(score, x, type, tensors, N);
  for (int k = 0; k < classes; k++) {
    if (k != label) margin = fminl(margin, score[label] - score[k]);
  }
  return margin;
}

/* The network of the model's head. */
static attcert_status open_network(robust_network *network, const model *m, attcert_error *err) {
  model_head head;
  int token = 0;
  *network = (robust_network){.token = 0};
  attcert_status status = model_head_open(&head, m, NULL, err);
  if (status == ATTCERT_OK) status = model_head_token(&token, &head, HEAD_TOKEN_UNASKED, N, err);
  if (status == ATTCERT_OK) status = robust_network_open(network, m, &head, N, token, err);
  model_head_clear(&head);
  return status;
}

static void check_margin(const tiny_relative *type, const model *m, const tensor_list *tensors) {
  double numbers[N * D];
  attcert_matrix x = {N, D, numbers};
  attcert_error err;
  robust_network network;
  robust_gradient found;
  for (int i = 0; i < N * D; i++) numbers[i] = sin(i + 1);
  if (open_network(&network, m, &err) != ATTCERT_OK) fail_msg("%s: %s", type->type, err.message);
  assert_int_equal(robust_network_classes(&network), type->classifier != NULL ? RELATIVE_LABELS : RELATIVE_VOCABULARY);
  const robust_gradient_place at = {&x, NULL, -1, NULL};
  assert_int_equal(robust_gradient_enclose(&found, &network.steps, &at, &err), ATTCERT_OK);
  const long double expected = definition(type, tensors, numbers, found.label), slack = 1e-12L * (1 + fabsl(expected));
  if (!(found.margin.lo - slack <= expected && expected <= found.margin.hi + slack))
    fail_msg("%s: margin in [%.17g, %.17g], expected %.17Lg", type->type, found.margin.lo, found.margin.hi, expected);
  if (!(found.margin.hi - found.margin.lo <= 1e-9))
    fail_msg("%s: width %g", type->type, found.margin.hi - found.margin.lo);
  robust_network_clear(&network);
}

/* The function "logits" of the last layer, from any numbers that enter it: the scores in intervals. */
static void check_logits(const tiny_relative *type, const model *m, const tensor_list *tensors) {
  const robust_function of = {
      .function = MODEL_LOGITS, .layer = type->layers - 1, .tokens = N, .token = HEAD_TOKEN_UNASKED};
  double numbers[N * D];
  long double x[N * D], score[RELATIVE_VOCABULARY];
  const attcert_matrix input = {N, D, numbers};
  network_steps steps;
  model_head head;
  attcert_error err;
  step_scratch scratch;
  for (int i = 0; i < N * D; i++) x[i] = numbers[i] = sin(i + 1);
  tiny_relative_block(x, type, tensors, type->layers - 1, N);
  const int classes = tiny_relative_scores(score, x, type, tensors, N);
  if (robust_function_open(&steps, &head, m, &of, &err) != ATTCERT_OK) fail_msg("%s: %s", type->type, err.message);
  step_enclosure *const value = calloc((size_t)steps.count + 1, sizeof *value);
  assert_non_null(value);
  step_scratch_init(&scratch, 200);
  assert_int_equal(network_enclose_values(value, &steps, steps.count, &input, &scratch, NULL), ATTCERT_OK);
  assert_true(value[steps.count].rows == 1 && value[steps.count].cols == classes);
  for (int c = 0; c < classes; c++) {
    const double found = mpfr_get_d(step_entry(&value[steps.count], 0, c)->lo, MPFR_RNDN);
    if (!(fabsl(found - score[c]) <= 1e-12L * (1 + fabsl(score[c]))))
      fail_msg("%s: score %d is %.17g, expected %.17Lg", type->type, c, found, score[c]);
  }
  for (int v = 0; v <= steps.count; v++) step_enclosure_clear(&value[v]);
  free(value);
  step_scratch_clear(&scratch);
  network_clear(&steps);
  model_head_clear(&head);
}

static model *write_and_open(const temp_folder *folder, const tiny_relative *type, tensor_list *tensors,
                             const char *prefix, uint64_t seed) {
  model *m;
  attcert_error err;
  random_source r = random_source_make(seed, 0, 0);
  *tensors = (tensor_list){.count = 0};
  tiny_relative_init(tensors, type, &r);
  tiny_relative_write(folder, type, tensors, prefix);
  if (model_open(&m, folder->path, 0, &err) != ATTCERT_OK) fail_msg("%s", err.message);
  return m;
}

static void margins_equal_the_definition(void **state) {
  (void)state;
  for (const tiny_relative *type = tiny_relatives; type->type != NULL; type++) {
    for (uint64_t seed = 0; seed < 4; seed++) {
      temp_folder folder;
      tensor_list tensors;
      temp_folder_init(&folder);
      model *m = write_and_open(&folder, type, &tensors, seed % 2 == 0 ? "" : type->prefix, seed);
      if ((type->causal || type->classifier != NULL) && !type->headless) {
        check_margin(type, m, &tensors);
        check_logits(type, m, &tensors);
      }
      model_close(m);
      tensor_list_clear(&tensors);
      temp_folder_clear(&folder);
    }
  }
}

/* Each with a part of config.json in another's place. */
static void other_networks_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *type, *part, *other, *word;
  } bad[] = {
      {"gpt_neo", "\"vocab_size\"", "\"tie_word_embeddings\": false, \"vocab_size\"", "tie_word_embeddings"},
      {"opt", "\"vocab_size\"", "\"tie_word_embeddings\": false, \"vocab_size\"", "tie_word_embeddings"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    const tiny_relative *type = tiny_relatives;
    char text[1024];
    temp_folder folder;
    tensor_list tensors;
    robust_network network;
    attcert_error err = {0};
    model *m;
    while (strcmp(type->type, bad[i].type) != 0) type++;
    temp_folder_init(&folder);
    model_close(write_and_open(&folder, type, &tensors, "", 1));
    const char *const found = strstr(type->config, bad[i].part);
    assert_non_null(found);
    const int length = snprintf(text, sizeof text, "%.*s%s%s", (int)(found - type->config), type->config, bad[i].other,
                                found + strlen(bad[i].part));
    temp_folder_write(&folder, "config.json", text, (size_t)length);
    assert_int_equal(model_open(&m, folder.path, 0, &err), ATTCERT_OK);
    assert_int_equal(open_network(&network, m, &err), ATTCERT_INPUT);
    if (strstr(err.message, bad[i].word) == NULL) fail_msg("\"%s\" does not say %s", err.message, bad[i].word);
    robust_network_clear(&network);
    model_close(m);
    tensor_list_clear(&tensors);
    temp_folder_clear(&folder);
  }
}

/* A family none of whose heads is computed: its classifier reads something else than the first token. */
static void no_head_is_guessed(void **state) {
  (void)state;
  const tiny_relative *type = tiny_relatives;
  temp_folder folder;
  tensor_list tensors;
  robust_network network;
  attcert_error err = {0};
  model *m;
  while (strcmp(type->type, "whisper") != 0) type++;
  temp_folder_init(&folder);
  model_close(write_and_open(&folder, type, &tensors, "", 1));
  tensor_list_add(&tensors, "classifier.weight", RELATIVE_LABELS, D);
  tensor_list_add(&tensors, "classifier.bias", RELATIVE_LABELS, 0);
  tensor_list_write(&tensors, &folder, "");
  assert_int_equal(model_open(&m, folder.path, 0, &err), ATTCERT_OK);
  assert_int_equal(open_network(&network, m, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "no head of a whisper is evaluated"));
  model_close(m);
  tensor_list_clear(&tensors);
  temp_folder_clear(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(margins_equal_the_definition),
      cmocka_unit_test(other_networks_are_refused),
      cmocka_unit_test(no_head_is_guessed),
  };
  return cmocka_run_group_tests_name("network_types", tests, NULL, NULL);
}
