/* The architecture of a transformer, as config.json of a Hugging Face directory states it. */
#ifndef ATTCERT_MODEL_FAMILY_MODEL_CONFIG_H
#define ATTCERT_MODEL_FAMILY_MODEL_CONFIG_H

#include "attcert.h"
#include "model/family/activation.h"

/* The largest d, of layers that may be an attcert_layer; every such model of the families is well below. */
#define MODEL_DIM_MAX 4096

/* How many pairs of a head may turn by numbers of their own. */
enum { MODEL_PAIRS_MAX = 256 };

/* How many layers may be of several types. */
enum { MODEL_TYPED_LAYERS_MAX = 512 };

/* Some of the layers, a bit each; none from MODEL_TYPED_LAYERS_MAX on. */
typedef struct {
  uint64_t bits[MODEL_TYPED_LAYERS_MAX / 64];
} model_layers;

typedef struct model_family model_family; /* family.h */

typedef struct {
  const model_family *family;
  const char *type;   /* model_type: the family's name, or a relative's that computes as it does */
  const char *object; /* of config.json that has its keys, where the folder holds two towers; NULL: the whole file */
  attcert_mask mask;  /* decoders: causal; others: none, or causal where is_decoder is true */
  int side_max; /* the largest d, and entries of all heads: MODEL_DIM_MAX, or any side where layers are steps alone */
  int dim, heads, layers;
  int key_heads; /* of keys and values; divides `heads` */
  int head_dim;  /* k */
  int value_dim; /* entries of a value; 0: k */
  /* Entries of the shorter vectors that keys and values come from, and queries (0: from none), and the norms' epsilon;
   * rank 0: there are none. */
  struct {
    int query_rank, rank;
    double epsilon;
  } latent;
  struct {
    int layers, heads;
  } cross;          /* of the decoder whose attention to an encoder the family has; 0: none */
  int dense_layers; /* the first ones, whose feed-forward part is evaluated where the family's others are not */
  int hidden_dim;   /* width of the feed-forward part */
  int vocabulary, positions;             /* how many tokens there are, and fit; 0 where the file says nothing */
  int most_tokens;                       /* more would make it another function; 0: any number is right */
  int embedding_dim;                     /* e: columns of the embedding tables */
  int first_position;                    /* row of the position table for the first token */
  int padding;                           /* the token without a position; -1: none */
  int groups;                            /* of layers that share their tensors; 0: each has its own */
  bool attention_biases;                 /* of queries, keys and values; family_has_key_bias */
  bool output_bias, feed_forward_biases; /* of attention's output map, of the feed-forward part */
  bool norm_biases;                      /* of LayerNorm */
  bool gated;                            /* the feed-forward part, by the family's maps for that */
  bool parallel;           /* both parts of a block read what enters it: x + attention(LN(x)) + feed_forward(LN'(x)) */
  bool norms_heads;        /* queries and keys pass an RMSNorm */
  bool sinks, gated_heads; /* of attention, as its family has them */
  bool scaled;             /* scores are divided by sqrt(k) */
  double score_scalar;     /* or by the root of this; 0: of k */
  int position_buckets, position_distance; /* of the family's position bias (model/position_bias.h); 0: none */
  /* Of the family's shifts of queries and keys (model/position_shift.h): which there are, by maps of their own or by
   * those of queries and keys, of rows that pass a norm or not; buckets 0: each distance has a row. */
  struct {
    bool query, key, own_maps, normed;
    int buckets, distance;
  } position_shift;
  bool position_slopes; /* scores are biased by distance (model/slope_bias.h) */
  double score_cap;     /* s becomes cap tanh(s / cap); 0: it stays */
  double word_cap;      /* the scores of words are capped likewise, which keeps their order; 0: they are not */
  bool tied;            /* the word table scores the next token */
  /* Of local layers: how many tokens one attends to up to itself, and, where no mask hides them, from itself on; 0:
   * there are none. */
  int window;
  model_layers local; /* where there are */
  struct {
    double factor, low, high, length, amplitude; /* rotary_scaling (network/rotary/rotary_rule.h); factor 1: none */
    bool by_pair, whole;
    double slope;  /* of the amplitude; 0: 1 */
    bool of_heads; /* entries that do not rotate have the amplitude, too */
    int pairs;     /* that have divisors; 0: none has */
    double short_divisor[MODEL_PAIRS_MAX], long_divisor[MODEL_PAIRS_MAX]; /* up to `length` tokens, and of more */
    double extent;
  } rotary_scaling;
  int trained_positions;    /* where config.json has a key of its own for it, how many; 0: it has none */
  double rotary_part;       /* of a head's entries, where config.json may say which part rotates; 0: it may not */
  int rotary_dim;           /* how many entries of a head rotate; 0: all */
  bool rotary_neighbours;   /* in pairs of neighbours, not of its halves */
  double rotary_base;       /* theta of rotary positions; 0: the tokens' positions rotate nothing */
  double local_rotary_base; /* of local layers, which are not scaled; 0: the same as of others */
  model_layers unrotated;   /* where positions rotate nothing although there is a base */
  model_layers others;      /* whose attention is of another kind, which is not evaluated */
  const range_curve *act;   /* the feed-forward part's */
  struct {
    const range_curve *curve; /* between the map before a classifier and the classifier; NULL: the family's */
    bool map_unbiased;
    bool mean, joined; /* of the tokens from `from` on, in place of one; beside the first one */
    int from;
  } head;
  struct {
    const range_curve *curve; /* behind the map before the scores of words; NULL: the family's */
    bool map_unbiased, unbiased;
    const char *other; /* why the family's head is not the one that predicts words; NULL: it is */
  } words;
  double epsilon; /* of every LayerNorm or RMSNorm */
} model_config;

/* Adds layer l. */
void model_layers_add(model_layers *layers, int l);

/* Whether the heads of layer l are those of attcert_layer: keys of their own, k = d / heads, no norm, no rotary
 * positions, no shift, no bias, no sink, no gate, no cap, all tokens or all before. */
bool model_config_has_plain_heads(const model_config *config, int l);

/* How many rows of position_shift are for keys in front of a query, and as many for others. */
int model_config_shift_span(const model_config *config);

/* Whether queries or keys are shifted. */
bool model_config_is_shifted(const model_config *config);

/* Whether layer l attends to the last `window` tokens alone. */
bool model_config_is_local(const model_config *config, int l);

/* Whether the attention of layer l is of a kind that is not evaluated. */
bool model_config_is_other(const model_config *config, int l);

/* Whether layer l has the theta of local layers, whose angles are not scaled. */
bool model_config_has_own_angles(const model_config *config, int l);

/* Whether angles are other multiples of the position than powers of theta. */
bool model_config_scales_angles(const model_config *config);

/* theta of layer l, 0 where positions rotate nothing. */
double model_config_rotary_base(const model_config *config, int l);

/* Entries of a head's value. */
int model_config_value_dim(const model_config *config);

/* What q . k is divided by is the root of this. */
double model_config_divided_by(const model_config *config);

/* Whether there are bits for the types of all layers; label names the source in the message. */
attcert_status model_config_check_typed_layers(const model_config *config, const char *label, attcert_error *err);

/* The number in the names of layer l's tensors: l, or that of its group. */
int model_config_group(const model_config *config, int l);

/* Whether `heads` divides `dim`; then each head has keys and values of its own, and k = d / heads. label names the
 * source in the message. */
attcert_status model_config_set_heads(model_config *config, const char *label, attcert_error *err);

/* Whether a row of queries has no more entries than a hidden state may have, of heads of a size of their own. */
attcert_status model_config_check_rows(const model_config *config, const char *label, attcert_error *err);

#endif
