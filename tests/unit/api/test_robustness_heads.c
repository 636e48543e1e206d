/* The handles ask about the head that a folder has: a token, labels by name, the signs of several labels, a class that
 * the folder does not name. */
#include "attcert.h"
#include "tiny_head.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { N = 3, D = TINY_DIM };

/* A folder of that class, opened: the first body of its type. */
typedef struct {
  temp_folder folder;
  tiny_body body;
  attcert_model *model;
  double hidden[N * D];
} fixture;

static void fixture_init(fixture *f, const char *architecture, const char *keys) {
  random_source r = random_source_make(3, 0, 0);
  const tiny_head *head = tiny_heads;
  while (strcmp(head->architecture, architecture) != 0) head++;
  assert_true(tiny_body_init(&f->body, strcmp(head->type, "bert") == 0 ? 0 : 1, &r));
  assert_string_equal(f->body.type, head->type);
  tiny_head_add(&f->body, head, &r);
  temp_folder_init(&f->folder);
  tiny_body_write(&f->folder, &f->body, keys, true);
  assert_int_equal(attcert_model_open(&f->model, f->folder.path, 0, NULL), ATTCERT_OK);
  random_fill_gaussian(f->hidden, N * D, 1.0, &r);
}

static void fixture_clear(fixture *f) {
  attcert_model_close(f->model);
  tiny_body_clear(&f->body);
  temp_folder_clear(&f->folder);
}

static attcert_robustness *asked(const fixture *f, const char *architecture, int token) {
  attcert_robustness *r;
  attcert_error err;
  if (attcert_robustness_new_of(&r, f->model, f->hidden, N, D, architecture, token, &err) != ATTCERT_OK)
    fail_msg("%s", err.message);
  assert_int_equal(attcert_robustness_set_number(r, "radius", 1e-4, NULL), ATTCERT_OK);
  return r;
}

static bool says(const attcert_robustness *r, const char *part) {
  return strstr(attcert_robustness_json(r), part) != NULL;
}

static void a_token_is_asked_for(void **state) {
  (void)state;
  fixture f;
  attcert_robustness *r;
  attcert_error err;
  char part[64];
  fixture_init(&f, "BertForTokenClassification", "\"architectures\": [\"BertForTokenClassification\"], ");
  assert_int_equal(attcert_robustness_new(&r, f.model, f.hidden, N, D, &err), ATTCERT_INPUT);
  assert_true(r == NULL && strstr(err.message, "expected the token to classify, from 0 to 2") != NULL);
  assert_int_equal(attcert_robustness_new_of(&r, f.model, f.hidden, N, D, NULL, N, &err), ATTCERT_INPUT);
  double margin[N];
  for (int token = 0; token < N; token++) {
    r = asked(&f, NULL, token);
    assert_int_equal(attcert_robustness_decide(r, NULL, NULL), ATTCERT_OK);
    margin[token] = attcert_robustness_number(r, "margin_lower");
    snprintf(part, sizeof part, "\"token\": %d,", token);
    assert_true(says(r, part));
    attcert_robustness_free(r);
  }
  assert_true(margin[0] != margin[1] && margin[1] != margin[2]);
  fixture_clear(&f);
}

static void a_label_has_a_name(void **state) {
  (void)state;
  fixture f;
  attcert_error err;
  fixture_init(&f, "BertForSequenceClassification",
               "\"architectures\": [\"BertForSequenceClassification\"], "
               "\"id2label\": {\"0\": \"low\", \"1\": \"middle\", \"2\": \"high\"}, ");
  attcert_robustness *const r = asked(&f, NULL, -1);
  assert_int_equal(attcert_robustness_decide(r, NULL, NULL), ATTCERT_OK);
  const int label = (int)attcert_robustness_number(r, "label");
  static const char *const names[] = {"low", "middle", "high"};
  const char *const other = names[(label + 1) % 3];
  assert_true(says(r, "\"label_name\": \"") && says(r, names[label]));
  assert_int_equal(attcert_robustness_set_text(r, "label", "lower", &err), ATTCERT_INPUT);
  assert_int_equal(attcert_robustness_set_text(r, "label", NULL, &err), ATTCERT_INPUT);
  assert_int_equal(attcert_robustness_set_text(r, "label", names[label], &err), ATTCERT_OK);
  assert_int_equal(attcert_robustness_decide(r, NULL, NULL), ATTCERT_OK);
  assert_int_equal(attcert_robustness_set_text(r, "label", other, &err), ATTCERT_OK);
  assert_int_equal(attcert_robustness_decide(r, NULL, NULL), ATTCERT_NEGATIVE);
  assert_int_equal((int)attcert_robustness_number(r, "label"), (label + 1) % 3);
  assert_true(says(r, "\"refuted_label_name\": \""));
  attcert_robustness_free(r);
  fixture_clear(&f);
}

/* Label after label and all of them again, on one handle: a question leaves nothing behind. */
static void signs_of_several_labels(void **state) {
  (void)state;
  fixture f;
  double least = INFINITY;
  fixture_init(&f, "GPT2ForSequenceClassification",
               "\"architectures\": [\"GPT2ForSequenceClassification\"], "
               "\"problem_type\": \"multi_label_classification\", ");
  attcert_robustness *const r = asked(&f, NULL, -1);
  assert_int_equal(attcert_robustness_decide(r, NULL, NULL), ATTCERT_OK);
  const double all = attcert_robustness_number(r, "margin_lower"), closest = attcert_robustness_number(r, "rival");
  assert_true(attcert_robustness_number(r, "label") == -1.0 && says(r, "\"label\": null"));
  for (int label = 0; label < TINY_HEAD_LABELS; label++) {
    assert_int_equal(attcert_robustness_set_number(r, "label", label, NULL), ATTCERT_OK);
    assert_true(attcert_robustness_number(r, "label") == label - 1.0); /* still of the answer before */
    assert_int_equal(attcert_robustness_decide(r, NULL, NULL), ATTCERT_OK);
    const double margin = attcert_robustness_number(r, "margin_lower");
    assert_true(attcert_robustness_number(r, "label") == label && attcert_robustness_number(r, "rival") == label);
    if (label == (int)closest) assert_true(margin == all);
    least = fmin(least, margin);
  }
  assert_true(least == all);
  assert_int_equal(attcert_robustness_set_number(r, "label", TINY_HEAD_LABELS, NULL), ATTCERT_INPUT);
  assert_int_equal(attcert_robustness_set_number(r, "label", -1, NULL), ATTCERT_OK);
  assert_int_equal(attcert_robustness_decide(r, NULL, NULL), ATTCERT_OK);
  assert_true(attcert_robustness_number(r, "margin_lower") == all);

  /* far away a sign is another */
  assert_int_equal(attcert_robustness_set_number(r, "radius", 100, NULL), ATTCERT_OK);
  assert_int_equal(attcert_robustness_decide(r, NULL, NULL), ATTCERT_NEGATIVE);
  assert_true(says(r, "\"refuted_label\": "));
  attcert_robustness_free(r);
  fixture_clear(&f);
}

static void a_class_can_be_named(void **state) {
  (void)state;
  fixture f;
  attcert_robustness *r;
  attcert_error err;
  fixture_init(&f, "GPT2LMHeadModel", "\"architectures\": [\"GPT2Model\"], ");
  assert_int_equal(attcert_robustness_new(&r, f.model, f.hidden, N, D, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "GPT2Model, which has no head, expected GPT2LMHeadModel"));
  r = asked(&f, "GPT2LMHeadModel", -1);
  assert_int_equal(attcert_robustness_decide(r, NULL, NULL), ATTCERT_OK);
  assert_true(says(r, "\"head\": \"next token, token 2: ln_f, wte\""));
  attcert_robustness_free(r);
  fixture_clear(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_token_is_asked_for),
      cmocka_unit_test(a_label_has_a_name),
      cmocka_unit_test(signs_of_several_labels),
      cmocka_unit_test(a_class_can_be_named),
  };
  return cmocka_run_group_tests_name("robustness_heads", tests, NULL, NULL);
}
