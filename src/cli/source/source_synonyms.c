#include "cli/source/source_synonyms.h"

#include "base/arrays.h"

#include <stdlib.h>
#include <string.h>

static int most_choices(const run_synonyms *s, int n) {
  int most = 0;
  for (int i = 0; i < n; i++) most = s->first[i + 1] - s->first[i] > most ? s->first[i + 1] - s->first[i] : most;
  return most;
}

/* The sequence with choice number `round` in all places that have so many; its hidden states into their rows: those of
 * a token depend on it and its place alone. */
static attcert_status take_round(double *row, network_source *s, const model *m, int *ids, int round,
                                 attcert_error *err) {
  const run_synonyms *const of = &s->synonyms;
  const int n = s->subject.input_tokens.count;
  attcert_matrix states = {0};
  for (int i = 0; i < n; i++) {
    const int count = of->first[i + 1] - of->first[i];
    ids[i] = of->choices.token[of->first[i] + (round < count ? round : 0)].id;
  }
  attcert_status status = model_head_check_tokens(&s->head, ids, n, err);
  if (status == ATTCERT_OK) status = model_hidden_states(&states, m, ids, n, err);
  for (int i = 0; i < n && status == ATTCERT_OK; i++) {
    const size_t d = (size_t)states.cols;
    if (of->first[i] + round < of->first[i + 1])
      memcpy(row + (size_t)(of->first[i] + round) * d, states.data + (size_t)i * d, d * sizeof *row);
  }
  attcert_matrix_clear(&states);
  return status;
}

attcert_status source_synonyms_read(network_source *s, const model *m, const int *ids, const cli_options *o,
                                    attcert_error *err) {
  char sha256[SHA256_HEX_SIZE];
  const int n = s->subject.input_tokens.count;
  const size_t d = (size_t)model_get_shape(m).dim;
  attcert_status status =
      run_synonyms_read(&s->synonyms, sha256, o->synonyms, ids, &s->subject.input_tokens, s->tokenizer, err);
  if (status == ATTCERT_OK) status = subject_add_file(&s->subject, "synonyms", o->synonyms, sha256, err);
  if (status != ATTCERT_OK) return status;
  const size_t all = (size_t)s->synonyms.first[n];
  int *const of_round = array_new((size_t)n, sizeof *of_round, err, "a list of %d tokens", n);
  double *const row = of_round != NULL ? array_new(all * d, sizeof *row, err, "%zu hidden states", all) : NULL;
  if (row == NULL) status = ATTCERT_RESOURCE;
  for (int round = 0; round < most_choices(&s->synonyms, n) && status == ATTCERT_OK; round++)
    status = take_round(row, s, m, of_round, round, err);
  if (status == ATTCERT_OK) status = robust_choices_init(&s->choices, n, (int)d, s->synonyms.first, row, err);
  free(of_round);
  free(row);
  return status;
}
