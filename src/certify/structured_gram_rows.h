/* A few token rows of one column of the Gram matrix's blocks: what structured_gram.h computes at a time. */
#ifndef ATTCERT_STRUCTURED_GRAM_ROWS_H
#define ATTCERT_STRUCTURED_GRAM_ROWS_H

#include "certify/structured_gram.h"

/* Blocks (i', i) of the current token i, i' = first ... first + rows - 1; (h', i') counts these rows alone, h' rows + i' - first. */
typedef struct {
  structured_gram *shared;
  const gram_blocks *blocks;
  int threads;
  int most;           /* rows at a time, at least one */
  int i, first, rows; /* the current rows */
  double *ww;         /* [(h', i', b)][(h, a)] sum_l w'_i'l w_il */
  double *pw_here;    /* [(h', i', b)][h]      sum_l w'_i'l P_il */
  double *pw_there;   /* [(h', i')][(h, a)]    sum_l P'_i'l w_il */
  double *fg_here;    /* [(h', i', b)][h]      F'_i' g_i */
  double *fg_there;   /* [(h', i')][(h, a)]    F_i g'_i' */
  double *qc;         /* [(h, a)][b]           Q Q'^T C'_i^T of one h' */
  double *ff;         /* [(h, a)][(h', b)]     F_i F'_i^T */
  double *heads;      /* [i'][(h', b)][(h, a)] the concatenated heads' blocks */
  double *right;      /* [i'][(h', b)][o]      the same times W'^T */
} gram_rows;

/* Bytes of its arrays. */
uint64_t gram_rows_bytes(const attcert_layer *layer, int n);

attcert_status gram_rows_init(gram_rows *r, structured_gram *shared, const gram_blocks *blocks,
                              const attcert_options *options, attcert_error *err);
void gram_rows_clear(gram_rows *r);

/* Blocks (first, i), (first + 1, i), ... up to `most` of them and to (i, i), if one is wanted. */
void gram_rows_compute(gram_rows *r, int i, int first);

#endif
