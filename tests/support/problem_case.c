#include "problem_case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

void problem_case_set(problem_case *p) {
  const attcert_layer *const l = &p->c.layer;
  const size_t rows = (size_t)l->heads * (size_t)l->head_dim, dim = (size_t)l->dim, out = (size_t)l->out_dim;
  const struct {
    const char *name;
    const double *data;
    size_t rows, cols;
  } arrays[] = {{"input", p->c.x.data, (size_t)p->c.x.rows, (size_t)p->c.x.cols},
                {"query.weight", l->query_weight, rows, dim},
                {"key.weight", l->key_weight, rows, dim},
                {"value.weight", l->value_weight, rows, dim},
                {"query.bias", l->query_bias, rows, 1},
                {"key.bias", l->key_bias, rows, 1},
                {"value.bias", l->value_bias, rows, 1},
                {"output.weight", l->output_weight, out, rows},
                {"output.bias", l->output_bias, out, 1}};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
    assert_int_equal(
        attcert_problem_set_array(p->problem, arrays[i].name, arrays[i].data, arrays[i].rows, arrays[i].cols, NULL),
        ATTCERT_OK);
  assert_int_equal(attcert_problem_set_heads(p->problem, (size_t)l->heads, NULL), ATTCERT_OK);
  assert_int_equal(attcert_problem_set_mask(p->problem, l->mask == ATTCERT_MASK_CAUSAL ? "causal" : "none", NULL),
                   ATTCERT_OK);
}

void problem_case_init(problem_case *p, const layer_shape *shape, uint64_t index) {
  random_source r = random_source_make(83, 0, index);
  layer_case_init_gaussian(&p->c, shape, &r);
  p->problem = attcert_problem_new();
  assert_non_null(p->problem);
  problem_case_set(p);
}

void problem_case_init_small(problem_case *p, uint64_t index) {
  const layer_shape shape = {.n = 4,
                             .dim = 3,
                             .heads = 2,
                             .head_dim = 2,
                             .out_dim = 5,
                             .biases = true,
                             .mask = index % 2 == 1 ? ATTCERT_MASK_CAUSAL : ATTCERT_MASK_NONE};
  problem_case_init(p, &shape, index);
}

void problem_case_clear(problem_case *p) {
  attcert_problem_free(p->problem);
  layer_case_clear(&p->c);
}
