#include "report/robust/robust_report.h"

/* In short what network/step_execution.h and attcert(1) say. */
const char *const robust_report_covered[] = {
    "weights and input rounded to the format; sums in any order, FMA or not, in float32 (of float64: in float64)",
    "halves: W x before its bias, constants, and results inside of activations, scores and softmax, stored or not",
    "GELU: x/2 (1 + erf or tanh), x Phi(x), x times a logistic function, its products in any order",
    "attention: scaled before or after q . k; softmax less the largest score, or rescaled by blocks of 16 keys or more",
    "LayerNorm, one kernel: centered squares, updates (Welford), merged parts, mean of squares less squared mean",
    "exp, erf, tanh, powers, 1/sqrt and such within the ulps",
    NULL};

const char *const robust_report_excluded[] = {
    "partial sums in less than float32 (PyTorch's reduced-precision reductions), TF32, products of Strassen's kind",
    "LayerNorm whose results inside are stored in bfloat16 or float16",
    "softmax without the largest score, or merged from parts by the logarithms of their sums",
    "another format for some weights or steps (autocast, quantisation)", NULL};

double robust_report_execution_error(const robust_report *r) {
  const range executed = r->verdict->executed, exact = r->verdict->center.margin;
  if (!range_finite(executed)) return INFINITY;
  return range_larger(range_up(executed.hi - exact.lo), range_up(exact.hi - executed.lo));
}

const char *robust_report_claim_function(const robust_report *r) {
  return r->ball->format != NULL ? ROBUST_CLAIM_EXECUTION : ROBUST_CLAIM_FUNCTION;
}
