/* The heads of transformers' classes on tiny models: the names of their tensors as the classes store them, and their
 * scores from the definition, in long double, on the hidden states after the last block. A second writing of both. */
#ifndef ATTCERT_TESTS_SUPPORT_TINY_HEAD_H
#define ATTCERT_TESTS_SUPPORT_TINY_HEAD_H

#include "tiny_body.h"

/* Whose scores count: a token's of every input, its last one's, or that of the token asked about. */
enum { TINY_HEAD_FIRST = 0, TINY_HEAD_LAST = -1, TINY_HEAD_ASKED = -2 };
enum { TINY_HEAD_LABELS = 3, TINY_HEAD_CLASSES = 11 };

typedef struct {
  const char *type, *architecture;
  int token;
  const char *final_norm, *map, *classifier; /* NULL: none; no classifier: the word table */
  reference_curve *curve;                    /* of the map; NULL: the blocks' */
  bool unbiased;                             /* the classifier */
  int classes;                               /* its rows; 0: TINY_HEAD_LABELS */
  const char *keys;                          /* of config.json besides; NULL: none */
  const char *norm;                          /* after the curve; NULL: none */
  bool map_unbiased;
  const char *unless; /* neither the map nor the scores have a bias where config.json has this; NULL: both may */
  bool mean, joined;  /* of the tokens from `from` on, in place of one; beside the first one */
  int from;
  const char *bias;   /* of the word table's scores, from vectors as long as its rows; NULL: none */
  const char *unused; /* a map that is stored beside it, as older files have it */
} tiny_head;

/* Ends with a type of NULL. */
extern const tiny_head tiny_heads[];

/* Adds the head's tensors to those of the body, random ones, where they are not there. */
void tiny_head_add(tiny_body *body, const tiny_head *head, random_source *r);

/* The scores of one token, or of all, of x (n x dim, after the last block); returns how many there are. */
int tiny_head_scores(long double *scores, const long double *x, int n, const tiny_head *head, const tiny_body *body,
                     int token);

#endif
