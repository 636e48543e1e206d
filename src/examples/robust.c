/* Whether a change of one word can change a classifier's answer:
 *   cc robust.c $(pkg-config --cflags --libs attcert) && ./a.out */
#include <attcert.h>
#include <stdio.h>

enum { TOKENS = 3, DIM = 8 };

int main(void) {
  double hidden[TOKENS * DIM];
  const int tokens[TOKENS] = {101, 2000, 102};
  attcert_model *model = NULL;
  attcert_robustness *question = NULL;
  attcert_error err = {ATTCERT_OK, ""};

  attcert_status status = attcert_model_open(&model, "random:bert:8,2,1", 1, &err); /* or a folder */
  if (status == ATTCERT_OK) status = attcert_model_hidden_states(hidden, model, tokens, TOKENS, &err);
  if (status == ATTCERT_OK) status = attcert_robustness_new(&question, model, hidden, TOKENS, DIM, &err);
  if (status == ATTCERT_OK) status = attcert_robustness_set_text(question, "words", "1", &err);
  if (status == ATTCERT_OK) status = attcert_robustness_set_number(question, "radius", 0.01, &err);
  if (status == ATTCERT_OK) status = attcert_robustness_decide(question, NULL, &err);
  if (status == ATTCERT_OK)
    printf("class %g is the answer within %g of word 1\n", attcert_robustness_number(question, "label"),
           attcert_robustness_number(question, "certified"));
  else
    fprintf(stderr, "status %d: %s\n", (int)status, err.message);
  attcert_robustness_free(question);
  attcert_model_close(model);
  return (int)status;
}
