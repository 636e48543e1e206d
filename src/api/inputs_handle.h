/* The inputs that a question about a network is about, beside a ball of words: what a caller has set of them. */
#ifndef ATTCERT_API_INPUTS_HANDLE_H
#define ATTCERT_API_INPUTS_HANDLE_H

#include "robust/choices.h"
#include "robust/region.h"

typedef struct {
  bool *mask;            /* n x d; NULL: none */
  double *least, *most;  /* n x d, of a box; NULL: none */
  double **choice;       /* [n]: rows in place of each token's; NULL: none */
  size_t *choice_counts; /* [n] */
  int enumerate;
  robust_region region; /* what the ball points to */
  robust_choices choices;
} inputs_handle;

/* For n tokens. Errors: ATTCERT_RESOURCE. inputs_handle_clear is due in every case, with the same n. */
attcert_status inputs_handle_init(inputs_handle *h, int n, attcert_error *err);
void inputs_handle_clear(inputs_handle *h, int n);

/* Copies; NULL takes it away. x: the input, whose shape rows x cols must be. Errors: ATTCERT_INPUT,
 * ATTCERT_RESOURCE. */
attcert_status inputs_handle_set_mask(inputs_handle *h, const attcert_matrix *x, const bool *moves, size_t rows,
                                      size_t cols, attcert_error *err);
attcert_status inputs_handle_set_box(inputs_handle *h, const attcert_matrix *x, const double *least, const double *most,
                                     size_t rows, size_t cols, attcert_error *err);
attcert_status inputs_handle_set_choices(inputs_handle *h, const attcert_matrix *x, size_t token, const double *states,
                                         size_t count, size_t cols, attcert_error *err);

/* Whether choices were set of some token. */
bool inputs_handle_chooses(const inputs_handle *h, int n);

/* The ball (its input, label and words are set) as the caller wants it. Errors: ATTCERT_INPUT (what contradicts, or
 * does not fit), ATTCERT_RESOURCE. */
attcert_status inputs_handle_settle(inputs_handle *h, robust_ball *ball, const network_steps *network,
                                    attcert_error *err);

#endif
