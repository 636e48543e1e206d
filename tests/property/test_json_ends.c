/* Enclosures in JSON reports, as Python's json reads them: doubles, to nearest. Random numbers of every magnitude
 * and of all precisions, many of them beside a double, the middle of two or an end of their range; the traces and
 * the Frobenius norm of random heads; norms of all families of layers. tests/property/json_ends.py compares. */
#include "enclosure_verdict.h"
#include "problem_case.h"
#include "report/json_writer.h"
#include "report/spectrum/spectrum_report.h"
#include "spectrum_oracle.h"
#include "temp_folder.h"
#include "test_setting.h"

#include <float.h>
#include <gmp.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { DEFAULT_CASES = 96000, BITS = 640 };

static void begin_case(FILE *out) {
  fputs(",\n{\"truths\": [", out);
}

static void put_exact(FILE *out, mpfr_srcptr x) {
  mpz_t significand;
  mpz_init(significand);
  const mpfr_exp_t exponent = mpfr_zero_p(x) ? 0 : mpfr_get_z_2exp(significand, x);
  char *const digits = mpz_get_str(NULL, 16, significand);
  fprintf(out, "[\"%s\", %ld]", digits, (long)exponent);
  free(digits);
  mpz_clear(significand);
}

/* The truth, between lo and hi, of the interval whose ends are at two paths of the document. */
static void put_truth(FILE *out, const char *separator, const char *paths, mpfr_srcptr lo, mpfr_srcptr hi) {
  fprintf(out, "%s[[%s], [", separator, paths);
  put_exact(out, lo);
  fputs(", ", out);
  put_exact(out, hi);
  fputs("]]", out);
}

static void put_truth_of_arb(FILE *out, const char *separator, const char *paths, const arb_t x) {
  mpfr_t lo, hi;
  mpfr_inits2(BITS, lo, hi, (mpfr_ptr)0);
  arb_get_interval_mpfr(lo, hi, x);
  put_truth(out, separator, paths, lo, hi);
  mpfr_clears(lo, hi, (mpfr_ptr)0);
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static double random_double(random_source *r) {
  static const double ends[] = {DBL_MAX, DBL_MIN, 0x1p-1074, 0.0, 1.0};
  if (random_chance(r, 0.1)) return ends[random_integer(r, 0, sizeof ends / sizeof ends[0] - 1)];
  return ldexp(random_uniform(r, 1.0, 2.0), random_integer(r, -1080, 1023));
}

/* A double, or the middle of two, and often a little more or less. */
static void near_double(mpfr_t x, random_source *r) {
  const double d = random_double(r);
  mpfr_t step;
  mpfr_init2(step, 53);
  mpfr_set_d(x, d, MPFR_RNDN);
  if (random_chance(r, 0.5)) {
    mpfr_set_d(step, nextafter(d, 0.0), MPFR_RNDN); /* so, for the largest double, the middle above it is met too */
    mpfr_sub(step, x, step, MPFR_RNDN);
    mpfr_div_2ui(step, step, 1, MPFR_RNDN);
    mpfr_add(x, x, step, MPFR_RNDN);
  }
  mpfr_set_d(step, random_uniform(r, -1.0, 1.0), MPFR_RNDN);
  mpfr_mul_2si(step, step, random_integer(r, -1400, 0), MPFR_RNDN);
  if (mpfr_zero_p(x) == 0) mpfr_mul(step, step, x, MPFR_RNDN);
  if (random_chance(r, 0.7)) mpfr_add(x, x, step, MPFR_RNDN);
  mpfr_clear(step);
}

static void random_number(mpfr_t x, random_source *r) {
  if (random_chance(r, 0.5)) {
    near_double(x, r);
  } else {
    mpfr_set_d(x, random_uniform(r, 1.0, 2.0), MPFR_RNDN);
    mpfr_t tail;
    mpfr_init2(tail, 53);
    mpfr_set_d(tail, random_uniform(r, 0.0, 1.0), MPFR_RNDN);
    mpfr_div_2ui(tail, tail, 52, MPFR_RNDN);
    mpfr_add(x, x, tail, MPFR_RNDN);
    mpfr_clear(tail);
    mpfr_mul_2si(x, x, random_integer(r, -1500, 1500), MPFR_RNDN);
  }
  if (random_chance(r, 0.5)) mpfr_neg(x, x, MPFR_RNDN);
}

static void put_number(FILE *out, uint64_t i) {
  static const mpfr_prec_t precisions[] = {24, 53, 54, 64, 128, 256, BITS};
  random_source r = random_source_make(test_setting("ATTCERT_SEED", 1), 40, i);
  const mpfr_prec_t precision = precisions[random_integer(&r, 0, sizeof precisions / sizeof precisions[0] - 1)];
  json_writer w;
  mpfr_t x, lo, hi;
  mpfr_init2(x, BITS);
  mpfr_inits2(precision, lo, hi, (mpfr_ptr)0);
  random_number(x, &r);
  mpfr_set(lo, x, MPFR_RNDD);
  mpfr_set(hi, x, MPFR_RNDU);
  begin_case(out);
  put_truth(out, "", "[0], [1]", x, x);
  fputs("], \"document\": ", out);
  json_writer_begin(&w, out);
  json_write_array(&w, NULL);
  json_write_real(&w, NULL, lo, MPFR_RNDD);
  json_write_real(&w, NULL, hi, MPFR_RNDU);
  json_write_close(&w);
  json_writer_end(&w);
  fputc('}', out);
  mpfr_clears(x, lo, hi, (mpfr_ptr)0);
}

/* ---- traces ------------------------------------------------------------------------------------------------------ */

/* tr W, tr W^2, ||W||_F of the head, exactly but for the root. */
static void put_traces(FILE *out, const attcert_layer *layer) {
  arb_mat_t w, square;
  arb_t t;
  arb_mat_init(w, layer->dim, layer->dim);
  arb_mat_init(square, layer->dim, layer->dim);
  arb_init(t);
  spectrum_oracle_matrix(w, layer, 0, NULL);
  arb_mat_trace(t, w, BITS);
  put_truth_of_arb(out, "", "[\"heads\", 0, \"trace\", 0], [\"heads\", 0, \"trace\", 1]", t);
  arb_mat_mul(square, w, w, BITS);
  arb_mat_trace(t, square, BITS);
  put_truth_of_arb(out, ",", "[\"heads\", 0, \"trace_of_square\", 0], [\"heads\", 0, \"trace_of_square\", 1]", t);
  arb_mat_frobenius_norm(t, w, BITS);
  put_truth_of_arb(out, ",", "[\"heads\", 0, \"frobenius\", 0], [\"heads\", 0, \"frobenius\", 1]", t);
  arb_mat_clear(w);
  arb_mat_clear(square);
  arb_clear(t);
}

static void put_head(FILE *out, uint64_t i) {
  random_source r = random_source_make(test_setting("ATTCERT_SEED", 1), 41, i);
  const int d = random_integer(&r, 1, 3), k = random_integer(&r, 1, 2), scale = random_integer(&r, -520, 500);
  attcert_layer layer;
  spectrum_layer spectrum;
  const report_subject subject = {.name = "random", .dim = d, .heads = 1, .head_dim = k};
  const spectrum_report report = {.subject = &subject, .spectrum = &spectrum};
  const spectrum_request request = {.layer = &layer};
  assert_int_equal(attcert_layer_init(&layer, d, 1, k, 0, false, NULL), ATTCERT_OK);
  random_fill_gaussian(layer.query_weight, (size_t)(d * k), ldexp(1.0, scale), &r);
  random_fill_gaussian(layer.key_weight, (size_t)(d * k), ldexp(1.0, random_integer(&r, -5, 5)), &r);
  assert_int_equal(spectrum_layer_enclose(&spectrum, &request, NULL), ATTCERT_OK);
  begin_case(out);
  put_traces(out, &layer);
  fputs("], \"document\": ", out);
  spectrum_report_write(out, true, &report);
  fputc('}', out);
  spectrum_layer_clear(&spectrum);
  attcert_layer_clear(&layer);
}

/* ---- norms ------------------------------------------------------------------------------------------------------- */

static void put_layer(FILE *out, uint64_t i) {
  problem_case p = {.problem = attcert_problem_new()};
  norm_oracle truth;
  attcert_result *result = NULL;
  arb_t norm;
  layer_case_init(&p.c, (int)(i % (uint64_t)random_layer_families()), test_setting("ATTCERT_SEED", 1), 4000 + i);
  problem_case_set(&p);
  truth_init(&truth, &p.c);
  assert_int_equal(attcert_problem_certify(&result, p.problem, NULL, NULL), ATTCERT_OK);
  arb_init(norm);
  arb_set_interval_arf(norm, truth.lower, truth.upper, BITS);
  begin_case(out);
  put_truth_of_arb(out, "", "[\"lipschitz\", \"lower\"], [\"lipschitz\", \"upper\"]", norm);
  fprintf(out, "], \"document\": %s}", attcert_result_json(result));
  arb_clear(norm);
  attcert_result_free(result);
  norm_oracle_clear(&truth);
  problem_case_clear(&p);
}

static void python_reads_the_truth(void **state) {
  (void)state;
  const uint64_t cases = test_setting("ATTCERT_CASES", DEFAULT_CASES);
  char path[512], command[1200];
  if (system("sh src/python/interpreter json >/dev/null") != 0) skip();
  temp_folder_path(path, &temp_folder_shared, "ends.json");
  FILE *const out = fopen(path, "w");
  assert_non_null(out);
  fputs("[{\"truths\": []}", out);
  for (uint64_t i = 0; i < cases; i++) {
    put_number(out, i);
    if (i % 96 == 0) put_head(out, i / 96);
    if (i % 96 == 0) put_layer(out, i / 96);
  }
  fputs("]\n", out);
  assert_int_equal(fclose(out), 0);
  snprintf(command, sizeof command, "\"$(sh src/python/interpreter json)\" tests/property/json_ends.py '%s'", path);
  assert_int_equal(system(command), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(python_reads_the_truth)};
  return cmocka_run_group_tests(tests, temp_folder_set_up, temp_folder_tear_down);
}
