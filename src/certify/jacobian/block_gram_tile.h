/* A tile of the Gram matrix's blocks, a few token rows of a few token columns: what block_gram.h computes at a time. */
#ifndef ATTCERT_CERTIFY_JACOBIAN_BLOCK_GRAM_TILE_H
#define ATTCERT_CERTIFY_JACOBIAN_BLOCK_GRAM_TILE_H

#include "certify/jacobian/factored_jacobian.h"

/* The sums over tokens and channels that all blocks share, and what is known of the blocks. (h, i) stands for h n + i,
 * (h, i, a) for (h n + i) k + a, (h, a) for h k + a. */
typedef struct {
  const factored_jacobian *m;
  double *vv;         /* [(h, a)][(h', b)]     V V'^T */
  double *vq;         /* [(h, a)][(h', b)]     V Q'^T */
  double *qq;         /* [(h, a)][(h', b)]     Q Q'^T */
  double *pp;         /* [(h, i)][(h', i')]    P_i . P'_i' */
  double *gg;         /* [(h, i)][(h', i')]    g_i . g'_i' */
  double *gv;         /* [(h, i)][(h', b)]     V' g_i */
  double *gq;         /* [(h, i)][(h', b)]     g_i Q'^T */
  double *fv;         /* [(h, i, a)][(h', b)]  F_i V'^T */
  double *block_norm; /* [i'][i], i' <= i: ||B_i'i||_F rounded up; 0 while unknown */
} block_gram;

/* What becomes of the blocks of G~: block (row, column), row <= column, of out_dim x out_dim doubles, whose rows are
 * those of the token `column` and whose columns those of `row`. `place` says where its columns from `first` on go,
 * *count of them, no more than it was, in rows *stride apart (NULL: nowhere); all at once where row = column. Then
 * `take` hears of the block. Blocks come tile by tile, and in a tile column by column; the token rows first ... first +
 * rows - 1 are passed over unless one of them is `wanted` (NULL: all are). */
typedef struct {
  double *(*place)(void *context, int row, int column, int first, int *count, int *stride);
  void (*take)(void *context, int row, int column);
  bool (*wanted)(void *context, int first, int rows);
  void *context;
} gram_blocks;

/* Blocks (i', i) of the current rows i' and columns i; (h', i') counts these rows alone, h' rows + i' - first, and (h,
 * i) these columns alone, h columns + i - column. */
typedef struct {
  block_gram *shared;
  const gram_blocks *blocks;
  int threads;
  int most_rows, most_columns;      /* at a time, at least one */
  int column, columns, first, rows; /* the current ones */
  bool gathered;                    /* the arrays of the columns are set: */
  double *w_columns;                /* [l][(h, i, a)]           w_il */
  double *p_columns;                /* [(h, i)][l]              P_il */
  double *g_columns;                /* [(h, i)][(h', b)]        Q' g_i */
  double *f_columns;                /* [(h', b)][(h, i, a)]     F_i V'^T */
  double *ww;                       /* [(h', i', b)][(h, i, a)] sum_l w'_i'l w_il */
  double *pw_here;                  /* [(h', i', b)][(h, i)]    sum_l w'_i'l P_il */
  double *pw_there;                 /* [(h', i')][(h, i, a)]    sum_l P'_i'l w_il */
  double *fg_here;                  /* [(h', i', b)][(h, i)]    F'_i' g_i */
  double *fg_there;                 /* [(h', i')][(h, i, a)]    F_i g'_i' */
  double *qc;                       /* [(h, a)][b]              Q Q'^T C'_i^T of one h' and i */
  double *ff;                       /* [i][(h, a)][(h', b)]     F_i F'_i^T, where i is a row too */
  double *heads;                    /* [i][i'][(h', b)][(h, a)] the concatenated heads' blocks */
  double *right;                    /* [i'][(h', b)][o]         the same times W'^T, of one i; NULL without W' */
} gram_tile;

/* Bytes of its arrays. */
uint64_t block_gram_tile_bytes(const attcert_layer *layer, int n);

attcert_status block_gram_tile_init(gram_tile *r, block_gram *shared, const gram_blocks *blocks,
                                    const attcert_options *options, attcert_error *err);
void block_gram_tile_clear(gram_tile *r);

/* Columns column, column + 1, ... up to `most_columns` of them, from now on. */
void block_gram_tile_begin(gram_tile *r, int column);

/* The concatenated heads' blocks of these columns in rows first, first + 1, ... up to `most_rows` of them and to the
 * diagonal; false: none is wanted. */
bool block_gram_tile_compute(gram_tile *r, int first);

#endif
