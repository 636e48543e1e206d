/* A problem's arrays, borrowed or loaded, and the layer and input that they make. */
#ifndef ATTCERT_API_PROBLEM_H
#define ATTCERT_API_PROBLEM_H

#include "attcert.h"
#include "model/cross_attention.h"
#include "network/attention/attention_pairs.h"
#include "report/subject.h"

/* In the order of problem_names. */
typedef enum {
  PROBLEM_INPUT,
  PROBLEM_QUERY_WEIGHT,
  PROBLEM_KEY_WEIGHT,
  PROBLEM_VALUE_WEIGHT,
  PROBLEM_OUTPUT_WEIGHT,
  PROBLEM_QUERY_BIAS,
  PROBLEM_KEY_BIAS,
  PROBLEM_VALUE_BIAS,
  PROBLEM_OUTPUT_BIAS,
  PROBLEM_ARRAYS
} problem_array;

typedef struct {
  const double *data; /* NULL: not there */
  size_t rows, cols;
} problem_numbers;

struct attcert_problem {
  problem_numbers array[PROBLEM_ARRAYS];
  problem_numbers score_bias; /* of pairs, [n or heads n, keys] */
  problem_numbers context;    /* whose tokens are keys and values; no data: the input's */
  cross_by by;                /* with it */
  size_t heads;
  attcert_mask mask;
  int head;                      /* REPORT_WHOLE_LAYER, or one alone */
  attcert_layer loaded;          /* what some of the arrays are of; empty: nothing was loaded */
  attcert_matrix loaded_input;   /* likewise */
  char *layer_name, *input_name; /* where they were loaded from; NULL: memory */
  report_subject layer_subject;  /* of a loaded layer: its source and its files */
  char input_sha256[65];         /* of a loaded input */
  token_list tokens;             /* of the input; empty: not known */
};

/* Of a layer's array: its shape, without data, and the layer's pointer to it. */
problem_numbers problem_shape(problem_array i, const attcert_layer *layer);
double **problem_member(attcert_layer *layer, problem_array i);

/* A problem as the certifier takes it. */
typedef struct {
  attcert_layer layer; /* borrowed from the problem, or `head` */
  attcert_matrix x;    /* borrowed */
  attcert_layer head;  /* a head alone, copied; empty: the whole layer */
  bool has_steps;      /* what is certified is `steps`, the layer with biases of its scores or to a context */
  network_steps steps;
  attcert_matrix moving; /* with a context: their input, which is also in x */
  report_subject subject;
} problem_view;

/* The weights' shapes fit each other when this returns ATTCERT_OK; the input's and the numbers are for
 * attcert_layer_check, which every function that takes a layer calls. problem_view_clear is due in every case; the
 * problem must outlive the view. Errors: ATTCERT_INPUT, ATTCERT_RESOURCE. */
attcert_status problem_view_init(problem_view *view, const attcert_problem *problem, attcert_error *err);

/* The same for what goes by steps, too, of a problem whose scores are biased, or that has a context; problem_view_init
 * refuses these. */
attcert_status problem_view_init_steps(problem_view *view, const attcert_problem *problem, attcert_error *err);
void problem_view_clear(problem_view *view);

#endif
