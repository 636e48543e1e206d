/* What distinguishes one family of transformers from another: what its config.json says, the names and layouts of its
 * tensors, how a block combines attention, feed-forward part, residuals and LayerNorm, and the classes that read its
 * last hidden states. NULL names what a family does not have. */
#ifndef ATTCERT_MODEL_FAMILY_FAMILY_H
#define ATTCERT_MODEL_FAMILY_FAMILY_H

#include "model/family/model_config.h"
#include "model/format/json_file.h"

/* ---- config.json ------------------------------------------------------------------------------------------------- */

/* Where it keeps each number; of names that are separated by blanks, under one of them. */
typedef struct {
  const char *dim, *heads, *layers, *hidden_dim, *vocabulary, *positions, *act;
  const char *epsilon;       /* NULL: always the default */
  const char *embedding_dim; /* NULL: d */
  bool hidden_dim_optional;  /* null or missing means 4 d */
} family_keys;

/* What is known of other keys: their values are read, or have no effect on the function that is evaluated, or leave it
 * as it is at one value alone. */
typedef struct {
  const char *keys;  /* separated by blanks */
  const char *value; /* the JSON text of the one value that leaves the function as it is, beside null and an absent key;
                        NULL: any */
  const char *why;   /* they have no effect, or other values are refused; NULL where they are read */
} config_key;

/* Rows of a list, which ends with KEY_END. */
#define KEY_READ(keys) \
  { keys, NULL, NULL }
#define KEY_FREE(keys, why) \
  { keys, NULL, why }
#define KEY_HELD(keys, value, why) \
  { keys, value, why }
#define KEY_UNSET(keys, why) KEY_HELD(keys, "null", why)
#define KEY_END KEY_READ(NULL)

/* Rows and reasons that several families share. */
#define KEY_NO_DECODER KEY_HELD("is_decoder", "false", "its class has no decoder")
#define KEY_TOKENIZER "the tokenizer's; the tokens are those that are given"
#define KEY_FORMAT "the format that an execution may convert to; the numbers are the stored ones"
#define KEY_OTHER_FORM "the other form is not evaluated"

extern const config_key common_keys[]; /* of all families */

/* Checks an object that is the value of a key, where it is there, as the whole file is: none of its keys may be beside
 * the rows. */
attcert_status model_config_check_object(const json_file *file, const char *key, const config_key *rows,
                                         attcert_error *err);

/* ---- tensors that are not read: heads read the hidden states, buffers are made anew ------------------------------ */

/* Where a name is: under the family's prefix, there in a block, or beside the prefix. */
typedef enum { TENSOR_OF_MODEL, TENSOR_OF_BLOCK, TENSOR_OF_HEAD } tensor_place;

/* NAME; NAME.weight and .bias; those, and .gamma and .beta as older files have it; all that begins with "NAME.". */
typedef enum { TENSOR_ALONE, TENSOR_MAP, TENSOR_NORM, TENSOR_UNDER } tensor_form;

/* What it has to hold, so that it has no effect. */
typedef enum {
  TENSOR_ANYTHING,
  TENSOR_TIED,     /* the word table's numbers, where config.json ties them */
  TENSOR_COUNTED,  /* 0, 1, 2, ... */
  TENSOR_ZERO,     /* integers */
  TENSOR_MASK,     /* of its layer's attention */
  TENSOR_MINUS_BIG /* what masked scores become */
} tensor_content;

typedef struct {
  tensor_place place;
  tensor_form form;
  tensor_content content;
  const char *name, *why;
} unread_tensor;

/* Rows of a list, which ends with TENSOR_END. */
#define TENSOR_HEAD(form, name, why) \
  { TENSOR_OF_HEAD, form, TENSOR_ANYTHING, name, why }
#define TENSOR_TIED_HEAD(name) \
  { TENSOR_OF_HEAD, TENSOR_ALONE, TENSOR_TIED, name, TENSOR_WORDS }
#define TENSOR_INNER(form, name, why) \
  { TENSOR_OF_MODEL, form, TENSOR_ANYTHING, name, why }
#define TENSOR_BUFFER(place, content, name, why) \
  { place, TENSOR_ALONE, content, name, why }
#define TENSOR_END TENSOR_INNER(TENSOR_ALONE, NULL, NULL)

/* Reasons that several rows share. */
#define TENSOR_LABELS "of a head that scores labels: no effect on the layers"
#define TENSOR_WORDS "of a head that predicts words: no effect on the layers"
#define TENSOR_ANSWERS "of a head that finds answers: no effect on the layers"
#define TENSOR_POOLER "of the pooler, after the layers: no effect on them"
#define TENSOR_AFTER "after the layers: no effect on them"
#define TENSOR_PRETRAINING "of a head for pretraining: no effect on the layers"

/* ---- heads and families ------------------------------------------------------------------------------------------ */

typedef enum {
  HEAD_NONE,       /* a bare model */
  HEAD_NEXT_TOKEN, /* a score for each token of the vocabulary to come next */
  HEAD_SEQUENCE,   /* a score for each label of the whole input */
  HEAD_TOKEN,      /* a score for each label of one token */
  HEAD_MASKED,     /* a score for each token of the vocabulary to stand where one is */
  HEAD_OUTPUT      /* the numbers that a network has as its output, which no model's class says more of */
} head_kind;

/* Classes of transformers, by what follows the model's name in theirs. */
typedef struct {
  const char *end; /* NULL: the list's end */
  head_kind kind;
} family_head;

#define HEAD_CLASS(end, kind) \
  { end, kind }
#define HEADS_END HEAD_CLASS(NULL, HEAD_NONE)

/* Where config.json is silent; 0: it has to say. */
typedef struct {
  int dim, heads, layers, hidden_dim, vocabulary, positions;
} family_sides;

enum { FAMILY_TYPES = 3 };

struct model_family {
  /* model_type, and the model's name in its classes; then those of models that compute as this one does, with other
   * weights and tokenizers. The first is the family's. */
  struct {
    const char *name, *class;
  } type[FAMILY_TYPES];
  const family_head *heads; /* classes whose head is computed here, and the bare ones, which have none */
  const char *tokenizer;    /* the class that transformers takes where tokenizer_config.json names none */

  family_keys keys;
  const config_key *other_keys; /* of config.json, beside those of all families */
  struct {
    const char *key; /* NULL: k = d / heads */
    int usual;
  } head_size; /* k, where it is the file's own number or, where the file is silent, this one */
  struct {
    const char *act;
    double epsilon;
    int embedding_dim; /* 0: d */
    int padding;       /* 0: no token */
    bool untied;       /* the word table does not score the next token */
  } defaults;          /* where config.json is silent, as transformers documents it */
  family_sides sides;
  /* Of a model of two towers whose folder holds both: what is said of this one there. NULL: the family is none. */
  struct {
    const char *type, *name;      /* model_type; what follows the folder's name: DIR:NAME */
    const char *object;           /* of config.json, with the keys of this family */
    const config_key *other_keys; /* of config.json beside it and those of all families */
    const char *instead;          /* another object, whose values count where there is one; NULL: none */
    const char *prefix;           /* of its tensors there; NULL: the family's */
  } tower;
  struct {
    const char *without; /* a key */
    const model_family *family;
  } later; /* the description of files of this type that lack the key; NULL: they are described here */
  /* The same but for the names of tensors, of files that have some in its blocks; NULL: there are none. */
  const model_family *older_names;
  /* Reads what else of the file shapes the model, and refuses what makes it another function; NULL: nothing does. */
  attcert_status (*check)(model_config *config, const json_file *file, attcert_error *err);

  struct {
    const char *what, *states; /* "images"; what the hidden states that enter layer 0 are */
  } reads;                     /* of a model that reads no text; NULL elsewhere */

  const char *prefix; /* that the family's files may carry before every name */

  /* Embeddings: word and position rows (and token type 0), summed, normalised, mapped to R^d. */
  const char *word_table;     /* [vocabulary, e]; NULL: the model reads no text */
  const char *position_table; /* [positions, e]; NULL: none */
  const char *type_table, *embedding_norm;
  const char *embedding_map; /* from R^e to R^d */
  bool embedding_map_always; /* also where e = d */
  bool embedding_scaled;     /* word rows are multiplied by sqrt(d) */

  bool transposed;       /* affine maps are stored as [in, out] (Conv1D), not [out, in] */
  bool norm_first;       /* LayerNorm before each part of a block, not after each sum */
  bool root_mean_square; /* RMSNorm, which has no bias, in place of LayerNorm everywhere */
  const char *blocks;    /* what precedes a block's number */
  bool gain_from_one;    /* a norm multiplies by 1 + what is stored */
  bool first_unnormed;   /* the attention of block 0 has no norm before it */
  /* Parts of a block, for transformer_part: affine maps, and the LayerNorm before them or, where it is last, behind the
   * sum. */
  struct {
    const char *query, *key, *value, *output, *norm; /* key NULL: query holds all three */
  } attention;
  /* Where model_config has shorter vectors in between (model/model_latent.h): maps to those and norms of them, and maps
   * from them; `query` is the map of queries without one. */
  struct {
    const char *query_down, *query_norm, *query_up, *down, *norm, *up;
  } latent;
  bool key_unbiased; /* keys have no bias where queries and values have one */
  /* Of a decoder's attention to what an encoder comes to, of model_config's cross.layers: what precedes a block's
   * number, what all its tensors begin with behind it, and the maps' names behind that. `unread`: another one, which
   * has no effect. NULL: there is none. */
  struct {
    const char *blocks, *begin, *query, *key, *value, *output, *unread;
  } cross;
  struct {
    const char *up, *down, *norm;
  } feed_forward;
  /* What a part comes to before the sum: another norm, then factors by column, a tensor's whole name. */
  struct {
    const char *attention, *feed_forward;
  } norm_behind, scale;
  struct {
    const char *query, *key;
    bool rows;               /* of all heads at once, not head by head */
  } heads_norm;              /* of queries and keys before they rotate */
  bool many_directions;      /* positions have several, in which those of a text are the same number */
  bool fused_by_head;        /* where query holds all three: head by head, each of one after the other */
  bool gated_heads;          /* query holds, head by head, queries and gates, whose sigmoids multiply the means */
  const char *sinks;         /* a part of each block: a score a head, of one key more, of value 0 */
  const char *position_bias; /* of scores, [buckets of offsets, heads], model_config's: a whole name, for all ... */
  bool own_position_bias;    /* ... or a part of each block, for its own */
  struct {
    const char *table, *norm; /* a whole name, [rows, d], and the norm that its rows may pass */
    const char *query, *key; /* parts of each block: maps of these rows, where those of queries and keys do not serve */
  } position_shift;          /* of queries and keys by their distance, model_config's */
  const char *feed_forward_gate; /* down(act(gate(x)) * up(x)) with it; NULL: down(act(up(x))) */
  bool gate_in_up;               /* up holds the rows of a gate before its own */
  const char *unevaluated;       /* what feed-forward parts are behind model_config's dense layers; NULL: no others */
  const char *other_layers;      /* what the attention of model_config's other layers is */
  struct {
    const char *gate, *up;
  } gated; /* in place of feed_forward.up, of a model_config that is gated */

  const char *final_norm; /* after the last block */
  bool decoder;           /* the mask is causal, and the word table scores the next token */
  struct {
    const char *classifier;   /* without a bias where the family is a decoder; NULL: no head of sequences is computed */
    const char *map;          /* the affine map before it; NULL: nothing is */
    const range_curve *curve; /* between the two, where model_config has none */
    bool map_of_model;        /* under the family's prefix, as the classifier is not */
    const char *norm;         /* after the curve, beside the prefix; NULL: none */
    bool of_tokens;           /* a classifier of tokens, too, has the map, the curve and the norm before it */
  } sequence;                 /* what scores its labels, by its first token, or the last one where it is a decoder */
  /* What scores the words that may stand where a token is, beside the prefix: an affine map to R^e, a curve (NULL: the
   * blocks' activation), a norm, the word table and a bias, stored under either name or both; biases as model_config's
   * words say. `others`: a map of the same files that it does not read. No map: no such head is computed. */
  struct {
    const char *map, *norm, *bias, *bias_alias, *others;
    const range_curve *curve;
  } masked;
  const unread_tensor *unread; /* of heads, in the order in which a stray one is named */

  struct {
    int vocabulary, positions; /* 0: there is none */
    bool padding;              /* row 0 of the word table is 0 (padding_idx of nn.Embedding) */
    const char *residual;      /* the end of the names of maps into a residual sum, initialised smaller; NULL: none */
    bool shares_keys;          /* its sides may be d,heads,key_heads,layers */
    void (*complete)(model_config *config); /* what config.json would say besides its sides; NULL: nothing */
  } random;                                 /* a random model */
};

#endif
