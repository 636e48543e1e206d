/* See given_layer.h. */
#include "given_layer.h"

#include "arguments.h"
#include "certify/jacobian/factored_jacobian_from_enclosure.h"
#include "model/format/npy.h"
#include "model/model.h"

#include <string.h>

enum { PRECISION = 128 }; /* of the intervals, as by default of attcert */

enum { MODEL, LAYER, HEADS, MASK, INPUT }; /* the words */

/* Head h alone takes the layer's place. */
static attcert_status keep_head(given_layer *g, int h, attcert_error *err) {
  attcert_layer head;
  if (h >= g->layer.heads)
    return attcert_fail(err, ATTCERT_INPUT, "HEADS: expected all or an integer below %d, got '%d'", g->layer.heads, h);
  const attcert_status status = attcert_layer_head(&head, &g->layer, h, err);
  if (status != ATTCERT_OK) return status;
  attcert_layer_clear(&g->layer);
  g->layer = head;
  return ATTCERT_OK;
}

static attcert_status read_layer(given_layer *g, char **word, attcert_error *err) {
  model *m = NULL;
  int l = 0, h = 0;
  attcert_status status = argument_int(&l, "LAYER", word[LAYER], 0, err);
  if (status == ATTCERT_OK) status = model_open(&m, word[MODEL], 0, err);
  if (status != ATTCERT_OK) return status;
  status = model_layer(&g->layer, m, l, err);
  model_close(m);
  if (g->layer.mask == ATTCERT_MASK_CAUSAL)
    g->like = strncmp(word[MODEL], "random:", 7) == 0 ? PUBLISHED_RANDOM_GPT2 : PUBLISHED_GPT2;
  if (status == ATTCERT_OK) status = argument_mask(&g->layer.mask, word[MASK], err);
  if (status != ATTCERT_OK || strcmp(word[HEADS], "all") == 0) return status;
  status = argument_int(&h, "HEADS", word[HEADS], 0, err);
  return status == ATTCERT_OK ? keep_head(g, h, err) : status;
}

attcert_status given_layer_open(given_layer *g, char **word, int threads, attcert_error *err) {
  *g = (given_layer){.threads = threads};
  attcert_status status = read_layer(g, word, err);
  if (status == ATTCERT_OK) status = npy_read(&g->x, NULL, word[INPUT], err);
  return status == ATTCERT_OK ? attcert_layer_check(&g->layer, &g->x, err) : status;
}

void given_layer_clear(given_layer *g) {
  attcert_layer_clear(&g->layer);
  attcert_matrix_clear(&g->x);
}

attcert_status given_layer_factors(factored_jacobian *m, const given_layer *g, attcert_error *err) {
  layer_enclosure e;
  *m = (factored_jacobian){0};
  attcert_status status = layer_enclosure_init(&e, &g->layer, &g->x, PRECISION, g->threads, err);
  if (status != ATTCERT_OK) return status;
  status = factored_jacobian_from_enclosure(m, &g->layer, &e, g->threads, err);
  layer_enclosure_clear(&e);
  if (status == ATTCERT_OK && m->zero) return attcert_fail(err, ATTCERT_INPUT, "the Jacobian is 0, expected another");
  return status;
}

attcert_status given_layer_jacobian(explicit_jacobian *j, const given_layer *g, attcert_error *err) {
  layer_enclosure e;
  attcert_status status = layer_enclosure_init(&e, &g->layer, &g->x, PRECISION, g->threads, err);
  if (status != ATTCERT_OK) return status;
  status = explicit_jacobian_init(j, &g->layer, &e, g->threads, err);
  layer_enclosure_clear(&e);
  return status;
}
