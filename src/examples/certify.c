/* Certifies the local Lipschitz constant of a small attention layer at an input:
 *   cc certify.c $(pkg-config --cflags --libs attcert) && ./a.out */
#include <attcert.h>
#include <stdio.h>

enum { TOKENS = 4, DIM = 3 };

int main(void) {
  const double query[DIM * DIM] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, key[DIM * DIM] = {1, 1, 0, 0, 1, 1, 0, 0, 1};
  const double value[DIM * DIM] = {2, 0, 0, 0, 1, 0, 0, 0, 1};
  const double input[TOKENS * DIM] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1};
  attcert_problem *const problem = attcert_problem_new();
  attcert_error err = {ATTCERT_OK, ""};
  double lower, upper;

  /* The arrays are borrowed; what is wrong with them is told by the call that uses them. */
  attcert_problem_set_array(problem, "query.weight", query, DIM, DIM, NULL);
  attcert_problem_set_array(problem, "key.weight", key, DIM, DIM, NULL);
  attcert_problem_set_array(problem, "value.weight", value, DIM, DIM, NULL);
  attcert_problem_set_array(problem, "input", input, TOKENS, DIM, NULL);
  const attcert_status status = attcert_enclose(&lower, &upper, problem, NULL, &err);
  if (status == ATTCERT_OK)
    printf("%.17g <= ||D_X f||_2 <= %.17g\n", lower, upper);
  else
    fprintf(stderr, "%s\n", err.message);
  attcert_problem_free(problem);
  return (int)status;
}
