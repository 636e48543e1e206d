/* A whole network with its input, which the handles that ask about one hold. */
#ifndef ATTCERT_API_NETWORK_HANDLE_H
#define ATTCERT_API_NETWORK_HANDLE_H

#include "attcert.h"
#include "report/subject.h"
#include "robust/network.h"

typedef struct {
  model_head head;
  robust_network network;
  attcert_matrix x;
  char *spec; /* of the model, for the report */
  report_subject subject;
  enum { PAIRS_OWN, PAIRS_SET, PAIRS_REFUSED } pairs; /* beside those of the model */
} network_handle;

/* What of the model is asked about. */
typedef struct {
  const char *architecture; /* NULL: as config.json says */
  int token;                /* HEAD_TOKEN_UNASKED: none */
  bool every_token;         /* the head looks at each */
} network_handle_head;

/* Hidden states as a caller gives them, rows x cols. */
typedef struct {
  const double *hidden;
  size_t rows, cols;
} network_handle_input;

/* Copies the hidden states, which are checked, and the model's weights. m, hidden: may be NULL, which is refused.
 * Errors: ATTCERT_INPUT, ATTCERT_RESOURCE. network_handle_clear is due in every case. */
attcert_status network_handle_open(network_handle *h, const attcert_model *m, const network_handle_input *input,
                                   const network_handle_head *asked, attcert_error *err);
void network_handle_clear(network_handle *h);

/* What tokens the hidden states are of; NULL: not known. Errors: ATTCERT_INPUT, ATTCERT_RESOURCE. */
attcert_status network_handle_set_tokens(network_handle *h, const attcert_tokens *tokens, attcert_error *err);

/* Whether it may be asked: no pairs were refused, some blocks having them perhaps. */
attcert_status network_handle_check(const network_handle *h, attcert_error *err);

/* As attcert_robustness_set_pairs. */
attcert_status network_handle_set_pairs(network_handle *h, const bool *mask, size_t masks, const double *bias,
                                        size_t biases, attcert_error *err);

#endif
