/* attcert: rigorous two-sided enclosures of the local Lipschitz constant ||D_X f||_2 of an attention layer.
 *
 * The claim of every certificate: weights and inputs are exactly the stored floating-point numbers, f is the
 * mathematical function of exact arithmetic, norms are l2 norms of the whole sequence. All matrices are row-major
 * doubles. The library never prints and never exits: errors are values with a message.
 *
 * One thing it cannot turn into a value: GMP and MPFR abort the process when they are refused memory, LAPACKE prints to
 * standard output. A program that must survive gives GMP functions of its own (mp_set_memory_functions), before the
 * first call and for the whole process, which end it in order; src/cli/out_of_memory.c of the command line is one way.
 * What a run needs is checked against memory_limit before it starts. */
#ifndef ATTCERT_H
#define ATTCERT_H

#include <mpfr.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ATTCERT_VERSION "0.1.0"

/* ---- errors ------------------------------------------------------------------------------------------------------ */

/* The values are the command line's exit statuses. */
typedef enum {
  ATTCERT_OK = 0,
  ATTCERT_NEGATIVE = 1,  /* a valid run with a negative verdict (estimate refuted, tolerance not met) */
  ATTCERT_INPUT = 2,     /* bad usage or bad input */
  ATTCERT_RESOURCE = 3,  /* out of memory, disk or time */
  ATTCERT_UNDECIDED = 4, /* a valid run that neither proves nor refutes */
  ATTCERT_FAULT = 5      /* the machine or a library does not compute as it must: no result is given */
} attcert_status;

/* One line: what went wrong, where, and what was expected. */
typedef struct {
  attcert_status status;
  char message[1024];
} attcert_error;

/* Formats the message into err (may be NULL) and returns status, so that `return attcert_fail(err, ...)` reads well. */
/*@ requires error: err == \null || \valid(err);
    terminates \true;
    assigns *err;
    ensures status: \result == status; */
attcert_status attcert_fail(attcert_error *err, attcert_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- matrices and layers ----------------------------------------------------------------------------------------- */

/* rows x cols doubles, row-major: entry (i, j) is data[i * cols + j]. */
typedef struct {
  int rows, cols;
  double *data;
} attcert_matrix;

attcert_status attcert_matrix_init(attcert_matrix *m, int rows, int cols, attcert_error *err); /* zeros */
void attcert_matrix_clear(attcert_matrix *m);

typedef enum { ATTCERT_MASK_NONE, ATTCERT_MASK_CAUSAL } attcert_mask;

/* Self-attention with H heads of dimension k on tokens in R^d:
 *   q_i = Q x_i + b_Q, k_j, v_j alike;  P_i = softmax_j(q_i . k_j / sqrt(k));  y_i = sum_j P_ij v_j;
 *   f(X)_i = W_O [y_i^1; ...; y_i^H] + b_O,  or the concatenation itself when output_weight is NULL.
 * Row h k + r of query_weight, key_weight, value_weight is row r of head h. */
typedef struct {
  int dim;      /* d >= 1 */
  int heads;    /* H >= 1 */
  int head_dim; /* k >= 1 */
  int out_dim;  /* rows of W_O; H k when output_weight is NULL */
  attcert_mask mask;
  double *query_weight, *key_weight, *value_weight; /* [H k, d] */
  double *query_bias, *key_bias, *value_bias;       /* [H k], each NULL for zero */
  double *output_weight;                            /* [out_dim, H k] or NULL */
  double *output_bias;                              /* [out_dim] or NULL */
} attcert_layer;

/* Allocates the weights (zero-filled); biases only when asked for. out_dim = 0: no W_O. */
attcert_status attcert_layer_init(attcert_layer *layer, int dim, int heads, int head_dim, int out_dim, bool biases,
                                  attcert_error *err);
void attcert_layer_clear(attcert_layer *layer);

/* Head h alone, without W_O: the map X -> (y_i^h)_i in R^{n x k}. `head` is a fresh copy. */
attcert_status attcert_layer_head(attcert_layer *head, const attcert_layer *layer, int h, attcert_error *err);

/* The largest n, d, H k and out_dim: what the kernel is proved for (DIM_MAX of spec/matrix/index.acsl), its offsets
 * being ints. */
enum { ATTCERT_SIDE_MAX = 32768 };

/* Shapes positive, at most ATTCERT_SIDE_MAX and consistent with X (n x d, n >= 1), every number finite; says which is
 * not. */
attcert_status attcert_layer_check(const attcert_layer *layer, const attcert_matrix *x, attcert_error *err);

/* ---- certification ----------------------------------------------------------------------------------------------- */

typedef enum {
  ATTCERT_ENGINE_AUTO,
  ATTCERT_ENGINE_MPFR,
  ATTCERT_ENGINE_DENSE,
  ATTCERT_ENGINE_DEFLATED,
  ATTCERT_ENGINE_POINTWISE
} attcert_engine;

const char *attcert_engine_name(attcert_engine engine); /* NULL where there is no such engine */

/* Called now and then on long work, from the calling thread: stage is a short phrase, done in [0, 1]. */
typedef void (*attcert_progress)(void *context, const char *stage, double done);

typedef struct {
  attcert_engine engine;
  int precision;         /* bits of the MPFR intervals to start from, 53..65536; raised while it limits the width */
  double tolerance;      /* asked relative width; 0: none asked */
  int threads;           /* of the interval work; 0: one a processor. BLAS keeps its own (OPENBLAS_NUM_THREADS) */
  uint64_t memory_limit; /* bytes the run (each process of a group) may use; 0: what the machine has free */
  const char *scratch;   /* dense only: folder for what does not fit in memory; NULL: none */
  const void *group; /* processes that share the run, an attcert_process_group (base/process_group.h); NULL: alone */
  attcert_progress progress;
  void *progress_context;
} attcert_options;

void attcert_options_default(attcert_options *options);

/* Every option in its range, and the floating-point environment the default one; says which is not. */
attcert_status attcert_options_check(const attcert_options *options, attcert_error *err);

typedef struct {
  double layer, lower, upper, total; /* wall-clock */
} attcert_seconds;

/* The certified enclosure. lower and upper are 53-bit MPFR numbers, so that a norm of 1e+400 is still a number;
 * estimate is what uncertified iteration in double says, for comparison only. */
typedef struct {
  mpfr_t lower, upper;
  double relative_width; /* (upper - lower) / upper, rounded up; 0 for [0, 0] */
  double estimate;
  bool tolerance_met;    /* true when none was asked */
  attcert_engine engine; /* the engine whose upper bound is reported */
  int precision;         /* bits finally used */
  char plan[1024];       /* what was planned and why: dimension, memory, expected time, fall-backs; one line */
  attcert_matrix vector; /* n x d: the direction whose image certifies `lower` */
  attcert_seconds seconds;
  uint64_t peak_memory; /* bytes, of the process */
} attcert_certificate;

void attcert_certificate_init(attcert_certificate *certificate);
void attcert_certificate_clear(attcert_certificate *certificate);

/* Encloses ||D_X f||_2 of the layer at X (n x d). On ATTCERT_RESOURCE the certificate still holds the best valid bound
 * found when its upper end is finite. */
attcert_status attcert_certify(attcert_certificate *certificate, const attcert_layer *layer, const attcert_matrix *x,
                               const attcert_options *options, attcert_error *err);

/* Certified lower bound from any direction: encloses ||J u|| / ||u|| in [lo, hi] (53 bits, outward); u is n x d,
 * non-zero. Evaluates someone else's power-iteration vector. */
attcert_status attcert_direction(mpfr_t lo, mpfr_t hi, const attcert_layer *layer, const attcert_matrix *x,
                                 const attcert_matrix *u, const attcert_options *options, attcert_error *err);

/* ---- the layer and its derivatives in plain double --------------------------------------------------------------- */

/* f and J = D_X f on the reference kernel (src/kernel), which is proved to meet the formulas of spec/ in real
 * arithmetic. Here every operation rounds once to nearest, in a fixed order; how far that takes a result is not said,
 * and no certificate rests on it. Numbers beyond double leave infinities and NaN in the result. Every call evaluates
 * the layer at X anew: O(n H k (d + n + out_dim)) operations, of the Jacobian O(n^2 H k d out_dim), in plain loops on
 * one thread.
 *
 * X is n x d. The result is allocated by the caller (attcert_matrix_init), in the shape that is given, and does not
 * overlap the layer or another matrix. Errors: ATTCERT_INPUT for what attcert_layer_check refuses, a matrix of another
 * shape, and a direction that is not finite, naming what was expected; ATTCERT_RESOURCE when memory runs out, naming
 * the bytes. A call that fails leaves the result as it was. */

/* y (n x out_dim) = f(X). */
attcert_status attcert_layer_forward(attcert_matrix *y, const attcert_layer *layer, const attcert_matrix *x,
                                     attcert_error *err);

/* The Jacobian-vector product dy (n x out_dim) = J dx, dx is n x d. */
attcert_status attcert_layer_jvp(attcert_matrix *dy, const attcert_layer *layer, const attcert_matrix *x,
                                 const attcert_matrix *dx, attcert_error *err);

/* The vector-Jacobian product dx (n x d) = J^T dy: the gradient in X of sum_io dy_io f(X)_io; dy is n x out_dim. */
attcert_status attcert_layer_vjp(attcert_matrix *dx, const attcert_layer *layer, const attcert_matrix *x,
                                 const attcert_matrix *dy, attcert_error *err);

/* The explicit Jacobian, (n out_dim) x (n d): entry (i out_dim + o, l d + c) is d f(X)_io / d x_lc. */
attcert_status attcert_layer_jacobian(attcert_matrix *jacobian, const attcert_layer *layer, const attcert_matrix *x,
                                      attcert_error *err);

#endif
