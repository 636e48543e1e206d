/* What executing a step in a format adds to the exact step of the same, executed, inputs: T13.
 *
 * The weights are rounded to the format, to nearest, before anything is bounded: forms pass through the rounded
 * network, whose weights are off by nothing (step_kind.round). The rounding of the input is the first error.
 * Each step then adds an error an entry, which becomes a symbol (operation_absorb) and passes on with its sign.
 *
 * What is covered. An operation is a sum, product, quotient or root of two numbers, or a function (exp, exp2, erf,
 * tanh, a power, 1/sqrt, a logistic or normal distribution function), within the format's ulps. Where a format computes
 * in float32 and stores less, the result of an operation may be stored or not, one by one, as kernels that do one
 * operation each do, or one that does several:
 *
 *   sums         their summands in any order, with or without FMA, by blocks or trees, accumulated in the arithmetic
 *                that computes; a product W x is stored or not before its bias is added
 *   constants    off by two roundings, such as 1/sqrt(dim); stored or not
 *   activations  any order of their products: x/2 (1 + erf(x / sqrt 2)), x Phi(x), with tanh(sqrt(2/pi) (x + 0.044715
 *                x^3)) for erf; the cube a power or products, sqrt(2/pi) inside the bracket or before it; tanh, ReLU;
 *                SiLU and quick GELU as x g(t), x / (1 + exp(-t)) or x (1 / (1 + exp(-t))), g the logistic function
 *   rotary       1 / base^e, or 1 / (divisor base^e), by a power and a reciprocal, slower ones (the ends of YaRN's ramp
 *                in float64), angles, cosines and sines, and their products with an amplitude in float32 or more
 *                exactly, before they are stored; x cos - y sin by two products and a sum, each stored or not
 *   means        of rows: the sum, stored or not, over the count or times its reciprocal
 *   scores       q . k over its divisor, or of queries and keys that were scaled first; a softcap as the product of the
 *                cap and tanh of a quotient by the cap or a product with 1 / cap
 *   slopes       of biases by distance (ALiBi): powers of a base, or 2^-e, in float32 or wider, times the distance or a
 *                place from the first or the last token; all three stored or not, with a sink in one by distance alone
 *   softmax      subtracts the largest score and divides by the sum, before or after the mean of the values; or the
 *                largest of the keys so far, rescaling for each block of SOFTMAX_BLOCK keys or more; masked tokens
 *                weigh nothing; a sink is one key more, which may be the largest, first, last or among the others
 *   LayerNorm    one kernel, which stores nothing inside: (x - mean) / s or x / s - mean / s, the gain before or
 *                after; the variance from the centered row, by updates (Welford), by merging the moments of parts
 *                (Chan, Golub and LeVeque), or as the mean of the squares of x less the square of its mean
 *   BatchNorm    one kernel, which stores nothing inside: ((x - mean) / s) weight + bias, the products in any order, or
 *                x a + (bias - mean a) with a = weight / s
 *   RMSNorm      nothing stored inside but x/s before its gain: squares that are products, their mean a quotient or a
 *                product with 1/d, the gain before or after 1/s
 *
 * Not covered: partial sums stored in a narrower format than float32, TF32, matrix products of Strassen's kind; a
 * LayerNorm, BatchNorm or RMSNorm whose other intermediate results are stored in a narrow format; positions,
 * frequencies or angles of a rotary embedding in a format narrower than float32; a softmax that subtracts no largest
 * score, or that is merged from parts by the logarithms of their sums; another format for some of the steps or weights
 * (autocast, quantisation); maps that are merged with others; a distributed product, x/2 + x/2 erf, unless one FMA
 * does it. */
#ifndef ATTCERT_NETWORK_STEP_EXECUTION_H
#define ATTCERT_NETWORK_STEP_EXECUTION_H

#include "network/step_format.h"
#include "robust/form/form.h"

/* How many keys a softmax that rescales as it goes takes at a time, at least; those left over may be fewer. */
enum { SOFTMAX_BLOCK = 16 };

/* A step's weights: `count` numbers at *array, which may be NULL: there are none. */
typedef struct {
  const double **array;
  size_t count;
} step_weights;

/* Memory for the `head` bytes of a step's parameters (a multiple of 8) and, behind them, its weights rounded to the
 * format, to which the pointers are set. NULL when out of memory. */
void *step_execution_round(const step_weights *weights, int arrays, size_t head, const step_format *format,
                           attcert_error *err);

/* A double >= |z| of entry c in row i of a measured form. */
double step_execution_size(const form *f, int i, int c);

/* error + u 2^e + tiny, 2^e <= size + error < 2^(e+1): of a result of at most `size` that was computed from operands
 * which move it by `error`, once it is rounded by at most half a unit in the last place of a number of that binade
 * (Muller et al., section 2.2); infinite where it may overflow. */
double step_execution_rounded(const float_arithmetic *a, double size, double error);

/* The same where the format stores numbers narrower than it computes; otherwise the error itself. */
double step_execution_stored(const step_format *format, double size, double error);

/* Summands p_k that are known to intervals: bounds of sum |p_k|, and of the sum over any subset of them. */
typedef struct {
  double terms, positive, negative; /* sum |p_k|, sum max(p_k, 0), sum max(-p_k, 0) */
  int count;
} step_summands;

/* One more, within `spread` of `center`, both rounded at most once. */
void step_summands_add(step_summands *s, double center, double spread);

/* How far a sum of these summands, each off by a factor within `relative` of 1, is off in any order. A computed
 * partial sum is within the error E so far of the exact sum over a subset, at most M = max(sum p+, sum p-) in size, and
 * count - 1 additions round one each:
 *   E <= D + (count - 1) u (M + E),  D = relative sum |p_k|,  so that  E <= D + gamma_count (M + D)
 * (Higham, Accuracy and Stability, (4.2) and (4.3), with the partial sums bounded by M + E instead of sum |p_k|; Coq:
 * `partial_sums`). *met: at least each partial sum. What underflows is the caller's. */
double step_summands_error(double *met, const step_summands *s, double relative, const step_format *format);

/* met, or infinite where a number of at most `kept` may be stored on the way and overflow. */
double step_execution_keep(double met, double kept, const step_format *format);

/* Adds to the radius of entry c in row i of a measured form an execution's error, storing the result included. met: the
 * largest number computed on the way; infinite where it may overflow. */
void step_execution_add(form *f, int i, int c, double error, double met, const step_format *format);

struct step;
/* `execution` of a step whose entries are the result of one operation each: its rounding. */
attcert_status step_execution_operation(form *out, const struct step *s, const form *const *in,
                                        const form_symbols *symbols, const step_format *format, attcert_error *err);

/* Rounds the entries of the network's input, measured, to the format that computes, and stores them. */
void step_execution_input(form *x, const step_format *format);

#endif
