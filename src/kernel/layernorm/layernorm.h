/* LayerNorm of one token x in R^d, and its Jacobian:
 *
 *   LN(x) = gamma * z + beta,  z = (x - mean(x)) / s,  s = sqrt(var(x) + eps),  var(x) = |x - mean(x)|^2 / d,
 *   D LN = diag(gamma) / s (I - 1 1^T / d - z z^T / d). */
#ifndef ATTCERT_KERNEL_LAYERNORM_LAYERNORM_H
#define ATTCERT_KERNEL_LAYERNORM_LAYERNORM_H

#ifdef __FRAMAC__
#include "attention/layernorm_lemmas.acsl"
#endif

/* z (in R^d) = the standardised token, d >= 1 and eps > 0; returns s > 0. z may be x. */
/*@ requires side: side(d) && 1 <= d;
    requires eps: 0.0 < eps;
    requires valid: \valid(z + (0 .. d - 1)) && \valid_read(x + (0 .. d - 1));
    requires alias: z == x || \separated(z + (0 .. d - 1), x + (0 .. d - 1));
    terminates \true;
    assigns z[0 .. d - 1];
    ensures scale: \result == layernorm_scale{Pre}(x, eps, d) && 0.0 < \result;
    ensures result: \forall integer a; 0 <= a < d ==> z[a] == standardized{Pre}(x, eps, d, a); */
double layernorm_standardize(double *z, const double *x, double eps, int d);

/* out (n x d) = LN of each row of x (n x d); gamma and beta in R^d, eps > 0. out may be x. */
/*@ requires sides: side(n) && side(d) && 1 <= d;
    requires eps: 0.0 < eps;
    requires valid: \valid(out + (0 .. row(n, d) - 1)) && \valid_read(x + (0 .. row(n, d) - 1));
    requires valid_weights: \valid_read(gamma + (0 .. d - 1)) && \valid_read(beta + (0 .. d - 1));
    requires alias: out == x || \separated(out + (0 .. row(n, d) - 1), x + (0 .. row(n, d) - 1));
    requires separated: \separated(out + (0 .. row(n, d) - 1), gamma + (0 .. d - 1)) &&
                        \separated(out + (0 .. row(n, d) - 1), beta + (0 .. d - 1));
    terminates \true;
    assigns out[0 .. row(n, d) - 1];
    ensures result: \forall integer i, a; 0 <= i < n ==> 0 <= a < d ==>
                    out[row(i, d) + a] == layernorm{Pre}(x + row(i, d), gamma, beta, eps, d, a); */
void layernorm_rows(double *out, const double *x, int n, int d, const double *gamma, const double *beta, double eps);

/* The d x d Jacobian at the token with z and s of layernorm_standardize. */
/*@ requires side: side(d) && 1 <= d;
    requires scale: 0.0 < s;
    requires valid: \valid(jacobian + (0 .. row(d, d) - 1));
    requires valid_read: \valid_read(gamma + (0 .. d - 1)) && \valid_read(z + (0 .. d - 1));
    requires separated: \separated(jacobian + (0 .. row(d, d) - 1), gamma + (0 .. d - 1)) &&
                        \separated(jacobian + (0 .. row(d, d) - 1), z + (0 .. d - 1));
    terminates \true;
    assigns jacobian[0 .. row(d, d) - 1];
    ensures result: \forall integer a, b; 0 <= a < d ==> 0 <= b < d ==>
                    jacobian[row(a, d) + b] == layernorm_jacobian{Pre}(gamma, z, s, d, a, b); */
void layernorm_jacobian(double *jacobian, const double *gamma, const double *z, double s, int d);

/* dy = D LN dx at that token, in O(d). */
/*@ requires side: side(d) && 1 <= d;
    requires scale: 0.0 < s;
    requires valid: \valid(dy + (0 .. d - 1)) && \valid_read(dx + (0 .. d - 1));
    requires valid_read: \valid_read(gamma + (0 .. d - 1)) && \valid_read(z + (0 .. d - 1));
    requires separated: \separated(dy + (0 .. d - 1), dx + (0 .. d - 1));
    requires separated_read: \separated(dy + (0 .. d - 1), gamma + (0 .. d - 1)) &&
                             \separated(dy + (0 .. d - 1), z + (0 .. d - 1));
    terminates \true;
    assigns dy[0 .. d - 1];
    ensures result: \forall integer a; 0 <= a < d ==> dy[a] == layernorm_jvp{Pre}(gamma, z, s, dx, d, a); */
void layernorm_jvp(double *dy, const double *gamma, const double *z, double s, const double *dx, int d);

/* dx = (D LN)^T c at that token, in O(d). */
/*@ requires side: side(d) && 1 <= d;
    requires scale: 0.0 < s;
    requires valid: \valid(dx + (0 .. d - 1)) && \valid_read(c + (0 .. d - 1));
    requires valid_read: \valid_read(gamma + (0 .. d - 1)) && \valid_read(z + (0 .. d - 1));
    requires separated: \separated(dx + (0 .. d - 1), c + (0 .. d - 1));
    requires separated_read: \separated(dx + (0 .. d - 1), gamma + (0 .. d - 1)) &&
                             \separated(dx + (0 .. d - 1), z + (0 .. d - 1));
    terminates \true;
    assigns dx[0 .. d - 1];
    ensures result: \forall integer b; 0 <= b < d ==> dx[b] == layernorm_vjp{Pre}(gamma, z, s, c, d, b); */
void layernorm_vjp(double *dx, const double *gamma, const double *z, double s, const double *c, int d);

#endif
