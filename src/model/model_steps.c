/*   block, norm last     x = LN(x + attention(x)),     x = LN(x + feed_forward(x))
 *   block, norm first    x = x + attention(LN(x)),     x = x + feed_forward(LN(x)),
 *   block, parallel      x = x + attention(LN(x)) + feed_forward(LN(x)), each with a norm of its own,
 * each part with a norm and a scale of its own behind it, or no norm before it, where the family has it so. */
#include "model/model_steps.h"

#include "model/family/families.h"
#include "model/model_maps.h"
#include "network/activation/step_activation.h"
#include "network/product/step_product.h"
#include "network/select/step_select.h"
#include "network/sum/step_sum.h"

/* x + y, and LayerNorm where it comes last. */
static int add_residual(network_builder *b, int x, int y, const model *m, int l, const char *norm) {
  const int sum = step_sum_add(b, x, y);
  return m->config.family->norm_first ? sum : model_part_norm(b, sum, m, l, norm);
}

int model_attention_input(network_builder *b, int value, const model *m, int l) {
  const model_family *const family = m->config.family;
  const bool normed = family->norm_first && !(l == 0 && family->first_unnormed);
  return normed ? model_part_norm(b, value, m, l, family->attention.norm) : value;
}

/* What the attention adds to the residual sum. */
static int attention_part(network_builder *b, int value, const model *m, int l, int token) {
  const model_family *const family = m->config.family;
  int y = model_attend(b, model_attention_input(b, value, m, l), m, l, token);
  y = model_part_norm(b, y, m, l, family->norm_behind.attention);
  return model_part_scale(b, y, m, l, family->scale.attention);
}

/* The feed-forward part's maps of x before `down`. */
static int hidden_part(network_builder *b, int x, const model *m, int l) {
  const bool biased = m->config.feed_forward_biases;
  const int cols[] = {m->config.hidden_dim, m->config.hidden_dim};
  const char *const up = family_up(&m->config), *const gate = family_gate(&m->config);
  int gate_and_up[] = {x, x};
  if (m->config.family->gate_in_up) {
    model_map_rows(b, gate_and_up, cols, 2, m, l, up, biased, false);
  } else {
    gate_and_up[1] = model_part_map(b, x, m, l, up, biased, cols[1]);
    if (gate == NULL) return step_activation_add(b, gate_and_up[1], m->config.act);
    gate_and_up[0] = model_part_map(b, x, m, l, gate, biased, cols[0]);
  }
  return step_product_add(b, step_activation_add(b, gate_and_up[0], m->config.act), gate_and_up[1]);
}

/* What it adds to the residual sum. */
static int feed_forward_part(network_builder *b, int value, const model *m, int l) {
  const model_family *const family = m->config.family;
  if (b->status == ATTCERT_OK && family->unevaluated != NULL && l >= m->config.dense_layers)
    b->status = attcert_fail(b->err, ATTCERT_INPUT,
                             "%s: the feed-forward part of layer %d is %s, which is not evaluated: expected a layer's "
                             "attention or sublayer, of layer 0 or with its input (--input)",
                             m->spec, l, family->unevaluated);
  if (b->status != ATTCERT_OK) return value;
  const int x = family->norm_first ? model_part_norm(b, value, m, l, family->feed_forward.norm) : value;
  int y = hidden_part(b, x, m, l);
  y = model_part_map(b, y, m, l, family->feed_forward.down, m->config.feed_forward_biases, m->config.dim);
  y = model_part_norm(b, y, m, l, family->norm_behind.feed_forward);
  return model_part_scale(b, y, m, l, family->scale.feed_forward);
}

int model_attention(network_builder *b, int value, const model *m, int l, int token) {
  const int y = attention_part(b, value, m, l, token);
  const int x = token >= 0 ? step_select_add(b, value, token) : value;
  return add_residual(b, x, y, m, l, m->config.family->attention.norm);
}

int model_feed_forward(network_builder *b, int value, const model *m, int l) {
  return add_residual(b, value, feed_forward_part(b, value, m, l), m, l, m->config.family->feed_forward.norm);
}

int model_block(network_builder *b, int value, const model *m, int l, int token) {
  const int attended = model_attention(b, value, m, l, token);
  if (!m->config.parallel) return model_feed_forward(b, attended, m, l);
  const int x = token >= 0 ? step_select_add(b, value, token) : value;
  return step_sum_add(b, attended, feed_forward_part(b, x, m, l));
}
