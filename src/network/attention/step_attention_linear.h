/* The derivative of attention as doubles, for products with it; step_attention_linear.c has the formulas. */
#ifndef ATTCERT_NETWORK_ATTENTION_STEP_ATTENTION_LINEAR_H
#define ATTCERT_NETWORK_ATTENTION_STEP_ATTENTION_LINEAR_H

#include "network/attention/step_attention.h"

/* What l->number holds. */
typedef struct {
  const attention_heads *of;
  int rows, keys, group; /* heads of queries for each of keys */
  int query_cols, key_cols, value_cols, out_cols;
  double *weight, *slope;          /* [heads][rows][keys]: P_ij, c'_ij, zero where a row does not attend */
  double *query, *key;             /* [rows][heads head_dim], [keys][key_heads head_dim]: divided by kappa */
  double *value;                   /* [keys][key_heads value_dim]: v_j - r */
  double *query_shift, *key_shift; /* of attention_shifts, divided by kappa; NULL: zeros */
  size_t count;                    /* of all */
} attention_linear;

/* Where l->number is NULL, `count` alone. */
attention_linear attention_linear_of(const step_linear *l);

/* Where those of head h and row i begin in `weight` and `slope`. */
size_t attention_linear_weights(const attention_linear *p, int h, int i);

/* How many vectors a shift has. */
size_t attention_linear_shifts(const attention_heads *of);

/* Of the largest of a kind of numbers, what is added to the bounds of all. */
#define ATTENTION_LINEAR_FLOOR 0x1p-60

/* Upper bounds of lengths and sizes, and of what is missed of them: relatively. */
typedef struct {
  double *key, *query, *value;     /* kappa_j [keys][key_heads], chi_i [rows][heads], nu_j [keys][key_heads] */
  double *query_shift, *key_shift; /* [2 span - 1][heads]: ||w|| / kappa, ||u|| / kappa */
  double *column[3];               /* [keys]: sums of columns of a, of B, of the blocks by dk */
  double *output;                  /* [value_dim]: y_i - r */
  double tau_weight, tau_slope, tau_key, tau_query, tau_value;
} attention_linear_bounds;

/* l->size, from the numbers and their bounds, whose `column` and `output` it uses. Errors: ATTCERT_RESOURCE. */
attcert_status attention_linear_sizes(step_linear *l, const attention_linear *p, attention_linear_bounds *b,
                                      attcert_error *err);

#endif
