/* Softmax mean of the values, head by head; inputs query, key, value, as wide as the output:
 *   y_i = sum_j P_ij v_j,   P_i = softmax_j(q_i . k_j / sqrt(entries a head)) over the keys that the mask leaves. */
#ifndef ATTCERT_NETWORK_ATTENTION_STEP_ATTENTION_H
#define ATTCERT_NETWORK_ATTENTION_STEP_ATTENTION_H

#include "network/network.h"

typedef struct {
  int heads;
  attcert_mask mask;
  int token; /* the only query's; -1: there is one a token */
} attention_heads;

extern const step_kind step_attention; /* of: attention_heads */

int step_attention_add(network_builder *b, const int input[3], const attention_heads *heads);

/* `forms` and `execution`, in files of their own. */
attcert_status step_attention_forms(form *out, const step *s, const form *const *in, form_symbols *symbols, int origin,
                                    attcert_error *err);
attcert_status step_attention_execution(form *out, const step *s, const form *const *in, const form_symbols *symbols,
                                        const step_format *format, attcert_error *err);

#endif
