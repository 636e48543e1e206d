/* A Lipschitz constant that holds for every input within a distance of this one, of a layer of a model:
 *   cc ball.c $(pkg-config --cflags --libs attcert) && ./a.out */
#include <attcert.h>
#include <stdio.h>

enum { TOKENS = 4, DIM = 16 };

int main(void) {
  double hidden[TOKENS * DIM], input[TOKENS * DIM];
  const int tokens[TOKENS] = {10, 20, 30, 40};
  attcert_problem *const problem = attcert_problem_new();
  attcert_model *model = NULL;
  attcert_result *result = NULL;
  attcert_error err = {ATTCERT_OK, ""};

  attcert_status status = attcert_model_open(&model, "random:gpt2:16,2,2", 1, &err); /* or a folder */
  if (status == ATTCERT_OK) status = attcert_model_hidden_states(hidden, model, tokens, TOKENS, &err);
  if (status == ATTCERT_OK) status = attcert_model_layer_input(input, model, 1, hidden, TOKENS, &err);
  if (status == ATTCERT_OK) status = attcert_problem_load_layer(problem, model, 1, &err);
  attcert_problem_set_array(problem, "input", input, TOKENS, DIM, NULL);
  if (status == ATTCERT_OK) status = attcert_problem_ball(&result, problem, 0.01, "sequence", "all", NULL, &err);
  if (status == ATTCERT_OK)
    printf("||f(Y) - f(Z)|| <= %.17g ||Y - Z|| within 0.01 of X, by %s; %.17g at X itself\n",
           attcert_result_ball_upper(result), attcert_result_ball_theorem(result), attcert_result_upper(result));
  else
    fprintf(stderr, "%s\n", err.message);
  attcert_result_free(result);
  attcert_problem_free(problem);
  attcert_model_close(model);
  return (int)status;
}
