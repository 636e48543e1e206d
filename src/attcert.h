/** @file
 * attcert: rigorous two-sided enclosures of the local Lipschitz constant ||D_X f||_2 of an attention layer.
 *
 * The claim of every certificate: weights and inputs are exactly the stored floating-point numbers, f is the
 * mathematical function of exact arithmetic, norms are l2 norms of the whole sequence. All matrices are row-major
 * doubles. The library never prints and never exits: errors are values with a message.
 *
 * One thing it cannot turn into a value: GMP and MPFR abort the process when they are refused memory, LAPACKE prints to
 * standard output. A program that must survive gives GMP functions of its own (mp_set_memory_functions), before the
 * first call and for the whole process, which end it in order; src/cli/out_of_memory.c of the command line is one way.
 * What a run needs is checked against memory_limit before it starts.
 *
 * There are two ways to call it. The handles of the last sections (attcert_problem, attcert_result, ...) take and give
 * doubles, sizes and text; they are what other languages call. The structs and MPFR numbers before them are what the
 * handles are made of, for programs that want the certificate itself.
 *
 * Threads: every function may be called from several threads at once, on different objects; objects that are only read
 * (const) may be shared. A handle is used by one thread at a time. MPFR keeps a cache for each thread:
 * attcert_thread_end frees that of the calling one. Whether BLAS may be called from several threads is its own affair;
 * OpenBLAS may.
 *
 * Floating-point environment: a function that computes sets the default one for the calling thread (rounding to
 * nearest, subnormal numbers kept, no traps, an x87 of 64 bits; MPFR's default exponents, precision and rounding) and
 * restores the caller's, flags included, before it returns. Threads that it starts have the default one, and so have
 * callbacks. ATTCERT_FAULT where it cannot be set. The threads of BLAS keep the one that they were started in: where
 * that is another, what rests on BLAS is ATTCERT_FAULT, too. MPFR's numbers in results have default exponents.
 *
 * Strings are UTF-8 and end with 0. What is not in this file is no interface. */
#ifndef ATTCERT_H
#define ATTCERT_H

#include <mpfr.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The version of this header; see attcert_version. */
#define ATTCERT_VERSION "0.1.0"

#if defined __GNUC__ && !defined __FRAMAC__
#define ATTCERT_API __attribute__((visibility("default"))) /**< marks what the shared library exports */
#else
#define ATTCERT_API /**< marks what the shared library exports */
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** The version of the library that runs, where ATTCERT_VERSION is that of the header; such as "0.1.0". */
ATTCERT_API const char *attcert_version(void);

/** Frees what MPFR caches for the calling thread: for a thread that called this library and is about to end. */
ATTCERT_API void attcert_thread_end(void);

/* ---- errors ------------------------------------------------------------------------------------------------------ */

/** The values are the command line's exit statuses. */
typedef enum {
  ATTCERT_OK = 0,        /**< the call did what it says */
  ATTCERT_NEGATIVE = 1,  /**< a valid run with a negative verdict (estimate refuted, tolerance not met) */
  ATTCERT_INPUT = 2,     /**< bad usage or bad input */
  ATTCERT_RESOURCE = 3,  /**< out of memory, disk or time */
  ATTCERT_UNDECIDED = 4, /**< a valid run that neither proves nor refutes */
  ATTCERT_FAULT = 5,     /**< the machine or a library does not compute as it must: no result is given */
  ATTCERT_CANCELLED = 6  /**< the progress callback asked to end the run (the command line has no such status) */
} attcert_status;

/** One line: what went wrong, where, and what was expected. */
typedef struct {
  attcert_status status; /**< what the call returned */
  char message[1024];    /**< such as "input: entry [1, 1] is nan, expected a finite number" */
} attcert_error;

/** Formats the message into err (may be NULL) and returns status, so that `return attcert_fail(err, ...)` reads
 * well. */
/*@ requires error: err == \null || \valid(err);
    terminates \true;
    assigns *err;
    ensures status: \result == status; */
ATTCERT_API attcert_status attcert_fail(attcert_error *err, attcert_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- matrices and layers ----------------------------------------------------------------------------------------- */

/** rows x cols doubles, row-major: entry (i, j) is data[i * cols + j]. */
typedef struct {
  int rows;     /**< how many */
  int cols;     /**< likewise */
  double *data; /**< the entries, allocated by attcert_matrix_init or by the caller */
} attcert_matrix;

/** Allocates rows x cols zeros; attcert_matrix_clear is due. Errors: ATTCERT_INPUT, ATTCERT_RESOURCE. */
ATTCERT_API attcert_status attcert_matrix_init(attcert_matrix *m, int rows, int cols, attcert_error *err);

/** Frees what attcert_matrix_init allocated; the matrix is empty then. */
ATTCERT_API void attcert_matrix_clear(attcert_matrix *m);

/** Which tokens a token attends to. */
typedef enum {
  ATTCERT_MASK_NONE,  /**< to all */
  ATTCERT_MASK_CAUSAL /**< to itself and those before it */
} attcert_mask;

/** Self-attention with H heads of dimension k on tokens in R^d:
 *   q_i = Q x_i + b_Q, k_j, v_j alike;  P_i = softmax_j(q_i . k_j / sqrt(k));  y_i = sum_j P_ij v_j;
 *   f(X)_i = W_O [y_i^1; ...; y_i^H] + b_O,  or the concatenation itself when output_weight is NULL.
 * Row h k + r of query_weight, key_weight, value_weight is row r of head h. */
typedef struct {
  int dim;               /**< d >= 1 */
  int heads;             /**< H >= 1 */
  int head_dim;          /**< k >= 1 */
  int out_dim;           /**< rows of W_O; H k when output_weight is NULL */
  attcert_mask mask;     /**< which keys a token attends to */
  double *query_weight;  /**< Q, [H k, d] */
  double *key_weight;    /**< K, [H k, d] */
  double *value_weight;  /**< V, [H k, d] */
  double *query_bias;    /**< b_Q, [H k], or NULL for zero */
  double *key_bias;      /**< likewise */
  double *value_bias;    /**< likewise */
  double *output_weight; /**< [out_dim, H k] or NULL */
  double *output_bias;   /**< [out_dim] or NULL */
} attcert_layer;

/** Allocates the weights (zero-filled); biases only when asked for. out_dim = 0: no W_O. */
ATTCERT_API attcert_status attcert_layer_init(attcert_layer *layer, int dim, int heads, int head_dim, int out_dim,
                                              bool biases, attcert_error *err);

/** Frees what attcert_layer_init allocated; the layer is empty then. */
ATTCERT_API void attcert_layer_clear(attcert_layer *layer);

/** Head h alone, without W_O: the map X -> (y_i^h)_i in R^{n x k}. `head` is a fresh copy. */
ATTCERT_API attcert_status attcert_layer_head(attcert_layer *head, const attcert_layer *layer, int h,
                                              attcert_error *err);

/** The largest n, d, H k and out_dim: what the kernel is proved for (DIM_MAX of spec/matrix/index.acsl), its offsets
 * being ints. */
enum {
  ATTCERT_SIDE_MAX = 32768 /**< 2^15 */
};

/** Shapes positive, at most ATTCERT_SIDE_MAX and consistent with X (n x d, n >= 1), every number finite; says which is
 * not. */
ATTCERT_API attcert_status attcert_layer_check(const attcert_layer *layer, const attcert_matrix *x, attcert_error *err);

/* ---- certification ----------------------------------------------------------------------------------------------- */

/** How the upper end is computed. Every engine's is valid; that of the engine random holds but for an event of stated
 * probability over random bits of its own. */
typedef enum {
  ATTCERT_ENGINE_AUTO,      /**< the cheapest that meets the width asked for */
  ATTCERT_ENGINE_MPFR,      /**< in MPFR and integers alone: trusts no BLAS, and takes long */
  ATTCERT_ENGINE_DENSE,     /**< a verified Cholesky factorisation of the Gram matrix of side N in double */
  ATTCERT_ENGINE_DEFLATED,  /**< without the matrix, from a basis of its largest eigenvectors: for large N */
  ATTCERT_ENGINE_POINTWISE, /**< a formula: always possible, and loose */
  ATTCERT_ENGINE_RANDOM     /**< from random starts, at the price of a few power iterations, whatever N is */
} attcert_engine;

/** "auto", "mpfr", ...; NULL where there is no such engine. */
ATTCERT_API const char *attcert_engine_name(attcert_engine engine);

/** Called now and then on long work, from the calling thread: stage is a short phrase, done in [0, 1]. 0: go on;
 * anything else ends the run with ATTCERT_CANCELLED (one that processes share goes on). It must not longjmp or
 * throw; the floating-point environment that it leaves is forgotten. */
typedef int (*attcert_progress)(void *context, const char *stage, double done);

/** Processes that certify one layer together: each calls attcert_certify with the same layer, input and
 * options but its own `rank`, and all get the same certificate. Both functions are collective: every process
 * calls them, in the same order. */
typedef struct {
  int rank;                                                             /**< this process, 0 <= rank < size */
  int size;                                                             /**< how many there are */
  void *context;                                                        /**< handed to both functions */
  void (*broadcast)(void *context, void *data, size_t bytes, int root); /**< every process takes what `root` has */
  void (*sum)(void *context, double *x, size_t count); /**< x := sum of all x, the same bits everywhere */
} attcert_process_group;

/** How to certify; attcert_options_default fills it. */
typedef struct {
  attcert_engine engine; /**< how the upper end is computed */
  int precision;         /**< bits of the MPFR intervals to start from, 53..65536; raised while it limits the width */
  double tolerance;      /**< asked relative width; 0: none asked */
  int threads;           /**< of the interval work; 0: one a processor. BLAS keeps its own (OPENBLAS_NUM_THREADS) */
  uint64_t memory_limit; /**< bytes the run (each process of a group) may use; 0: what the machine has free */
  const char *scratch;   /**< dense only: folder for what does not fit in memory; NULL: none */
  const attcert_process_group *group; /**< processes that share the run; NULL: alone */
  attcert_progress progress;          /**< NULL: none */
  void *progress_context;             /**< handed to it */
  double failure; /**< of the engine random: the probability of a wrong upper end, at most 1/2; 0: auto leaves it out */
  bool seeded;    /**< its random bits are those of `seed`, for a run that can be repeated; false: the system's */
  uint64_t seed;  /**< not to be chosen by looking at results */
} attcert_options;

/** The engine auto, 128 bits, no tolerance, a thread a processor, the memory that is free, a failure of 2^-100. */
ATTCERT_API void attcert_options_default(attcert_options *options);

/** Every option in its range; says which is not. */
ATTCERT_API attcert_status attcert_options_check(const attcert_options *options, attcert_error *err);

/** Wall-clock seconds of a run. */
typedef struct {
  double layer; /**< of the layer's evaluation */
  double lower; /**< of the lower end */
  double upper; /**< of the upper end */
  double total; /**< of everything */
} attcert_seconds;

/** The certified enclosure. lower and upper are 53-bit MPFR numbers, so that a norm of 1e+400 is still a number;
 * estimate is what uncertified iteration in double says, for comparison only. */
typedef struct {
  mpfr_t lower;            /**< <= ||D_X f||_2 */
  mpfr_t upper;            /**< >= ||D_X f||_2 */
  double relative_width;   /**< (upper - lower) / upper, rounded up; 0 for [0, 0] */
  double estimate;         /**< uncertified, a lower estimate */
  bool tolerance_met;      /**< true when none was asked */
  attcert_engine engine;   /**< the engine whose upper bound is reported */
  int precision;           /**< bits finally used */
  char plan[1024];         /**< what was planned and why: dimension, memory, expected time, fall-backs; one line */
  attcert_matrix vector;   /**< n x d: the direction whose image certifies `lower` */
  attcert_seconds seconds; /**< what it took */
  uint64_t peak_memory;    /**< bytes, of the process */
  double failure_log2;     /**< the upper end is wrong with probability at most 2^failure_log2 over the random bits of
                              the engine random, whatever the layer; -inf: it holds without exception */
  bool seeded;             /**< those bits were a seed's, not the system's */
} attcert_certificate;

/** [0, +inf], no direction; attcert_certificate_clear is due. */
ATTCERT_API void attcert_certificate_init(attcert_certificate *certificate);

/** Frees what it holds. */
ATTCERT_API void attcert_certificate_clear(attcert_certificate *certificate);

/** Encloses ||D_X f||_2 of the layer at X (n x d). On ATTCERT_RESOURCE the certificate still holds the best valid bound
 * found when its upper end is finite. */
ATTCERT_API attcert_status attcert_certify(attcert_certificate *certificate, const attcert_layer *layer,
                                           const attcert_matrix *x, const attcert_options *options, attcert_error *err);

/** Certified lower bound from any direction: encloses ||J u|| / ||u|| in [lo, hi] (53 bits, outward); u is n x d,
 * non-zero. Evaluates someone else's power-iteration vector. */
ATTCERT_API attcert_status attcert_direction(mpfr_t lo, mpfr_t hi, const attcert_layer *layer, const attcert_matrix *x,
                                             const attcert_matrix *u, const attcert_options *options,
                                             attcert_error *err);

/* ---- the layer and its derivatives in plain double --------------------------------------------------------------- */

/** f and J = D_X f on the reference kernel (src/kernel), which is proved to meet the formulas of spec/ in real
 * arithmetic. Here every operation rounds once to nearest, in a fixed order; how far that takes a result is not said,
 * and no certificate rests on it. Numbers beyond double leave infinities and NaN in the result. Every call evaluates
 * the layer at X anew: O(n H k (d + n + out_dim)) operations, of the Jacobian O(n^2 H k d out_dim), in plain loops on
 * one thread.
 *
 * X is n x d. The result is allocated by the caller (attcert_matrix_init), in the shape that is given, and does not
 * overlap the layer or another matrix. Errors: ATTCERT_INPUT for what attcert_layer_check refuses, a matrix of another
 * shape, and a direction that is not finite, naming what was expected; ATTCERT_RESOURCE when memory runs out, naming
 * the bytes. A call that fails leaves the result as it was. */

/** y (n x out_dim) = f(X). */
ATTCERT_API attcert_status attcert_layer_forward(attcert_matrix *y, const attcert_layer *layer, const attcert_matrix *x,
                                                 attcert_error *err);

/** The Jacobian-vector product dy (n x out_dim) = J dx, dx is n x d. */
ATTCERT_API attcert_status attcert_layer_jvp(attcert_matrix *dy, const attcert_layer *layer, const attcert_matrix *x,
                                             const attcert_matrix *dx, attcert_error *err);

/** The vector-Jacobian product dx (n x d) = J^T dy: the gradient in X of sum_io dy_io f(X)_io; dy is n x out_dim. */
ATTCERT_API attcert_status attcert_layer_vjp(attcert_matrix *dx, const attcert_layer *layer, const attcert_matrix *x,
                                             const attcert_matrix *dy, attcert_error *err);

/** The explicit Jacobian, (n out_dim) x (n d): entry (i out_dim + o, l d + c) is d f(X)_io / d x_lc. */
ATTCERT_API attcert_status attcert_layer_jacobian(attcert_matrix *jacobian, const attcert_layer *layer,
                                                  const attcert_matrix *x, attcert_error *err);

/* Handles, for callers that know no structs of C. No proof speaks of them, and its goals number all that is declared
 * before what they are about: one declaration more, and every goal would be another. */
#ifndef __FRAMAC__

/* ---- handles: errors and options --------------------------------------------------------------------------------- */

/** An error to pass on and read, for callers that cannot allocate one; NULL when memory runs out. */
ATTCERT_API attcert_error *attcert_error_new(void);

/** Frees it; NULL is none. */
ATTCERT_API void attcert_error_free(attcert_error *err);

/** The status of the call that failed last; ATTCERT_OK before one did. */
ATTCERT_API attcert_status attcert_error_status(const attcert_error *err);

/** Its message, one line; empty before a call failed. */
ATTCERT_API const char *attcert_error_message(const attcert_error *err);

/** The default options; NULL when memory runs out. Wherever options are asked for below, NULL means these. */
ATTCERT_API attcert_options *attcert_options_new(void);

/** Frees what attcert_options_new returned; NULL is none. */
ATTCERT_API void attcert_options_free(attcert_options *options);

/** Sets "precision", "tolerance", "threads", "memory_limit", "failure" or "seed" (at most 2^53), as in
 * attcert_options. Errors: ATTCERT_INPUT for another name or a value out of range; the options then stay as they
 * were. */
ATTCERT_API attcert_status attcert_options_set_number(attcert_options *options, const char *name, double value,
                                                      attcert_error *err);

/** Sets "engine" (auto, mpfr, dense, deflated, pointwise, random) or "scratch" (a folder; the text is borrowed and must
 * outlive the options). Errors: ATTCERT_INPUT. */
ATTCERT_API attcert_status attcert_options_set_text(attcert_options *options, const char *name, const char *value,
                                                    attcert_error *err);

/** Who is told how far a run is, and may end it; context is handed on. NULL: nobody. */
ATTCERT_API void attcert_options_set_progress(attcert_options *options, attcert_progress progress, void *context);

/* ---- the norm of any operator ------------------------------------------------------------------------------------ */

/** y_b = A x_b for b < count: x holds count vectors of the matrix A's `cols` entries one after the other, y count of
 * its `rows`; transposed: y_b = A^T x_b, and the lengths change places. 0: go on; anything else ends the run. It must
 * not longjmp or throw. */
typedef int (*attcert_product)(void *context, double *y, const double *x, size_t count, bool transposed);

/** *lower <= ||A||_2 <= *upper of a rows x cols matrix that is known by products, each within error ||x_b|| of A x_b
 * and A^T x_b (l2 norms); error 0: the claim is about exact products. It takes about as many products as a power
 * iteration. The lower end holds without exception, the upper one but for an event of probability at most
 * options->failure over random bits of its own, whatever A is. The options' tolerance (0: 1e-2) is asked of upper /
 * lower - 1; failure, seed and progress count, too. Errors: ATTCERT_INPUT, ATTCERT_RESOURCE and ATTCERT_CANCELLED, with
 * the ends 0 and infinity; ATTCERT_NEGATIVE where a tolerance was asked and is not met, with valid ends. */
ATTCERT_API attcert_status attcert_operator_norm(double *lower, double *upper, size_t rows, size_t cols,
                                                 attcert_product product, void *context, double error,
                                                 const attcert_options *options, attcert_error *err);

/* ---- handles: models --------------------------------------------------------------------------------------------- */

/** A transformer model, opened for its layers and inputs. */
typedef struct attcert_model attcert_model;

/** spec: a Hugging Face folder, of two towers FOLDER:text or FOLDER:vision, or random:bert,
 * random:gpt2[:d,heads,layers]; seed: of a random model. *model is NULL on failure. Errors: ATTCERT_INPUT, also where a
 * tensor or a key of config.json may change the function and is not read; ATTCERT_RESOURCE. */
ATTCERT_API attcert_status attcert_model_open(attcert_model **model, const char *spec, uint64_t seed,
                                              attcert_error *err);

/** Closes its files; NULL is none. Problems that a layer was loaded into do not need it any more. */
ATTCERT_API void attcert_model_close(attcert_model *model);

/** "dim", "heads", "layers", "vocabulary" (0: no embedding table) or "positions"; -1 for another name. */
ATTCERT_API int attcert_model_size(const attcert_model *model, const char *name);

/** The n tokens from `offset` on of a text file, without special ones; attcert_tokens_read adds them. tokenizer: a
 * folder or file; NULL: the model folder's, bytes for random models. Errors: ATTCERT_INPUT (a shorter text, ...),
 * ATTCERT_RESOURCE. */
ATTCERT_API attcert_status attcert_model_read_text(int *tokens, size_t n, const attcert_model *model,
                                                   const char *tokenizer, const char *text_path, size_t offset,
                                                   attcert_error *err);

/** x (n x dim) := the hidden states that enter layer 0 on n tokens. */
ATTCERT_API attcert_status attcert_model_hidden_states(double *x, const attcert_model *model, const int *tokens,
                                                       size_t n, attcert_error *err);

/** x (n x dim) := the input of layer `layer`'s attention, from finite hidden states (n x dim) that enter layer 0;
 * computed in double by the layers before. */
ATTCERT_API attcert_status attcert_model_layer_input(double *x, const attcert_model *model, size_t layer,
                                                     const double *hidden, size_t n, attcert_error *err);

/** The same for a function of the layer: "attention" (that input), "sublayer", "block", "logits" (what enters the
 * layer) or "network" (what enters layer 0). */
ATTCERT_API attcert_status attcert_model_function_input(double *x, const attcert_model *model, const char *function,
                                                        size_t layer, const double *hidden, size_t n,
                                                        attcert_error *err);

/** y (n x dim) := such a function's value at finite x (n x dim), computed in double: nothing is certified. Errors:
 * ATTCERT_INPUT, ATTCERT_RESOURCE. */
ATTCERT_API attcert_status attcert_model_function_value(double *y, const attcert_model *model, const char *function,
                                                        size_t layer, const double *x, size_t n, attcert_error *err);

/* ---- handles: problems ------------------------------------------------------------------------------------------- */

/** A layer and its input: what is to be certified. */
typedef struct attcert_problem attcert_problem;

/** An empty problem; NULL when memory runs out. */
ATTCERT_API attcert_problem *attcert_problem_new(void);

/** Frees it, and no array that it borrowed; NULL is none. */
ATTCERT_API void attcert_problem_free(attcert_problem *problem);

/** Takes rows x cols doubles, row-major, by reference: they must outlive the problem and stay as they are while it is
 * used. Biases have one column. data = NULL takes the array away. Names and shapes, for H heads of dimension k:
 *
 *   input                                    n x d
 *   context                                  m x d_z     (may be left out: the input)
 *   query.weight                             H k x d
 *   key.weight, value.weight                 H k x d, with a context H k x d_z
 *   query.bias, key.bias, value.bias         H k x 1     (may be left out: zero)
 *   output.weight                            out x H k   (may be left out: the heads' outputs, concatenated)
 *   output.bias                              out x 1     (may be left out)
 *   score.bias                               n x n, queries by keys, or H n x n, head after head; with a context
 *                                            n x m, or H n x m (may be left out: zero)
 *
 * With a context the layer is cross-attention: the input's tokens ask, keys and values are of the context's, and what
 * is certified is the derivative by the tokens that attcert_problem_set_by names. score.bias is added to the scores;
 * -inf, which it alone may hold, is a key that takes no part in the query's row. With either attcert_enclose,
 * attcert_problem_certify, attcert_problem_check and attcert_problem_bounds go step by step (the engines auto, mpfr,
 * dense and random), and so does attcert_problem_forward; everything else refuses both, and the theory has no bounds
 * of cross-attention.
 *
 * Shapes and numbers are checked when the problem is used. Errors: ATTCERT_INPUT (no such name, sides of 0 or
 * above ATTCERT_SIDE_MAX). */
ATTCERT_API attcert_status attcert_problem_set_array(attcert_problem *problem, const char *name, const double *data,
                                                     size_t rows, size_t cols, attcert_error *err);

/** H, 1 unless set; it has to divide the rows of query.weight. */
ATTCERT_API attcert_status attcert_problem_set_heads(attcert_problem *problem, size_t heads, attcert_error *err);

/** "none", as a new problem has it, or "causal". */
ATTCERT_API attcert_status attcert_problem_set_mask(attcert_problem *problem, const char *mask, attcert_error *err);

/** What the derivative of cross-attention is by: "queries", the input X, as a new problem has it; "context", Z; or
 * "both", which is of the rows of X, then those of Z, all of max(d, d_z) entries, zeros behind their own: so is the
 * vector of a result, and one to check. */
ATTCERT_API attcert_status attcert_problem_set_by(attcert_problem *problem, const char *by, attcert_error *err);

/** Head h alone, without the output projection; -1: the whole layer. */
ATTCERT_API attcert_status attcert_problem_set_head(attcert_problem *problem, int head, attcert_error *err);

/** The weights, heads and mask of layer `layer` of a model, copied; the input that was set stays. Errors:
 * ATTCERT_INPUT, ATTCERT_RESOURCE; the problem then has no layer. */
ATTCERT_API attcert_status attcert_problem_load_layer(attcert_problem *problem, const attcert_model *model,
                                                      size_t layer, attcert_error *err);

/** The same from a weights file in the generic safetensors layout. num_heads: 0 where the file says it. */
ATTCERT_API attcert_status attcert_problem_load_weights(attcert_problem *problem, const char *path, size_t num_heads,
                                                        attcert_error *err);

/** The input from an .npy file. */
ATTCERT_API attcert_status attcert_problem_load_input(attcert_problem *problem, const char *path, attcert_error *err);

/** "tokens" (n), "dim" (d), "heads" (H), "head_dim" (k) or "out_dim"; 0: not known yet, -1 for another name. */
ATTCERT_API int attcert_problem_size(const attcert_problem *problem, const char *name);

/* ---- handles: the certified enclosure ---------------------------------------------------------------------------- */

/** *lower <= ||D_X f||_2 <= *upper. Both are 0 and infinity where nothing was found. Status: ATTCERT_OK;
 * ATTCERT_NEGATIVE when the options' tolerance is not met, and ATTCERT_RESOURCE when memory ended the run early, both
 * with valid ends; ATTCERT_INPUT, ATTCERT_FAULT, ATTCERT_CANCELLED. Where memory does not reach for the engine asked
 * for, the ends are those of the pointwise bound. */
ATTCERT_API attcert_status attcert_enclose(double *lower, double *upper, const attcert_problem *problem,
                                           const attcert_options *options, attcert_error *err);

/** What a run found; needs neither the problem nor the options any more. */
typedef struct attcert_result attcert_result;

/** The enclosure and all that goes with it. *result is NULL unless there is a valid enclosure: ATTCERT_OK,
 * ATTCERT_NEGATIVE (the tolerance is not met), ATTCERT_RESOURCE (ended early; attcert_result_incomplete says why). */
ATTCERT_API attcert_status attcert_problem_certify(attcert_result **result, const attcert_problem *problem,
                                                   const attcert_options *options, attcert_error *err);

/** The same, and the theory's bounds T1 - T10 on the ball around 0 of radius `radius` for each token; 0: the smallest
 * that holds the tokens. A ball that does not hold them is ATTCERT_INPUT. */
ATTCERT_API attcert_status attcert_problem_bounds(attcert_result **result, const attcert_problem *problem,
                                                  double radius, const attcert_options *options, attcert_error *err);

/** The same as attcert_problem_certify, and someone else's estimate against the enclosure: a number >= 0, decimal or
 * hexadecimal, as text. slack: relative distance at which it still counts as consistent. vector: the direction it came
 * from (rows x cols, the input's shape), whose own value is certified too; NULL: none. ATTCERT_NEGATIVE also where the
 * estimate is refuted. */
ATTCERT_API attcert_status attcert_problem_check(attcert_result **result, const attcert_problem *problem,
                                                 const char *estimate, double slack, const double *vector, size_t rows,
                                                 size_t cols, const attcert_options *options, attcert_error *err);

/** The same with a slack that the rounding of a format explains: "float64", "float32", "float16" or "bfloat16", which
 * the estimate was computed in. For n tokens in d dimensions, H heads of k and a largest score s it is
 * (1 + s) sqrt((d + k + n + H k) a^2 + 8 u^2), at most 1, u the format's unit roundoff and a that of its sums, 2^-24
 * for the 16-bit formats: a model of independent roundings, and no bound. */
ATTCERT_API attcert_status attcert_problem_check_dtype(attcert_result **result, const attcert_problem *problem,
                                                       const char *estimate, const char *dtype, const double *vector,
                                                       size_t rows, size_t cols, const attcert_options *options,
                                                       attcert_error *err);

/** The same as attcert_problem_certify, and the largest local constant of all inputs within `radius` of X.
 * ball: "sequence" (||X' - X||_F <= radius), "token" (every token by at most radius) or "entry" (every number). words:
 * the tokens that move: "all", or a list such as "0,movie" of numbers from 0 and of words that occur once among the
 * tokens that were set (attcert_problem_set_tokens); a word in double quotes may be a number or hold commas, and a
 * quote twice. */
ATTCERT_API attcert_status attcert_problem_ball(attcert_result **result, const attcert_problem *problem, double radius,
                                                const char *ball, const char *words, const attcert_options *options,
                                                attcert_error *err);

/** Certifies a function of a model's layer at x (n x dim): "attention", with its output projection; "sublayer", that
 * with the norm and the residual sum; "block", the whole layer; "network", all layers up to it; "logits", all layers
 * from it on and the model's head, to its scores (before a cap). Attention with standard heads is certified as
 * attcert_problem_certify does it; what has others (rotary positions, shared keys, windows) and the other functions
 * step by step, by the engines auto, mpfr, dense and random. Results and errors: as there. */
ATTCERT_API attcert_status attcert_model_certify(attcert_result **result, const attcert_model *model,
                                                 const char *function, size_t layer, const double *x, size_t n,
                                                 const attcert_options *options, attcert_error *err);

/** Frees it and all that its getters returned; NULL is none. */
ATTCERT_API void attcert_result_free(attcert_result *result);

/** The lower end, rounded down. */
ATTCERT_API double attcert_result_lower(const attcert_result *result);

/** The upper end, rounded up. */
ATTCERT_API double attcert_result_upper(const attcert_result *result);

/** (upper - lower) / upper, rounded up. */
ATTCERT_API double attcert_result_relative_width(const attcert_result *result);

/** What uncertified iteration in double says. */
ATTCERT_API double attcert_result_estimate(const attcert_result *result);

/** The direction whose image certifies the lower end, rows x cols = n x d, row-major. */
ATTCERT_API const double *attcert_result_vector(const attcert_result *result, size_t *rows, size_t *cols);

/** Whether the width asked for was reached; true when none was asked. */
ATTCERT_API bool attcert_result_tolerance_met(const attcert_result *result);

/** Why the run ended early, with the best valid bound so far; NULL: it did not. */
ATTCERT_API const char *attcert_result_incomplete(const attcert_result *result);

/** The engine whose upper end it is. */
ATTCERT_API const char *attcert_result_engine(const attcert_result *result);

/** The base-2 logarithm of the probability, over its random bits, that the upper end is wrong; -inf: it holds without
 * exception. */
ATTCERT_API double attcert_result_failure_log2(const attcert_result *result);

/** What was planned, and what was done otherwise; one line. */
ATTCERT_API const char *attcert_result_plan(const attcert_result *result);

/** The bits that were used. */
ATTCERT_API int attcert_result_precision(const attcert_result *result);

/** The certificate itself, with ends that MPFR holds. */
ATTCERT_API const attcert_certificate *attcert_result_certificate(const attcert_result *result);

/** The report as the command line writes it, JSON of the schema attcert/COMMAND/1. What came from memory has no name
 * and no file there. The ends of enclosures are doubles rounded outward, written as decimals that are: a reader's
 * doubles contain the truth, too. */
ATTCERT_API const char *attcert_result_json(const attcert_result *result);

/** The same as text for people. */
ATTCERT_API const char *attcert_result_text(const attcert_result *result);

/** How many bounds of the theory there are: 0 unless attcert_problem_bounds was asked. Below, i counts them from 0. */
ATTCERT_API size_t attcert_result_bound_count(const attcert_result *result);

/** "T1"; NULL: there is no bound i. */
ATTCERT_API const char *attcert_result_bound_id(const attcert_result *result, size_t i);

/** Such as "pointwise bound"; NULL: there is no bound i. */
ATTCERT_API const char *attcert_result_bound_title(const attcert_result *result, size_t i);

/** Where it holds, or why it is not available; NULL: there is no bound i. */
ATTCERT_API const char *attcert_result_bound_applies(const attcert_result *result, size_t i);

/** Its value, rounded outward; NaN where it is not available. */
ATTCERT_API double attcert_result_bound_value(const attcert_result *result, size_t i);

/** Whether it bounds the Lipschitz constant on the ball from below; the others do from above. */
ATTCERT_API bool attcert_result_bound_is_lower(const attcert_result *result, size_t i);

/** Where the estimate of attcert_problem_check is: "inside", "below" or "above"; NULL: none was checked. */
ATTCERT_API const char *attcert_result_verdict(const attcert_result *result);

/** Whether that estimate stands; false where none was checked. */
ATTCERT_API bool attcert_result_consistent(const attcert_result *result);

/** The format, as attcert_problem_check_dtype names it, whose rounding explains its distance from the enclosure, the
 * finest such; NULL: it is inside, or none does. */
ATTCERT_API const char *attcert_result_within_rounding_of(const attcert_result *result);

/** The slack that it was checked with; NaN where none was checked. */
ATTCERT_API double attcert_result_slack(const attcert_result *result);

/** Its relative distance from the enclosure, rounded up; NaN where none was checked. */
ATTCERT_API double attcert_result_gap(const attcert_result *result);

/** At most ||J u|| / ||u|| of the direction u that was given with it; NaN: none was. */
ATTCERT_API double attcert_result_direction_lower(const attcert_result *result);

/** At least that; NaN: none was given. */
ATTCERT_API double attcert_result_direction_upper(const attcert_result *result);

/** At most sup { ||D_X' f|| : X' in the ball } of attcert_problem_ball; NaN: none, or attcert_result_ball_missing. */
ATTCERT_API double attcert_result_ball_lower(const attcert_result *result);

/** At least that, and so a Lipschitz constant of f on the ball; NaN likewise. */
ATTCERT_API double attcert_result_ball_upper(const attcert_result *result);

/** Why there is no bound on the ball that was asked for: memory; NULL otherwise. */
ATTCERT_API const char *attcert_result_ball_missing(const attcert_result *result);

/** The theorem behind its upper end, such as "T11"; NULL: no ball. */
ATTCERT_API const char *attcert_result_ball_theorem(const attcert_result *result);

/** An input of the ball, rows x cols = n x d, whose local constant is at least the lower end; NULL: no ball. */
ATTCERT_API const double *attcert_result_ball_input(const attcert_result *result, size_t *rows, size_t *cols);

/* ---- handles: the layer and its derivatives in plain double ------------------------------------------------------ */

/** As attcert_layer_forward: y is n x out_dim, row-major. */
ATTCERT_API attcert_status attcert_problem_forward(double *y, const attcert_problem *problem, attcert_error *err);

/** As attcert_layer_jvp: dy is n x out_dim, dx is n x d. */
ATTCERT_API attcert_status attcert_problem_jvp(double *dy, const attcert_problem *problem, const double *dx,
                                               attcert_error *err);

/** As attcert_layer_vjp: dx is n x d, dy is n x out_dim. */
ATTCERT_API attcert_status attcert_problem_vjp(double *dx, const attcert_problem *problem, const double *dy,
                                               attcert_error *err);

/** As attcert_layer_jacobian: (n out_dim) x (n d). */
ATTCERT_API attcert_status attcert_problem_jacobian(double *jacobian, const attcert_problem *problem,
                                                    attcert_error *err);

/* ---- handles: a whole network's answer --------------------------------------------------------------------------- */

/** Whether any input of a ball changes the answer of a model: the question, and then what was found. */
typedef struct attcert_robustness attcert_robustness;

/** The question about finite hidden states (rows x cols = n x dim, copied) that enter layer 0, of tokens without
 * padding; the model's weights are copied. Which answer is meant follows from the class that config.json names in
 * 'architectures': the next token, or the label of a sequence with the largest score (multi-label: the sign of each
 * label's score).
 * *robustness is NULL on failure. Errors: ATTCERT_INPUT (a class with another head among them), ATTCERT_RESOURCE. */
ATTCERT_API attcert_status attcert_robustness_new(attcert_robustness **robustness, const attcert_model *model,
                                                  const double *hidden, size_t rows, size_t cols, attcert_error *err);

/** The same of a classifier of tokens, or of a masked one, for the token with this index, from 0 (-1: neither), and
 * of a folder whose class is `architecture`, such as "GPT2LMHeadModel", where config.json names none or a bare model
 * (NULL: as it says). Errors: those of attcert_robustness_new. */
ATTCERT_API attcert_status attcert_robustness_new_of(attcert_robustness **robustness, const attcert_model *model,
                                                     const double *hidden, size_t rows, size_t cols,
                                                     const char *architecture, int token, attcert_error *err);

/** Frees it and all that its getters returned; NULL is none. */
ATTCERT_API void attcert_robustness_free(attcert_robustness *robustness);

/** "radius" (of the ball; 0, as a new question has it: search for the largest), "relative" (how close
 * the search goes, 0.01), "label" (the class whose margin counts; -1: the one the model gives; multi-label: the label
 * whose sign counts; -1: all), "attack" (steps of each ascent for an input that flips, 0 for none; 40), "ulp" (how far
 * the functions of an execution are off; 4), "enumerate" (how many combinations of choices are enclosed one by one, at
 * most; 64).
 * Errors: ATTCERT_INPUT. */
ATTCERT_API attcert_status attcert_robustness_set_number(attcert_robustness *robustness, const char *name, double value,
                                                         attcert_error *err);

/** "ball" (what the radius bounds, as attcert_problem_ball takes it; a new question has "sequence"), "norm" (in which:
 * "2" and "1", of all tokens together or of each, as the ball says, "inf", of every entry; a new question has 2, of the
 * ball "entry" inf; which contradict each other is told by attcert_robustness_decide), "words" (the
 * tokens that move: "all" or a list likewise), "label" (its number, or its name in config.json's id2label) or
 * "execution" (exact, float64, float32, float16, bfloat16; what an execution in a format may do is in attcert(1) and in
 * the report). */
ATTCERT_API attcert_status attcert_robustness_set_text(attcert_robustness *robustness, const char *name,
                                                       const char *value, attcert_error *err);

/** Which entries of the hidden states (rows x cols, as they are) move, of the words that do; copied. NULL: all. Errors:
 * ATTCERT_INPUT, ATTCERT_RESOURCE. */
ATTCERT_API attcert_status attcert_robustness_set_mask(attcert_robustness *robustness, const bool *moves, size_t rows,
                                                       size_t cols, attcert_error *err);

/** Which pairs of tokens every block's attention has, beside the model's own, once for a question: a key takes part
 * where both masks say so, and biases are added to the scores. mask (masks x rows x rows, of the hidden states): true
 * where the key, a column, takes part in a row; bias (biases x rows x rows): finite, or -infinity where it takes none.
 * masks, biases: 1, or one a head; 0 with NULL: none. Copied. Errors: ATTCERT_INPUT (a token without a key among them),
 * ATTCERT_RESOURCE; a new question is then due. */
ATTCERT_API attcert_status attcert_robustness_set_pairs(attcert_robustness *robustness, const bool *mask, size_t masks,
                                                        const double *bias, size_t biases, attcert_error *err);

/** In place of a ball: each entry from least to most (rows x cols, as the hidden states are, which must be inside); no
 * radius counts, "certified" and "refuted" are 1 and 0, or 0 and infinity. Copied; NULL for both: a ball again. Errors:
 * ATTCERT_INPUT, ATTCERT_RESOURCE. */
ATTCERT_API attcert_status attcert_robustness_set_box(attcert_robustness *robustness, const double *least,
                                                      const double *most, size_t rows, size_t cols, attcert_error *err);

/** In place of a ball: rows (count x cols, finite) that may stand for that of a token, from 0, such as hidden states
 * of synonyms; its own may, too. Asked is whether every combination has the same answer; "certified" and "refuted" are
 * as of a box. Copied; count = 0: none. Errors: ATTCERT_INPUT, ATTCERT_RESOURCE. */
ATTCERT_API attcert_status attcert_robustness_set_choices(attcert_robustness *robustness, size_t token,
                                                          const double *states, size_t count, size_t cols,
                                                          attcert_error *err);

/** Answers. Of the options, memory_limit and progress count. ATTCERT_OK: certified; ATTCERT_NEGATIVE: refuted by an
 * input; ATTCERT_UNDECIDED: neither; otherwise there is no answer. */
ATTCERT_API attcert_status attcert_robustness_decide(attcert_robustness *robustness, const attcert_options *options,
                                                     attcert_error *err);

/** Numbers of the answer: "label", "rival" (multi-label: the one asked about, -1 for all, and the one whose sign is
 * closest to changing), "margin_lower", "margin_upper", "gradient_lower", "gradient_upper", "certified" (radius,
 * rounded down; 0: none), "refuted" (radius, rounded up; infinity: none), "first_order" (an estimate); NaN for another
 * name or before there is an answer. */
ATTCERT_API double attcert_robustness_number(const attcert_robustness *robustness, const char *name);

/** The input of the refuted radius, rows x cols = n x dim; NULL: none. */
ATTCERT_API const double *attcert_robustness_counterexample(const attcert_robustness *robustness, size_t *rows,
                                                            size_t *cols);

/** The JSON report of `attcert robust`; NULL before there is an answer. */
ATTCERT_API const char *attcert_robustness_json(const attcert_robustness *robustness);

/** The same as text for people. */
ATTCERT_API const char *attcert_robustness_text(const attcert_robustness *robustness);

/* ---- handles: a whole network's answer at an input --------------------------------------------------------------- */

/** The certified answer of a model at an input: the question, and then what was found. */
typedef struct attcert_prediction attcert_prediction;

/** As `token`: an answer for each token. */
enum { ATTCERT_EVERY_TOKEN = -2 };

/** The question about hidden states, of a model and a class, as attcert_robustness_new_of takes them. token: of a
 * classifier of tokens or a masked one, that one; -1: neither; ATTCERT_EVERY_TOKEN: each,
 * of classifiers of tokens and of decoders, whose next tokens are asked about. *prediction is NULL on failure. Errors:
 * ATTCERT_INPUT, ATTCERT_RESOURCE. */
ATTCERT_API attcert_status attcert_prediction_new(attcert_prediction **prediction, const attcert_model *model,
                                                  const double *hidden, size_t rows, size_t cols,
                                                  const char *architecture, int token, attcert_error *err);

/** Frees it and all that its getters returned; NULL is none. */
ATTCERT_API void attcert_prediction_free(attcert_prediction *prediction);

/** Answers. top: how many of the largest scores reports tell, at least 1; multi-label: all. Of the options, progress
 * counts. ATTCERT_OK: every answer is certain; ATTCERT_UNDECIDED: not every one; otherwise there is no answer. */
ATTCERT_API attcert_status attcert_prediction_decide(attcert_prediction *prediction, size_t top,
                                                     const attcert_options *options, attcert_error *err);

/** As attcert_robustness_set_pairs. */
ATTCERT_API attcert_status attcert_prediction_set_pairs(attcert_prediction *prediction, const bool *mask, size_t masks,
                                                        const double *bias, size_t biases, attcert_error *err);

/** How many answers there are: 1, or one for each token; 0 before there is one. */
ATTCERT_API size_t attcert_prediction_count(const attcert_prediction *prediction);

/** Of answer i, from 0: "label", "rival" (multi-label: -1, and the one whose sign is closest to changing),
 * "margin_lower" and "margin_upper" (of the label's score over the largest other; multi-label: of the smallest score
 * from 0); the answer is certain where the lower one is positive. NaN for another name, or where there is none. */
ATTCERT_API double attcert_prediction_number(const attcert_prediction *prediction, size_t i, const char *name);

/** The JSON report of `attcert predict`, without the texts of next tokens (attcert_tokens_new has these); NULL before
 * there is an answer. */
ATTCERT_API const char *attcert_prediction_json(const attcert_prediction *prediction);

/** The same as text for people. */
ATTCERT_API const char *attcert_prediction_text(const attcert_prediction *prediction);

/* ---- handles: tokens --------------------------------------------------------------------------------------------- */

/** The tokens of a model's input, with the texts that the vocabulary has for them. */
typedef struct attcert_tokens attcert_tokens;

/** The tokens of a text file from `offset` on. n: how many, special ones included; 0: all of them. special: [CLS] and
 * [SEP], or their like, go around the text, where the tokenizer has some. tokenizer: a folder or file; NULL: the model
 * folder's, bytes for random models. *tokens is NULL on failure. Errors: ATTCERT_INPUT, ATTCERT_RESOURCE. */
ATTCERT_API attcert_status attcert_tokens_read(attcert_tokens **tokens, const attcert_model *model,
                                               const char *tokenizer, const char *text_path, size_t n, size_t offset,
                                               bool special, attcert_error *err);

/** n tokens by their ids. tokenizer: whose texts they have; NULL: the model folder's, and none where it has none.
 * Whether the model has such tokens is said by attcert_model_hidden_states. *tokens is NULL on failure. Errors:
 * ATTCERT_INPUT, ATTCERT_RESOURCE. */
ATTCERT_API attcert_status attcert_tokens_new(attcert_tokens **tokens, const attcert_model *model,
                                              const char *tokenizer, const int *ids, size_t n, attcert_error *err);

/** Frees it and all that its getters returned; NULL is none. */
ATTCERT_API void attcert_tokens_free(attcert_tokens *tokens);

/** How many; below, i counts them from 0. */
ATTCERT_API size_t attcert_tokens_count(const attcert_tokens *tokens);

/** Their ids, for attcert_model_hidden_states. */
ATTCERT_API const int *attcert_tokens_ids(const attcert_tokens *tokens);

/** The text of token i as reports show it: as the vocabulary has it, control characters escaped; NULL: not known, or
 * there is no token i. */
ATTCERT_API const char *attcert_tokens_text(const attcert_tokens *tokens, size_t i);

/** Whether special tokens were added to a text. */
ATTCERT_API bool attcert_tokens_special(const attcert_tokens *tokens);

/** What tokens the input is of, which is set already: reports list them, and words may name them. They are copied; a
 * new input takes them away, and so does NULL. Errors: ATTCERT_INPUT (not one for each row), ATTCERT_RESOURCE. */
ATTCERT_API attcert_status attcert_problem_set_tokens(attcert_problem *problem, const attcert_tokens *tokens,
                                                      attcert_error *err);

/** What tokens the hidden states are of: reports list them, and words may name them. They are copied; NULL takes them
 * away. Errors: ATTCERT_INPUT (not one for each row; padding that moves the token whose scores count),
 * ATTCERT_RESOURCE. */
ATTCERT_API attcert_status attcert_robustness_set_tokens(attcert_robustness *robustness, const attcert_tokens *tokens,
                                                         attcert_error *err);

/** The same of a prediction's. */
ATTCERT_API attcert_status attcert_prediction_set_tokens(attcert_prediction *prediction, const attcert_tokens *tokens,
                                                         attcert_error *err);

#endif

#ifdef __cplusplus
}
#endif

#endif
