/* A network as a list of steps, each of which reads values before it. Whatever is asked of a network goes through the
 * list: values here, forms, gradients and executions in src/robust. */
#ifndef ATTCERT_NETWORK_NETWORK_H
#define ATTCERT_NETWORK_NETWORK_H

#include "network/step.h"

typedef struct {
  int tokens, dim; /* of value 0, the input */
  step *step;      /* value k + 1 is the output of step k */
  int count;
  void **owned; /* weights and other parameters of the steps */
  int owned_count;
  size_t capacity, owned_capacity;
} network_steps;

void network_clear(network_steps *network);

/* Sides of a value; the last one's number is network->count. */
int network_rows(const network_steps *network, int value);
int network_cols(const network_steps *network, int value);

/* Entries of a value, and of the one that has most. */
size_t network_entries(const network_steps *network, int value);
size_t network_most_entries(const network_steps *network);

/* last[v] = the last step that reads value v, [steps + 1]; -1: none. */
void network_last_uses(int *last, const network_steps *network);

/* value[s + 1] (initialised here, cleared by the caller) := step s of values before it. Errors: ATTCERT_RESOURCE. */
attcert_status network_value(attcert_matrix *value, const network_steps *network, int s, attcert_error *err);

/* The same in intervals of the scratch's precision; value[0] := the exact numbers x. Errors: ATTCERT_RESOURCE. */
attcert_status network_enclose_input(step_enclosure *value, const attcert_matrix *x, const step_scratch *scratch,
                                     attcert_error *err);
attcert_status network_enclose(step_enclosure *value, const network_steps *network, int s, step_scratch *scratch,
                               attcert_error *err);

/* Of all steps before step `end`, from the input on: value [end + 1]. */
attcert_status network_enclose_values(step_enclosure *value, const network_steps *network, int end,
                                      const attcert_matrix *x, step_scratch *scratch, attcert_error *err);

/* The cotangents of step s's inputs += what it sends back of its own, slope[s + 1]: slope[v] is of value v, of its
 * shape, and begins as zeros where it has no entries yet. Errors: ATTCERT_RESOURCE. */
attcert_status network_enclose_pull_back(step_enclosure *slope, const step_enclosure *value,
                                         const network_steps *network, int s, step_scratch *scratch,
                                         attcert_error *err);

/* The same from the last step to the first, which leaves slope[0]; the others are cleared on the way. */
attcert_status network_enclose_slope(step_enclosure *slope, const step_enclosure *value, const network_steps *network,
                                     step_scratch *scratch, attcert_error *err);

/* ---- building ---------------------------------------------------------------------------------------------------- */

typedef struct {
  network_steps *network;
  attcert_error *err;
  int layer;             /* of the steps that follow */
  attcert_status status; /* of the first call that failed: whatever follows does nothing */
  attcert_matrix *value; /* [values]: of steps that run as they are added; NULL: they do not */
  size_t values;
} network_builder;

/* One step more, of the builder's layer; sides of 0 are those of its first input. Returns its value's number, 0 where
 * anything failed. */
int network_add(network_builder *b, step s);

/* Zeros that the network owns; NULL where anything failed. */
void *network_new(network_builder *b, size_t count, size_t element);

/* A copy that it owns; NULL where anything failed. */
const void *network_copy(network_builder *b, const void *of, size_t bytes);

/* The network owns the memory from now on; of steps that run as they are added it is released at once: they were added
 * before. */
void network_own(network_builder *b, void *memory);

/* ---- steps that run as they are added, so that no more weights are in memory than a step's ----------------------- */

/* An empty list at value 0 = x, which stays the caller's. */
network_builder network_run(network_steps *network, attcert_matrix *x, attcert_error *err);

/* x becomes the value of that number, unless anything failed; the list is cleared. Returns the builder's status. */
attcert_status network_run_end(attcert_matrix *x, network_builder *b, int value);

#endif
