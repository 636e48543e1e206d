/* Trained GPT-2-style models, end to end: a loader or a forward pass with an error in it does not predict text. */
#include "character_text.h"
#include "linear_probe.h"
#include "model/format/mapped_file.h"
#include "model/model_maps.h"
#include "test_data.h"

#include <cblas.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define assert_ok(call)                                    \
  do {                                                     \
    if ((call) != ATTCERT_OK) fail_msg("%s", err.message); \
  } while (0)

enum { MAX_POSITIONS = 64 };

typedef struct {
  model *m;
  character_ids ids;
} character_model;

static void character_model_open(character_model *c, const char *name) {
  char path[512], relative[128];
  attcert_error err;
  snprintf(relative, sizeof relative, "models/%s/vocab.json", name);
  character_ids_read(&c->ids, test_data_path(path, relative));
  path[strlen(path) - strlen("/vocab.json")] = '\0';
  assert_ok(model_open(&c->m, path, 0, &err));
  assert_in_range(c->m->config.positions, 2, MAX_POSITIONS);
}

/* ln_f of the hidden states after the first `blocks` blocks. */
static attcert_matrix final_states(const model *m, int blocks, const int *tokens, int n) {
  attcert_error err;
  attcert_matrix x;
  network_steps network;
  assert_ok(model_embed(&x, m, tokens, n, &err));
  assert_ok(model_run_blocks(&x, m, blocks, &err));
  network_builder b = network_run(&network, &x, &err);
  assert_ok(network_run_end(&x, &b, model_norm(&b, 0, m, "ln_f")));
  return x;
}

/* -ln P(next), P the softmax of the logits. */
static double surprise(const double *logits, int vocabulary, int next) {
  double largest = logits[0], total = 0;
  for (int v = 1; v < vocabulary; v++) largest = fmax(largest, logits[v]);
  for (int v = 0; v < vocabulary; v++) total += exp(logits[v] - largest);
  return largest + log(total) - logits[next];
}

/* Mean surprise of tokens 1 .. n - 1, each predicted from those before it; the logits are the final states times the
 * embedding table (tied output map). */
static double window_cross_entropy(const model *m, const int *tokens, int n) {
  attcert_error err;
  attcert_matrix x = final_states(m, m->config.layers, tokens, n), table, logits;
  assert_ok(attcert_matrix_init(&table, m->config.vocabulary, x.cols, &err));
  assert_ok(attcert_matrix_init(&logits, n, table.rows, &err));
  assert_ok(tensor_source_matrix(table.data, &m->source, m->config.family->word_table, table.rows, table.cols, &err));
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, n, table.rows, x.cols, 1.0, x.data, x.cols, table.data, x.cols,
              0.0, logits.data, logits.cols);
  double total = 0;
  for (int t = 0; t + 1 < n; t++)
    total += surprise(logits.data + (size_t)t * (size_t)logits.cols, logits.cols, tokens[t + 1]);
  attcert_matrix_clear(&x);
  attcert_matrix_clear(&table);
  attcert_matrix_clear(&logits);
  return total / (n - 1);
}

/* Over at most `windows` windows of the text; in nats a character. */
static double cross_entropy(const character_model *c, const char *text, size_t length, int windows) {
  int tokens[MAX_POSITIONS], count = 0;
  double total = 0;
  size_t position = 0;
  while (count < windows && character_window(tokens, c->m->config.positions, &c->ids, text, length, &position)) {
    total += window_cross_entropy(c->m, tokens, c->m->config.positions);
    count++;
  }
  assert_in_range(count, 1, windows);
  return total / count;
}

static mapped_file open_alice(void) {
  char path[512];
  attcert_error err;
  mapped_file text;
  assert_ok(mapped_file_open(&text, test_data_path(path, "text/carroll-alice.txt"), &err));
  return text;
}

/* A guess among 65 characters costs ln 65 = 4.17 nats; letters by their frequency alone about 2.9. */
static void char_gpt_predicts_text(void **state) {
  (void)state;
  character_model c;
  mapped_file text = open_alice();
  character_model_open(&c, "char-gpt");
  const double nats = cross_entropy(&c, (const char *)text.data, text.size, 40);
  print_message("char-gpt: %.4f nats a character on Alice's Adventures in Wonderland\n", nats);
  mapped_file_close(&text);
  model_close(c.m);
  assert_true(nats < 2.5);
}

/* What the states after `blocks` blocks know of the next character: the accuracy of a linear probe. */
static double probe(const character_model *c, int blocks, const mapped_file *text) {
  enum { WINDOWS = 600 };
  const int n = c->m->config.positions, d = c->m->config.dim;
  int tokens[MAX_POSITIONS], count = 0;
  int *label = calloc((size_t)(WINDOWS * n), sizeof *label);
  double *features = calloc((size_t)(WINDOWS * n) * (size_t)d, sizeof *features);
  assert_true(label != NULL && features != NULL);
  size_t position = 0;
  for (int w = 0; w < WINDOWS; w++) {
    assert_true(character_window(tokens, n, &c->ids, (const char *)text->data, text->size, &position));
    attcert_matrix x = final_states(c->m, blocks, tokens, n);
    memcpy(features + (size_t)count * (size_t)d, x.data, (size_t)(n - 1) * (size_t)d * sizeof *features);
    memcpy(label + count, tokens + 1, (size_t)(n - 1) * sizeof *label);
    count += n - 1;
    attcert_matrix_clear(&x);
  }
  const double accuracy = linear_probe_accuracy(features, label, count, d, c->m->config.vocabulary);
  free(label);
  free(features);
  return accuracy;
}

/* mini-gpt's output map is not in its file: a linear probe stands in for it. */
static void mini_gpt_blocks_learn_about_the_next_character(void **state) {
  (void)state;
  character_model c;
  mapped_file text = open_alice();
  character_model_open(&c, "mini-gpt");
  double accuracy[8];
  const int layers = c.m->config.layers;
  assert_in_range(layers, 1, 7);
  for (int blocks = 0; blocks <= layers; blocks++) {
    accuracy[blocks] = probe(&c, blocks, &text);
    print_message("mini-gpt: after %d blocks a linear probe predicts %.1f%% of the characters\n", blocks,
                  100 * accuracy[blocks]);
  }
  mapped_file_close(&text);
  model_close(c.m);
  assert_true(accuracy[layers] > accuracy[0] + 0.15);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(char_gpt_predicts_text),
      cmocka_unit_test(mini_gpt_blocks_learn_about_the_next_character),
  };
  return cmocka_run_group_tests_name("trained_gpt2", tests, NULL, NULL);
}
