/* Tiny models of the relatives of BERT and GPT-2, each with the names that its own checkpoints use, written out here a
 * second time; and what they compute, from the definition, in long double on the stored tensors. d = 8, 2 heads,
 * feed-forward width 12 or 32, 11 tokens, 5 positions, embeddings of width 4 where a family has its own. */
#ifndef ATTCERT_TESTS_SUPPORT_TINY_RELATIVE_H
#define ATTCERT_TESTS_SUPPORT_TINY_RELATIVE_H

#include "random_source.h"
#include "reference_parts.h"
#include "tensor_list.h"

enum { RELATIVE_DIM = 8, RELATIVE_HEADS = 2, RELATIVE_TOKENS = 5, RELATIVE_HIDDEN = 12, RELATIVE_VOCABULARY = 11 };

typedef struct {
  const char *type, *prefix, *config;
  int layers;
  const char *block[4];                                      /* what precedes the parts of each layer's block */
  const char *query, *key, *value, *output, *attention_norm, /* key NULL: query holds all three */
      *up, *down, *feed_forward_norm;
  const char *gate;                                   /* NULL: a plain feed-forward part */
  const char *words, *positions, *types, *norm, *map; /* NULL: none */
  int position_rows, first_position, embedding_dim;
  bool norm_first, causal, scaled, biases;
  bool only_query_biases; /* no other map of a block has one */
  bool unbiased_key;
  bool root_mean_square;
  const char *attention_behind, *feed_forward_behind; /* norms of what a part comes to; NULL: none */
  const char *query_norm, *key_norm;
  bool norms_rows;                                  /* of all heads at once */
  bool from_one;                                    /* a norm multiplies by 1 + what is stored */
  bool scaled_words;                                /* by sqrt(d) */
  double scalar, cap;                               /* of the scores; 0: k; none */
  int window;                                       /* of local layers */
  unsigned local, unrotated;                        /* a bit a layer */
  const char *attention_scale, *feed_forward_scale; /* factors of what a part comes to, by column */
  const char *position_bias;                        /* a table [32 buckets, heads], up to a distance of 128, or ... */
  int buckets, distance;                            /* ... these */
  bool own_position_bias;                           /* a part of each block */
  /* Of rows that shift queries and keys: a table, a norm or NULL, maps in each block or NULL; buckets 0: none. */
  struct {
    const char *table, *norm, *query, *key;
    int span, buckets, distance;
  } shift;
  int head_dim;         /* 0: RELATIVE_DIM / RELATIVE_HEADS */
  const double *slopes; /* of the heads, by distance */
  int hidden;           /* feed-forward width; 0: 12 */
  bool by_head;         /* of such a query: head by head */
  bool gated_heads;     /* query holds queries and gates, head by head */
  bool gate_in_up;      /* up holds the gate's rows before its own */
  bool parallel;        /* both parts of a block read what enters it */
  bool first_unnormed;  /* the attention of block 0 */
  bool norms_unbiased;
  int rotating;        /* entries of a head; 0: all */
  double local_rotary; /* theta of local layers; 0: that of the others */
  int key_heads;       /* 0: as many as heads */
  double rotary;       /* 0: no rotary positions */
  reference_slowing *slow;
  int few; /* up to so many tokens `slow_few` in its place */
  reference_slowing *slow_few;
  long double amplitude; /* of its rotations; 0: 1 */
  const char *sinks;     /* [heads] in each block; NULL: none */
  reference_curve *curve;
  double epsilon;
  /* What reads the last hidden states: a final LayerNorm, a map with a curve, a classifier of 3 labels; no classifier:
   * the word table. */
  bool headless; /* no head is computed, also of a causal one */
  const char *final_norm, *head_map, *classifier;
  reference_curve *head_curve;
} tiny_relative;

enum { RELATIVE_LABELS = 3 };

/* Ends with a type of NULL. */
extern const tiny_relative tiny_relatives[];

void tiny_relative_init(tensor_list *tensors, const tiny_relative *model, random_source *r);

/* config.json and model.safetensors, the names with or without the prefix; those of classifiers never have it. */
void tiny_relative_write(const temp_folder *folder, const tiny_relative *model, const tensor_list *tensors,
                         const char *prefix);

/* As tiny_family's functions. */
void tiny_relative_embed(long double *x, const tiny_relative *model, const tensor_list *tensors, const int *tokens,
                         int n);
void tiny_relative_block(long double *x, const tiny_relative *model, const tensor_list *tensors, int l, int n);
void tiny_relative_attention_input(long double *x, const tiny_relative *model, const tensor_list *tensors, int l,
                                   int n);
void tiny_relative_attention(long double *y, const long double *x, const tiny_relative *model,
                             const tensor_list *tensors, int l, int n);

/* The number of classes, and their scores from the hidden states after the last block. */
int tiny_relative_scores(long double *scores, const long double *x, const tiny_relative *model,
                         const tensor_list *tensors, int n);

#endif
