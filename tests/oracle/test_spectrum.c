/* Spectra of trained and random heads against Arb, 320 bits: discs, traces, norms; attention's entropies. Every head
 * of the models below ATTCERT_DATA, and of every family of random layers.
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

/* ||Y - 1 mean(Y)||_F / ||Y||_F; false where Y may be 0. */
static bool exact_similarity(arb_t ratio, const arb_mat_t y) {
  const slong n = arb_mat_nrows(y), bits = ATTENTION_BITS;
  arb_t mean, deviations, squares, t;
  arb_init(mean), arb_init(deviations), arb_init(squares), arb_init(t);
  for (slong c = 0; c < arb_mat_ncols(y); c++) {
    arb_zero(mean);
    for (slong i = 0; i < n; i++) arb_add(mean, mean, arb_mat_entry(y, i, c), bits);
    arb_div_si(mean, mean, n, bits);
    for (slong i = 0; i < n; i++) {
      arb_sub(t, arb_mat_entry(y, i, c), mean, bits);
      arb_addmul(deviations, t, t, bits);
      arb_addmul(squares, arb_mat_entry(y, i, c), arb_mat_entry(y, i, c), bits);
    }
  }
  const bool defined = arb_is_positive(squares) != 0;
  arb_div(ratio, deviations, squares, bits);
  arb_sqrtpos(ratio, ratio, bits);
  arb_clear(mean), arb_clear(deviations), arb_clear(squares), arb_clear(t);
  return defined;
}

/* y += the head's part of W_O, or its columns without one. */
static void add_head(arb_mat_t y, const arb_head *head, const attcert_layer *layer, int h) {
  const slong k = layer->head_dim, width = layer->heads * k;
  arb_t w;
  arb_init(w);
  for (slong i = 0; i < head->n; i++) {
    for (slong o = 0; o < layer->out_dim; o++) {
      for (slong r = 0; r < k; r++) {
        arb_set_d(w, layer->output_weight != NULL ? layer->output_weight[o * width + h * k + r] : o == h * k + r);
        arb_addmul(arb_mat_entry(y, i, o), w, arb_mat_entry(head->y, i, r), ATTENTION_BITS);
      }
      arb_set_d(w, layer->output_bias != NULL && h == 0 ? layer->output_bias[o] : 0);
      arb_add(arb_mat_entry(y, i, o), arb_mat_entry(y, i, o), w, ATTENTION_BITS);
    }
  }
  arb_clear(w);
}

static void check_similarities(const spectrum_attention *a, const attcert_layer *layer, const attcert_matrix *x) {
  arb_mat_t y, input;
  arb_t ratio;
  arb_init(ratio);
  arb_mat_init(y, x->rows, layer->out_dim);
  arb_mat_init(input, x->rows, x->cols);
  arb_mat_set_doubles(input, x->data);
  if (exact_similarity(ratio, input))
    assert_true(spectrum_oracle_contains("similarity of the input", &a->input_similarity, ratio));
  for (int h = 0; h < layer->heads; h++) {
    arb_head head;
    arb_head_init(&head, layer, x, h, ATTENTION_BITS);
    if (exact_similarity(ratio, head.y))
      assert_true(spectrum_oracle_contains("similarity of a head", &a->head[h].similarity, ratio));
    add_head(y, &head, layer, h);
    arb_head_clear(&head);
  }
  if (exact_similarity(ratio, y))
    assert_true(spectrum_oracle_contains("similarity of the output", &a->output_similarity, ratio));
  arb_mat_clear(y);
  arb_mat_clear(input);
  arb_clear(ratio);
}

/* Entropy and largest weight of one head. */
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
      check_similarities(&s.attention, &c.layer, &c.x);
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
