/* Certified inference: the scores of a network at an input, enclosed, and the answer that follows, a row of scores at a
 * time.
 *
 * Forward in intervals, matrix products through BLAS without a rounding (network/affine/affine_slices.h). An interval
 * widens by a few bits a step: step s of S is computed in LAST_BITS + b (S - s) bits, with twice that b where scores
 * come out wide. */
#ifndef ATTCERT_ROBUST_PREDICTION_H
#define ATTCERT_ROBUST_PREDICTION_H

#include "network/network.h"
#include "robust/watch.h"

typedef struct {
  int label;
  range score;
} robust_score;

typedef struct {
  int label; /* whose score is the largest, by the middle of its enclosure; each sign: -1 */
  int rival; /* of the others, the one with the largest upper end; each sign: that closest to 0 */
  range
      margin; /* score_label - the largest of the others; each sign: the smallest |score|, negative where it is open */
} robust_row;

typedef struct {
  int rows, classes, top;
  robust_row *row;     /* [rows] */
  robust_score *score; /* [rows, top], largest first */
  int bits;            /* of the first step */
} robust_prediction;

typedef struct {
  const attcert_matrix *x;
  bool each_sign;            /* the answer is the sign of each score, not the largest */
  int top;                   /* scores of a row that are kept; as many as there are classes at most */
  const robust_watch *watch; /* sees every step; NULL: nobody does */
} robust_prediction_place;

/* Errors: ATTCERT_RESOURCE, ATTCERT_CANCELLED, ATTCERT_FAULT of BLAS. robust_prediction_clear is due in every case. */
attcert_status robust_prediction_enclose(robust_prediction *prediction, const network_steps *network,
                                         const robust_prediction_place *at, attcert_error *err);
void robust_prediction_clear(robust_prediction *prediction);

/* Whether the answer of a row, of all of them, is certain. */
static inline bool robust_row_decided(const robust_row *row) {
  return row->margin.lo > 0.0;
}
bool robust_prediction_decided(const robust_prediction *prediction);

/* ATTCERT_UNDECIDED where it is not. */
attcert_status robust_prediction_status(const robust_prediction *prediction);

#endif
