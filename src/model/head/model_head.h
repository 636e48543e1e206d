/* What reads a model's last hidden states and gives its answer, by the class that the folder was made for (key
 * 'architectures' of config.json) and the tensors that are there:
 *
 *   next token               decoders: the last token: final LayerNorm, word table (or lm_head)
 *   sequence classification  token 0, or the mean of all behind the final LayerNorm, or both; the family's map,
 *                            activation and norm, the classifier; decoders: the last token, final LayerNorm, score
 *   token classification     the token that is asked about: final LayerNorm (where the family has one), what a sequence
 *                            has before the classifier (where the family has it so), classifier
 *   masked token             the token that is asked about: map, activation and norm, word table and bias
 *
 * The answer is the label with the largest score, or in a multi-label classifier which scores are positive (the
 * probability, by the logistic function, is above 1/2). */
#ifndef ATTCERT_MODEL_HEAD_MODEL_HEAD_H
#define ATTCERT_MODEL_HEAD_MODEL_HEAD_H

#include "model/family/family.h"
#include "model/head/label_names.h"
#include "model/model.h"

typedef struct {
  head_kind kind;
  const model_family *family;
  bool each_sign;           /* multi-label */
  bool mapped;              /* through a map, its activation and its norm, where it has one */
  const char *map, *norm;   /* these; norm NULL: none */
  bool map_of_model;        /* the map is under the family's prefix */
  int map_cols;             /* entries behind it */
  bool map_biased;          /* the map has a bias */
  const range_curve *curve; /* behind the map */
  bool mean, joined;        /* of the tokens from `from` on, in place of one; beside the first one */
  int from;
  bool biased;         /* the scores have a bias */
  const char *bias;    /* its tensor; NULL: the classifier's own */
  char classifier[64]; /* the affine map with a row a label, or a word; the output's name */
  bool of_model;       /* under the family's prefix */
  double cap;          /* of the scores, which are those before it: it keeps their order; 0: none */
  int labels;          /* rows of the classifier */
  int padding;         /* the token that the last one must not be; -1: none */
  label_names names;   /* none, or one a label */
} model_head;

enum { HEAD_TOKEN_UNASKED = -1, MODEL_HEAD_TEXT_SIZE = 512 };

/* The model's head. architecture: its class, where config.json names none or a bare model; NULL: as config.json says.
 * Where neither does, the family's usual head, that of its first class, if its tensors and no other head's are there.
 * Errors: ATTCERT_INPUT (another head, what was expected; no head of the family's is computed; labels that are not as
 * many as the classifier's rows), ATTCERT_RESOURCE. model_head_clear is due in every case. */
attcert_status model_head_open(model_head *head, const model *m, const char *architecture, attcert_error *err);
void model_head_clear(model_head *head);

/* Of a network whose output of that name has so many numbers. */
model_head model_head_of_output(const char *name, int count);

/* The token of n whose scores count; asked: HEAD_TOKEN_UNASKED, or an index, which a head of any token requires and
 * others refuse (ATTCERT_INPUT). */
attcert_status model_head_token(int *token, const model_head *head, int asked, int n, attcert_error *err);

/* ATTCERT_INPUT where the head does not answer for each token by itself: a classifier of sequences. */
attcert_status model_head_check_every(const model_head *head, attcert_error *err);

/* ATTCERT_INPUT where a decoder's classifier might take another token than the last: one of them is padding. */
attcert_status model_head_check_tokens(const model_head *head, const int *tokens, int n, attcert_error *err);

/* The label that a text names, its number or its name of id2label. ATTCERT_INPUT: none, or several. */
attcert_status model_head_label(int *label, const model_head *head, const char *text, attcert_error *err);

/* "sequence classification, token 0: pooler.dense, tanh, classifier", and whether scores are those before a cap; token
 * HEAD_TOKEN_UNASKED: of any input. */
const char *model_head_text(char text[MODEL_HEAD_TEXT_SIZE], const model_head *head, int token);

#endif
