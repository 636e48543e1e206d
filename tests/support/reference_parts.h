/* The parts of a transformer's block from their definitions, entry by entry in long double. An affine map is a view of
 * the stored numbers with two strides: torch.nn.Linear, Conv1D and one part of c_attn differ in nothing else. */
#ifndef ATTCERT_TESTS_SUPPORT_REFERENCE_PARTS_H
#define ATTCERT_TESTS_SUPPORT_REFERENCE_PARTS_H

#include <stdbool.h>

/* The largest number of tokens and width that the functions take. */
enum { REFERENCE_TOKENS = 8, REFERENCE_WIDTH = 32 };

/* W_oi = weight[o * out_stride + i * in_stride]; bias NULL: zero. */
typedef struct {
  const double *weight, *bias;
  int out_stride, in_stride;
} affine;

typedef long double reference_slowing(long double frequency);

typedef struct {
  int dim, heads;
  affine map[4]; /* query, key, value, output */
  affine gate;   /* of the means, through a sigmoid; NULL: none */
  bool causal;
  long double scale;       /* of the scores q . k */
  int window;              /* how many tokens a token attends to up to itself, and from itself on */
  int key_heads;           /* of keys and values; 0: as many as of queries */
  double rotary;           /* theta of rotary positions; 0: none */
  int rotating;            /* how many entries of a head rotate; 0: all */
  reference_slowing *slow; /* what the model's type makes of a frequency; NULL: nothing */
  long double amplitude;   /* of cosines and sines; 0: 1 */
  const double *sink;      /* [heads]: a score more, of a value 0; NULL: none */
  double cap;              /* of the scaled scores; 0: none */
  const double *bias;      /* [buckets of key - query, heads], as MPNet and T5 have them; NULL: none */
  const double *slope;     /* [heads]: of their distance, subtracted; NULL: none */
  struct {
    const long double *query, *key; /* [2 span][heads width], as DeBERTa has them; NULL: none */
    int span, buckets, distance;    /* buckets 0: a row each distance */
  } shift;
  struct {
    const double *gain; /* of RMSNorm; NULL: none */
    double shift, epsilon;
    bool rows; /* of all heads at once */
  } norm[2];   /* of queries, of keys */
  struct {
    int head_dim, buckets, distance;
  } own; /* 0: dim / heads; 32 buckets up to 128 */
} reference_attention;

typedef long double reference_curve(long double x);
reference_curve reference_gelu, reference_gelu_tanh, reference_gelu_bloom, reference_relu, reference_silu,
    reference_quick_gelu;

void reference_apply(long double *y, const long double *x, int n, affine a, int out, int in);
/* The gain is shift + gamma. */
void reference_rms_norm(long double *x, int n, int d, const double *gamma, double shift, double epsilon);
void reference_layer_norm(long double *x, int n, int d, const double *gamma, const double *beta, double epsilon);
void reference_attend(long double *y, const long double *x, int n, const reference_attention *a);
void reference_feed_forward(long double *y, const long double *x, int n, int d, int width, affine up, affine down,
                            reference_curve *curve);
/* down(curve(gate x) * (up x)) */
void reference_gated(long double *y, const long double *x, int n, int d, int width, affine gate, affine up, affine down,
                     reference_curve *curve);
void reference_add(long double *x, const long double *y, int count);

/* Row t of x (n x d) += row index[t] of the table. */
void reference_add_rows(long double *x, const double *table, const int *index, int n, int d);

#endif
