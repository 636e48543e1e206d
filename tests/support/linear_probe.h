/* How well a linear map of the features predicts a class: least squares on one-hot classes (with intercept and a small
 * ridge) fitted to one half of the samples, counted on the other. Tests what hidden states know without the model's own
 * output map. */
#ifndef ATTCERT_TESTS_SUPPORT_LINEAR_PROBE_H
#define ATTCERT_TESTS_SUPPORT_LINEAR_PROBE_H

/* features: count x dim; label[i] in 0 .. classes - 1. Fits on the first half, returns the share of the second half
 * whose largest score is the label's. */
double linear_probe_accuracy(const double *features, const int *label, int count, int dim, int classes);

#endif
