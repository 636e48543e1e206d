#include "executed_step.h"

#include "network/select/step_select.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* The bounds of the symbols that the network's first step leaves for its execution; of none where it is not bounded. */
typedef struct {
  double bound[EXECUTED_STEP_MOST];
  int count;
} own_bounds;

static attcert_status note(void *context, int value, const form *f, const form_symbols *symbols) {
  own_bounds *const own = context;
  assert_true(f->rows * f->cols <= EXECUTED_STEP_MOST);
  if (value == 1) own->count = f->rows * f->cols;
  for (int at = 0; value == 1 && at < f->rows * f->cols; at++) {
    const form_layout *const layout = &f->row[at / f->cols].layout;
    own->bound[at] = symbols->segment[layout->id[layout->count - 1]].bound[at % f->cols];
  }
  return ATTCERT_OK;
}

/* The network of the step `s` alone, and its first row's scores. */
static void build(network_case *c, const step_format *format, const step *s, const double *x, int cols) {
  network_builder b = {.network = &c->network, .layer = -1};
  *c = (network_case){.name = "a step", .network = {.tokens = s->rows, .dim = cols}};
  step_select_add(&b, network_add(&b, *s), 0);
  assert_int_equal(b.status, ATTCERT_OK);
  assert_int_equal(attcert_matrix_init(&c->x, s->rows, cols, NULL), ATTCERT_OK);
  for (int k = 0; k < s->rows * cols; k++) c->x.data[k] = step_format_nearest(format, x[k]);
  c->ball = (robust_ball){.input = &c->x, .label = -1};
}

static void bound_network(own_bounds *own, network_case *c, const step_format *format, const step *s) {
  robust_margin margin;
  own->count = 0;
  c->ball.format = format;
  assert_int_equal(robust_margin_observe(&margin, &c->network, &c->ball, note, own, NULL), ATTCERT_OK);
  robust_margin_clear(&margin);
  c->ball.format = NULL;
  assert_true(own->count == 0 || own->count == s->rows * s->cols);
}

bool executed_step_bounded(const step_format *format, const step *s, const double *x, int cols) {
  network_case c;
  own_bounds own;
  build(&c, format, s, x, cols);
  bound_network(&own, &c, format, s);
  network_case_clear(&c);
  return own.count > 0;
}

void executed_step_bound(double *bound, const step_format *format, const step *s, double *x, int cols) {
  network_case c;
  own_bounds own;
  build(&c, format, s, x, cols);
  bound_network(&own, &c, format, s);
  assert_true(own.count > 0);
  memcpy(bound, own.bound, (size_t)own.count * sizeof *bound);
  memcpy(x, c.x.data, (size_t)(s->rows * cols) * sizeof *x);
  network_case_clear(&c);
}

double executed_step_part_used(const step_format *format, const step *s, const double *x, int cols, int first,
                               int last) {
  network_case c;
  own_bounds own;
  attcert_matrix exact;
  double largest = 0.0;
  build(&c, format, s, x, cols);
  bound_network(&own, &c, format, s);
  assert_true(own.count > 0);
  const attcert_matrix *const in[STEP_MAX_INPUTS] = {&c.x, &c.x, &c.x};
  assert_int_equal(attcert_matrix_init(&exact, s->rows, s->cols, NULL), ATTCERT_OK);
  assert_int_equal(s->kind->value(&exact, s, in, NULL), ATTCERT_OK);
  for (int k = 0; k < EXECUTED_MANNERS; k++) {
    executed_manner m = executed_network_manner(format->name, k);
    executed_network e;
    m.wrong *= (format->ulp - 1.0) / (EXECUTED_ULP - 1.0);
    executed_network_run(&e, &c, c.x.data, &m);
    for (int at = first; at <= last; at++) {
      const double off = fabs(e.value[1][at] - exact.data[at]);
      if (!(off <= own.bound[at]))
        fail_msg("%s, manner %d: entry %d off by %g, bound %g", s->kind->name, k, at, off, own.bound[at]);
      largest = fmax(largest, off / own.bound[at]);
    }
    executed_network_clear(&e, &c);
  }
  attcert_matrix_clear(&exact);
  network_case_clear(&c);
  return largest;
}

double executed_step_used(const char *format, const step *s, const double *x, int cols, int first, int last) {
  step_format of_name;
  assert_true(step_format_named(&of_name, format, EXECUTED_ULP));
  return executed_step_part_used(&of_name, s, x, cols, first, last);
}
