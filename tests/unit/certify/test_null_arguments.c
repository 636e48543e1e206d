/* NULL, and masks and engines that there are none of, in every function of attcert.h: an error value with a message
 * that names the argument, never a crash or a default. */
#include "random_layer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef struct {
  layer_case c;
  attcert_options options;
  attcert_certificate certificate;
  attcert_matrix out; /* 4 x 5 */
  mpfr_t lo, hi;
  attcert_error err;
} setting;

static void setting_init(setting *s) {
  const layer_shape shape = {.n = 4, .dim = 3, .heads = 2, .head_dim = 2, .out_dim = 5, .biases = true};
  random_source r = random_source_make(37, 0, 0);
  *s = (setting){0};
  layer_case_init_gaussian(&s->c, &shape, &r);
  attcert_options_default(&s->options);
  attcert_certificate_init(&s->certificate);
  assert_int_equal(attcert_matrix_init(&s->out, 4, 5, NULL), ATTCERT_OK);
  mpfr_inits2(53, s->lo, s->hi, (mpfr_ptr)NULL);
}

static void setting_clear(setting *s) {
  mpfr_clears(s->lo, s->hi, (mpfr_ptr)NULL);
  attcert_matrix_clear(&s->out);
  attcert_certificate_clear(&s->certificate);
  layer_case_clear(&s->c);
}

#define REFUSED(s, word, call)                                                                 \
  do {                                                                                         \
    (s)->err = (attcert_error){0};                                                             \
    assert_int_equal(call, ATTCERT_INPUT);                                                     \
    if (strstr((s)->err.message, word) == NULL) fail_msg("%s: '%s'", #call, (s)->err.message); \
  } while (0)

static void null_is_refused(void **state) {
  (void)state;
  setting s;
  setting_init(&s);
  attcert_layer *const l = &s.c.layer, head;
  attcert_matrix *const x = &s.c.x, empty = {4, 3, NULL};
  attcert_error *const err = &s.err;
  REFUSED(&s, "matrix", attcert_matrix_init(NULL, 1, 1, err));
  REFUSED(&s, "layer", attcert_layer_init(NULL, 1, 1, 1, 1, false, err));
  REFUSED(&s, "head", attcert_layer_head(NULL, l, 0, err));
  REFUSED(&s, "head", attcert_layer_head(&head, NULL, 0, err));
  REFUSED(&s, "layer", attcert_layer_check(NULL, x, err));
  REFUSED(&s, "input", attcert_layer_check(l, NULL, err));
  REFUSED(&s, "input", attcert_layer_check(l, &empty, err));
  REFUSED(&s, "options", attcert_options_check(NULL, err));
  REFUSED(&s, "certificate", attcert_certify(NULL, l, x, &s.options, err));
  REFUSED(&s, "layer", attcert_certify(&s.certificate, NULL, x, &s.options, err));
  REFUSED(&s, "input", attcert_certify(&s.certificate, l, NULL, &s.options, err));
  REFUSED(&s, "options", attcert_certify(&s.certificate, l, x, NULL, err));
  REFUSED(&s, "ends", attcert_direction(NULL, s.hi, l, x, x, &s.options, err));
  REFUSED(&s, "ends", attcert_direction(s.lo, NULL, l, x, x, &s.options, err));
  REFUSED(&s, "layer", attcert_direction(s.lo, s.hi, NULL, x, x, &s.options, err));
  REFUSED(&s, "input", attcert_direction(s.lo, s.hi, l, NULL, x, &s.options, err));
  REFUSED(&s, "direction", attcert_direction(s.lo, s.hi, l, x, NULL, &s.options, err));
  REFUSED(&s, "direction", attcert_direction(s.lo, s.hi, l, x, &empty, &s.options, err));
  REFUSED(&s, "options", attcert_direction(s.lo, s.hi, l, x, x, NULL, err));
  REFUSED(&s, "y", attcert_layer_forward(NULL, l, x, err));
  REFUSED(&s, "layer", attcert_layer_forward(&s.out, NULL, x, err));
  REFUSED(&s, "input", attcert_layer_forward(&s.out, l, NULL, err));
  REFUSED(&s, "dy", attcert_layer_jvp(NULL, l, x, x, err));
  REFUSED(&s, "dx", attcert_layer_jvp(&s.out, l, x, NULL, err));
  REFUSED(&s, "dx", attcert_layer_vjp(NULL, l, x, &s.out, err));
  REFUSED(&s, "dy", attcert_layer_vjp(x, l, x, NULL, err));
  REFUSED(&s, "Jacobian", attcert_layer_jacobian(NULL, l, x, err));
  assert_int_equal(attcert_certify(&s.certificate, NULL, NULL, NULL, NULL), ATTCERT_INPUT);
  assert_null(attcert_engine_name((attcert_engine)-1));
  attcert_options_default(NULL);
  attcert_certificate_init(NULL);
  attcert_certificate_clear(NULL);
  attcert_layer_clear(NULL);
  attcert_matrix_clear(NULL);
  setting_clear(&s);
}

static void unknown_masks_and_engines_are_refused(void **state) {
  (void)state;
  setting s;
  setting_init(&s);
  attcert_error *const err = &s.err;
  for (int mask = -1; mask <= 2; mask += 3) {
    s.c.layer.mask = (attcert_mask)mask;
    REFUSED(&s, "mask", attcert_layer_check(&s.c.layer, &s.c.x, err));
    REFUSED(&s, "mask", attcert_certify(&s.certificate, &s.c.layer, &s.c.x, &s.options, err));
    REFUSED(&s, "mask", attcert_layer_forward(&s.out, &s.c.layer, &s.c.x, err));
  }
  s.c.layer.mask = ATTCERT_MASK_NONE;
  for (int engine = -1; engine <= 6; engine += 7) {
    s.options.engine = (attcert_engine)engine;
    REFUSED(&s, "engine", attcert_certify(&s.certificate, &s.c.layer, &s.c.x, &s.options, err));
  }
  setting_clear(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(null_is_refused),
      cmocka_unit_test(unknown_masks_and_engines_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
