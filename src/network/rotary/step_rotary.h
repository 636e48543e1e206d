/* Rotary position embedding of queries or keys: pairs of entries of each head turn by angles that grow with the
 * position of the row's token (J. Su et al., RoFormer: Enhanced transformer with rotary position embedding, 2021). */
#ifndef ATTCERT_NETWORK_ROTARY_STEP_ROTARY_H
#define ATTCERT_NETWORK_ROTARY_STEP_ROTARY_H

#include "network/network.h"
#include "network/rotary/rotary_rule.h"

/* Which entries make up pair m of a head whose first 2 k entries rotate: m and m + k, or 2 m and 2 m + 1. */
typedef enum { ROTARY_HALVES, ROTARY_NEIGHBOURS } rotary_pairing;

/* cos and sin of an angle, times the amplitude: doubles, and bounds of what they miss. */
typedef struct {
  double cosine, sine, cosine_miss, sine_miss;
  double angle; /* an upper bound of its size */
} rotary_turn;

/* Rotation as plain data. In each head of the row of token t, pair m (x, y) becomes
 *   (x cos a - y sin a, y cos a + x sin a),   a = t frequency_m,
 * times the rule's amplitude; entries behind the first 2 pairs stay. */
typedef struct {
  int heads, head_dim;
  rotary_pairing pairing;
  rotary_rule rule;        /* of 2 pairs = rule.dim entries, at most head_dim */
  int token;               /* the only row's; -1: row i is that of token i */
  const rotary_turn *turn; /* [rows, pairs]; step_rotary_add */
} rotary_heads;

extern const step_kind step_rotary; /* of: rotary_heads */

/* The number of its value. `turn` is not read: the network makes it. */
int step_rotary_add(network_builder *b, int value, const rotary_heads *heads);

static inline int rotary_heads_pairs(const rotary_heads *of) {
  return of->rule.dim / 2;
}

/* Where pair m of head h is in a row. */
typedef struct {
  int first, second;
} rotary_pair;

static inline rotary_pair rotary_heads_pair(const rotary_heads *of, int h, int m) {
  const int start = h * of->head_dim;
  if (of->pairing == ROTARY_NEIGHBOURS) return (rotary_pair){start + 2 * m, start + 2 * m + 1};
  return (rotary_pair){start + m, start + m + rotary_heads_pairs(of)};
}

/* The position of row i, whose token is i where all tokens have a row. */
static inline int rotary_heads_position(const rotary_heads *of, int i) {
  return of->token >= 0 ? of->token : i;
}

/* The turns of row i, [pairs]. */
static inline const rotary_turn *rotary_heads_turns(const rotary_heads *of, int i) {
  return of->turn + (size_t)(of->token >= 0 ? 0 : i) * (size_t)rotary_heads_pairs(of);
}

/* `execution`, in a file of its own. */
attcert_status step_rotary_execution(form *out, const step *s, const form *const *in, const form_symbols *symbols,
                                     const step_format *format, attcert_error *err);

#endif
