/* What was certified: where the layer and its input came from. Plain data, for the reports. */
#ifndef ATTCERT_REPORT_SUBJECT_H
#define ATTCERT_REPORT_SUBJECT_H

#include "attcert.h"
#include "report/token_list.h"

/* Room for the shards of a model (TENSOR_FILES_MAX), and a few more. */
enum { REPORT_MAX_FILES = 272, REPORT_WHOLE_LAYER = -1 };

/* A file that was read, and its contents' SHA-256 (64 hexadecimal digits). */
typedef struct {
  const char *role; /* "weights", "model", "input", "hidden", "text", "tokenizer", "mask", "bias", "context" */
  char *path;
  char sha256[65];
} report_file;

typedef struct {
  const char *name; /* of the layer as given: the weights file or the model; NULL: numbers in memory */
  bool from_model;  /* false: a weights file */
  bool random;      /* the model is a random initialisation: the seed counts */
  uint64_t seed;
  int model_layer;
  const char *input;  /* the file that X came from, as given; NULL: numbers in memory */
  char tokenizer[32]; /* kind of tokenizer; empty: the input was no text */
  int offset;         /* first token of the text */
  token_list input_tokens;
  int head; /* REPORT_WHOLE_LAYER, or the head certified alone */
  int tokens, dim, heads, head_dim, out_dim;
  const char *function; /* NULL: the attention of attcert_layer; else of the model's layer (model_function_names) */
  const char *function_text; /* with it: which one that is, in words */
  char attention[512];       /* with it: of the layer, in words */
  char scores[512];          /* with it: what the head's are, in words; empty: it has none */
  int key_heads;             /* with it: heads of keys and values */
  attcert_mask mask;
  const char *mask_file, *bias_file; /* of pairs, beside that; NULL: none, or numbers in memory */
  char pairs[160];                   /* what they are, in words (subject_describe_pairs); empty: there are none */
  const char *by, *norm;             /* of attention to a context: what its derivative is by, "queries" or ..., and
                                        how that's norm is written; NULL: there is no context */
  const char *by_text;               /* with it: that in words */
  const char *context;               /* with it: the file that it came from, as given; NULL: numbers in memory */
  int context_tokens, context_dim;   /* with it */
  report_file files[REPORT_MAX_FILES];
  int file_count;
} report_subject;

/* A file that was read; sha256 is that of its bytes. The path is copied. Errors: ATTCERT_INPUT (too many files),
 * ATTCERT_RESOURCE. */
attcert_status subject_add_file(report_subject *subject, const char *role, const char *path, const char *sha256,
                                attcert_error *err);

/* Forgets the files behind the first `count`, and the tokens. */
void subject_forget_input(report_subject *subject, int count);

/* Frees its files and its list of tokens. */
void subject_clear(report_subject *subject);

/* How people read a name that may be missing. */
const char *subject_name_text(const char *name);

const char *subject_mask_name(attcert_mask mask);

/* Says what a mask of pairs and biases are: one for all heads, or one a head; 0: there is none. */
void subject_describe_pairs(report_subject *subject, int masks, int biases);

#endif
