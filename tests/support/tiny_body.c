#include "tiny_body.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Its own head is left out. */
static void init_relative(tiny_body *body, const tiny_relative *relative, random_source *r) {
  tiny_relative bare = *relative;
  bare.head_map = bare.classifier = NULL;
  *body = (tiny_body){.type = relative->type,
                      .prefix = relative->prefix,
                      .config = relative->config,
                      .dim = RELATIVE_DIM,
                      .epsilon = relative->epsilon,
                      .words = relative->words,
                      .relative = relative};
  tiny_relative_init(&body->tensors, &bare, r);
}

static void init_family(tiny_body *body, const tiny_family *family, const char *words, double epsilon,
                        random_source *r) {
  *body = (tiny_body){.type = family->name,
                      .prefix = family->prefix,
                      .config = family->config,
                      .dim = TINY_DIM,
                      .epsilon = epsilon,
                      .words = words,
                      .family = family};
  family->init(&body->tensors, r);
}

bool tiny_body_init(tiny_body *body, int index, random_source *r) {
  if (index == 0) init_family(body, &tiny_bert, "embeddings.word_embeddings.weight", 0.0625, r);
  if (index == 1) init_family(body, &tiny_gpt2, "wte.weight", 0.03125, r);
  if (index < 2) return true;
  const tiny_relative *relative = tiny_relatives;
  for (int i = 2; i < index && relative->type != NULL; i++) relative++;
  if (relative->type == NULL) return false;
  init_relative(body, relative, r);
  return true;
}

void tiny_body_clear(tiny_body *body) {
  tensor_list_clear(&body->tensors);
}

void tiny_body_run(long double *x, const tiny_body *body, int n) {
  const int layers = body->family != NULL ? TINY_LAYERS : body->relative->layers;
  for (int l = 0; l < layers; l++) {
    if (body->family != NULL)
      body->family->block(x, &body->tensors, l, n);
    else
      tiny_relative_block(x, body->relative, &body->tensors, l, n);
  }
}

static bool is_of_head(const tiny_body *body, const char *name) {
  static const char *const heads[] = {"classifier.", "pre_classifier.", "score.", "lm_head.",     "qa_outputs.", "cls.",
                                      "head.",       "generator_",      "vocab_", "predictions.", "decoder.bias"};
  for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
    if (strncmp(name, heads[i], strlen(heads[i])) == 0) return true;
  }
  return body->relative != NULL && body->relative->shift.table != NULL && strncmp(name, "pooler.", 7) == 0;
}

void tiny_body_write(const temp_folder *folder, const tiny_body *body, const char *keys, bool prefixed) {
  tensor_list named = body->tensors;
  char config[2048];
  for (size_t i = 0; i < named.count; i++) {
    const char *const name = body->tensors.tensor[i].name;
    snprintf(named.tensor[i].name, sizeof named.tensor[i].name, "%s%.80s",
             prefixed && !is_of_head(body, name) ? body->prefix : "", name);
  }
  const int length = snprintf(config, sizeof config, "{%s%s", keys, body->config + 1);
  assert_true(length < (int)sizeof config);
  temp_folder_write(folder, "config.json", config, (size_t)length);
  tensor_list_write(&named, folder, "");
}
