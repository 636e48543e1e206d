/* Spectra of trained and random heads against Arb, 320 bits: discs, traces, norms; attention's entropies. Every head of the
 * models below ATTCERT_DATA, and of every family of random layers.
 *   ATTCERT_CASES=N  layers of each family     ATTCERT_SEED=S  which ones */
#include "arb_head.h"
#include "model/model.h"
#include "random_layer.h"
#include "spectrum/layer.h"
#include "spectrum_oracle.h"
#include "test_data.h"
#include "test_setting.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { BITS = 320, ATTENTION_BITS = 4096 };

/* tr W, tr W^2 and ||W||_F. */
static void exact_sums(arb_t trace, arb_t square, arb_t frobenius, const arb_mat_t w) {
  arb_zero(trace), arb_zero(square), arb_zero(frobenius);
  for (slong i = 0; i < arb_mat_nrows(w); i++) {
    arb_add(trace, trace, arb_mat_entry(w, i, i), ARF_PREC_EXACT);
    for (slong j = 0; j < arb_mat_ncols(w); j++) {
      arb_addmul(square, arb_mat_entry(w, i, j), arb_mat_entry(w, j, i), ATTENTION_BITS);
      arb_addmul(frobenius, arb_mat_entry(w, i, j), arb_mat_entry(w, i, j), ATTENTION_BITS);
    }
  }
  arb_sqrt(frobenius, frobenius, BITS);
}

/* Relative to the least magnitude; 0 for one number. */
static double relative_width(const interval *a) {
  const double lo = mpfr_get_d(a->lo, MPFR_RNDN), hi = mpfr_get_d(a->hi, MPFR_RNDN);
  return mpfr_equal_p(a->lo, a->hi) ? 0 : (hi - lo) / fmin(fabs(lo), fabs(hi));
}

static void check_sums(const spectrum_head *head, const attcert_layer *layer, int h, const double *gain) {
  arb_mat_t w;
  arb_t trace, square, frobenius;
  arb_mat_init(w, layer->dim, layer->dim);
  arb_init(trace), arb_init(square), arb_init(frobenius);
  spectrum_oracle_matrix(w, layer, h, gain);
  exact_sums(trace, square, frobenius, w);
  assert_true(spectrum_oracle_contains("trace", &head->traces.trace, trace));
  assert_true(spectrum_oracle_contains("trace of square", &head->traces.trace_of_square, square));
  assert_true(spectrum_oracle_contains("frobenius", &head->traces.frobenius, frobenius));
  arb_mat_clear(w);
  arb_clear(trace), arb_clear(square), arb_clear(frobenius);
}

/* slack: of 320 bits, 60 digits of the norm; to so many the oracle has the eigenvalues right. */
static void check_discs(const spectrum_head *head, const attcert_layer *layer, int h, const double *gain, slong bits) {
  acb_ptr values = _acb_vec_init(layer->dim);
  arf_t slack;
  arf_init(slack);
  arf_set_mpfr(slack, head->norm.hi);
  arf_mul_2exp_si(slack, slack, -(bits / 8 * 5));
  assert_true(spectrum_oracle_eigenvalues(values, layer, h, gain, bits));
  assert_true(spectrum_oracle_agrees(&head->eigenvalues, values, layer->dim, slack));
  arf_clear(slack);
  _acb_vec_clear(values, layer->dim);
}

static void check_bars(const spectrum_head *head) {
  assert_true(relative_width(&head->traces.trace) <= 1e-12);
  assert_true(relative_width(&head->traces.trace_of_square) <= 1e-12);
  assert_true(relative_width(&head->norm) <= 1e-9);
  for (int i = 0; i < head->eigenvalues.count; i++) {
    const spectrum_disc *const disc = &head->eigenvalues.disc[i];
    const double modulus = hypot(mpfr_get_d(disc->re, MPFR_RNDN), mpfr_get_d(disc->im, MPFR_RNDN));
    assert_true(mpfr_get_d(disc->radius, MPFR_RNDU) <= 1e-9 * modulus);
  }
}

static void check_model(const char *name, bool folded) {
  char path[512];
  model *m;
  assert_int_equal(model_open(&m, test_data_path(path, name), 0, NULL), ATTCERT_OK);
  const model_shape shape = model_get_shape(m);
  double gain[512];
  assert_true(shape.dim <= 512);
  for (int l = 0; l < shape.layers; l++) {
    attcert_layer layer;
    assert_int_equal(model_layer(&layer, m, l, NULL), ATTCERT_OK);
    if (folded) assert_int_equal(model_attention_gain(gain, m, l, NULL), ATTCERT_OK);
    for (int h = 0; h < layer.heads; h++) {
      spectrum_head head;
      assert_int_equal(spectrum_head_enclose(&head, &layer, h, folded ? gain : NULL, NULL), ATTCERT_OK);
      check_sums(&head, &layer, h, folded ? gain : NULL);
      check_discs(&head, &layer, h, folded ? gain : NULL, BITS);
      check_bars(&head);
      spectrum_head_clear(&head);
    }
    attcert_layer_clear(&layer);
  }
  model_close(m);
}

static void bert_tiny(void **state) {
  (void)state;
  check_model("models/bert-tiny-sst2", false);
}
static void char_gpt(void **state) {
  (void)state;
  check_model("models/char-gpt", false);
}
static void mini_gpt(void **state) {
  (void)state;
  check_model("models/mini-gpt", false);
  check_model("models/mini-gpt", true);
}

/* Entropy, largest weight and similarity of one head. */
static void check_attention(const spectrum_attention *a, const attcert_layer *layer, const attcert_matrix *x, int h) {
  arb_head head;
  arb_t sum, t, largest;
  arb_init(sum), arb_init(t), arb_init(largest);
  arb_head_init(&head, layer, x, h, ATTENTION_BITS);
  for (slong i = 0; i < head.n; i++) {
    arb_zero(sum);
    for (slong j = 0; j < arb_head_attended_keys(layer, head.n, i); j++) {
      arb_log(t, arb_mat_entry(head.p, i, j), 256);
      arb_submul(sum, t, arb_mat_entry(head.p, i, j), 256);
      arb_max(largest, largest, arb_mat_entry(head.p, i, j), 256);
    }
    assert_true(spectrum_oracle_contains("entropy", &a->head[h].entropy[i], sum));
  }
  assert_true(spectrum_oracle_contains("largest weight", &a->head[h].largest_weight, largest));
  arb_head_clear(&head);
  arb_clear(sum), arb_clear(t), arb_clear(largest);
}

/* Families with weights of hundreds of digits make Arb's sums long: sides are small. */
static void random_layers(void **state) {
  (void)state;
  const uint64_t cases = test_setting("ATTCERT_CASES", 2), seed = test_setting("ATTCERT_SEED", 1);
  for (int family = 0; family < random_layer_families(); family++) {
    for (uint64_t i = 0; i < cases; i++) {
      layer_case c;
      spectrum_layer s;
      layer_case_init(&c, family, seed, i);
      const spectrum_request request = {.layer = &c.layer, .x = &c.x};
      assert_int_equal(spectrum_layer_enclose(&s, &request, NULL), ATTCERT_OK);
      for (int h = 0; h < c.layer.heads; h++) {
        check_sums(&s.head[h], &c.layer, h, NULL);
        check_discs(&s.head[h], &c.layer, h, NULL, ATTENTION_BITS);
        check_attention(&s.attention, &c.layer, &c.x, h);
      }
      spectrum_layer_clear(&s);
      layer_case_clear(&c);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bert_tiny), cmocka_unit_test(char_gpt),
                                     cmocka_unit_test(mini_gpt), cmocka_unit_test(random_layers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
