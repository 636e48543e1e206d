/* Attention of a network: the mean of the values under a softmax of scores, head by head; inputs query, key, value. */
#ifndef ATTCERT_NETWORK_ATTENTION_STEP_ATTENTION_H
#define ATTCERT_NETWORK_ATTENTION_STEP_ATTENTION_H

#include "network/attention/attention_heads.h"
#include "network/network.h"

extern const step_kind step_attention; /* of: attention_heads */

/* As many heads of keys and values as of queries, of as many entries, scores q . k / sqrt(head_dim), no mask, a query a
 * token. */
attention_heads step_attention_plain(int heads, int head_dim);

int step_attention_add(network_builder *b, const int input[3], const attention_heads *heads);

/* What the plan of forms asks. */
step_keys step_attention_attended(const step *s, int row, int keys);
int step_attention_sources(step_source *from, const step *s, const step_row *row);
int step_attention_fresh(const step *s, const step_row *row, int k);
uint64_t step_attention_scratch(const step *s, int in_cols, const step_row *row, int columns);

/* `forms` and `execution`, in files of their own. */
attcert_status step_attention_forms(form *out, const step *s, const form *const *in, form_symbols *symbols, int origin,
                                    attcert_error *err);
attcert_status step_attention_execution(form *out, const step *s, const form *const *in, const form_symbols *symbols,
                                        const step_format *format, attcert_error *err);

/* `lower`, in files of its own. */
attcert_status step_attention_lower(step_lower *l, const step *s, attcert_error *err);

/* `linearize`; `push` and `pull`, step_attention_products.c: step_attention_linear.c has the formulas of both. */
attcert_status step_attention_linearize(step_linear *l, const step_enclosure *const *x, step_scratch *scratch,
                                        attcert_error *err);
void step_attention_push(double *y, const step_linear *l, const double *const *x, int count, double *scratch);
void step_attention_pull(double *const *x, const step_linear *l, const double *y, int count, double *scratch);

#endif
