/* A random layer and input with what the kernel makes of it. Every buffer has exactly the size that the kernel asks
 * for, so that a sanitizer sees the first double too many. */
#ifndef ATTCERT_TESTS_SUPPORT_KERNEL_CASE_H
#define ATTCERT_TESTS_SUPPORT_KERNEL_CASE_H

#include "kernel/layer/attention.h"
#include "random_layer.h"

typedef struct {
  layer_case input; /* the layer and X */
  int n, dim, out_dim;
  attention_state state;
} kernel_case;

/* Shapes of every kind in turn: both masks, with and without biases and W_O, 1 to 3 heads, n from 1. */
enum { KERNEL_CASES = 96 };
void kernel_case_init(kernel_case *c, int index);
void kernel_case_init_shape(kernel_case *c, const layer_shape *shape, int index);
void kernel_case_clear(kernel_case *c);

double *new_doubles(size_t count); /* NaN, so that reading what nobody wrote shows; never NULL */

/* Freshly allocated results: f(X), J, J dx, J^T cotangent. */
double *kernel_case_forward(const kernel_case *c);
double *kernel_case_jacobian(const kernel_case *c);
double *kernel_case_jvp(const kernel_case *c, const double *dx);
double *kernel_case_vjp(const kernel_case *c, const double *cotangent);

#endif
