/* Inputs that Eva takes for whole intervals. A file of its own: the contract of Frama-C's builtin is what makes them
 * so, while the kernel is analysed without its contracts. */
#include "any_vector.h"

#include <__fc_builtin.h>

void any_vector(double *a, int n, double radius) {
  for (int i = 0; i < n; i++) a[i] = Frama_C_double_interval(-radius, radius);
}
