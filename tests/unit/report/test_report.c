/* Both reports of one run: the JSON has every promised key, the text says the same, both state the claim. */
#include "report/claim.h"
#include "report/report.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct {
  report_subject subject;
  attcert_options options;
  attcert_certificate certificate;
  theory_table bounds;
  estimate_check check;
  report report;
} fixture;

static int set_up(void **state) {
  fixture *const f = calloc(1, sizeof *f);
  assert_non_null(f);
  f->subject = (report_subject){.name = "w.safetensors", .input = "x.npy", .tokens = 3, .dim = 4, .heads = 2};
  f->subject.head_dim = 2;
  f->subject.head = REPORT_WHOLE_LAYER;
  f->subject.file_count = 1;
  f->subject.files[0] = (report_file){.role = "weights", .path = "w.safetensors", .sha256 = "00ff"};
  attcert_options_default(&f->options);
  attcert_certificate_init(&f->certificate);
  mpfr_set_str(f->certificate.lower, "1.25", 10, MPFR_RNDN);
  mpfr_set_str(f->certificate.upper, "1.5", 10, MPFR_RNDN);
  f->certificate.relative_width = 0.25;
  f->certificate.tolerance_met = true;
  f->certificate.engine = ATTCERT_ENGINE_DENSE;
  f->certificate.precision = 128;
  theory_table_init(&f->bounds);
  estimate_check_init(&f->check);
  f->report =
      (report){.command = "certify", .subject = &f->subject, .options = &f->options, .certificate = &f->certificate};
  *state = f;
  return 0;
}

static int tear_down(void **state) {
  fixture *const f = *state;
  estimate_check_clear(&f->check);
  theory_table_clear(&f->bounds);
  attcert_certificate_clear(&f->certificate);
  free(f);
  return 0;
}

static void written(char **text, bool json, const report *r) {
  size_t size;
  FILE *const stream = open_memstream(text, &size);
  assert_non_null(stream);
  report_write(stream, json, r);
  fclose(stream);
}

static json_t *parsed(const report *r) {
  json_error_t why;
  char *text;
  written(&text, true, r);
  json_t *const root = json_loads(text, JSON_REJECT_DUPLICATES, &why);
  if (root == NULL) fail_msg("%s at line %d of:\n%s", why.text, why.line, text);
  free(text);
  return root;
}

static void assert_text_holds(const report *r, const char *part) {
  char *text;
  written(&text, false, r);
  if (strstr(text, part) == NULL) fail_msg("'%s' is not in:\n%s", part, text);
  free(text);
}

/* One bound of each kind. */
static void add_bounds(fixture *f) {
  theory_bound *const bound = f->bounds.bound;
  for (int i = 0; i < THEORY_COUNT; i++) {
    bound[i].id = "T";
    bound[i].title = "a bound";
    bound[i].available = i != THEORY_T2;
    bound[i].lower = i == THEORY_T3;
    mpfr_set_ui(bound[i].value, 6, MPFR_RNDN);
  }
  f->report.bounds = &f->bounds;
}

static void test_keys(void **state) {
  fixture *const f = *state;
  add_bounds(f);
  json_t *const root = parsed(&f->report);
  json_error_t why;
  const char *schema, *version, *claim, *mask, *path, *sha256, *lower_hex, *upper_hex, *engine;
  json_t *lower, *upper, *width, *bounds, *layer_seconds, *total_seconds;
  int n, d, heads, head_dim, precision, radius;
  json_int_t memory;
  assert_int_equal(
      json_unpack_ex(root, &why, 0,
                     "{s:s, s:s, s:s, s:{s:i, s:i, s:i, s:i, s:s}, s:[{s:s, s:s}], s:{s:o, s:o, s:s, s:s, s:o},"
                     " s:s, s:i, s:i, s:o, s:{s:o, s:o}, s:I}",
                     "schema", &schema, "version", &version, "claim", &claim, "layer", "n", &n, "d", &d, "heads",
                     &heads, "head_dim", &head_dim, "mask", &mask, "inputs", "path", &path, "sha256", &sha256,
                     "lipschitz", "lower", &lower, "upper", &upper, "lower_hex", &lower_hex, "upper_hex", &upper_hex,
                     "relative_width", &width, "engine", &engine, "precision_bits", &precision, "radius", &radius,
                     "bounds", &bounds, "seconds", "layer", &layer_seconds, "total", &total_seconds,
                     "peak_memory_bytes", &memory),
      0);
  assert_string_equal(schema, "attcert/certify/1");
  assert_string_equal(claim, REPORT_CLAIM_NUMBERS " " REPORT_CLAIM_FUNCTION);
  assert_string_equal(engine, "dense");
  assert_string_equal(lower_hex, "0x1.4p+0");
  assert_string_equal(upper_hex, "0x1.8p+0");
  assert_true(json_number_value(lower) == 1.25 && json_number_value(upper) == 1.5);
  assert_int_equal(json_array_size(bounds), THEORY_COUNT);
  json_decref(root);
}

static void test_bounds(void **state) {
  fixture *const f = *state;
  add_bounds(f);
  json_t *const root = parsed(&f->report);
  json_t *const bounds = json_object_get(root, "bounds");
  json_t *const t1 = json_array_get(bounds, THEORY_T1), *const t2 = json_array_get(bounds, THEORY_T2),
                *const t3 = json_array_get(bounds, THEORY_T3);
  assert_true(json_number_value(json_object_get(t1, "upper")) == 6.0);
  assert_true(json_number_value(json_object_get(t1, "ratio")) == 4.0);
  assert_true(json_is_false(json_object_get(t2, "available")) && json_object_get(t2, "upper") == NULL);
  assert_true(json_number_value(json_object_get(t3, "lower")) == 6.0 && json_object_get(t3, "upper") == NULL);
  json_decref(root);
}

/* A certified value of 0 leaves no ratio. */
static void test_zero(void **state) {
  fixture *const f = *state;
  mpfr_set_zero(f->certificate.lower, 1);
  mpfr_set_zero(f->certificate.upper, 1);
  add_bounds(f);
  json_t *const root = parsed(&f->report);
  json_t *const t1 = json_array_get(json_object_get(root, "bounds"), THEORY_T1);
  assert_true(json_is_null(json_object_get(t1, "ratio")));
  assert_true(json_number_value(json_object_get(json_object_get(root, "lipschitz"), "upper")) == 0.0);
  json_decref(root);
}

/* Compares the first number after `label` in text with x, at a precision that holds both exactly. */
static int compare_printed(const char *text, const char *label, mpfr_srcptr x) {
  const char *const at = strstr(text, label);
  if (at == NULL) fail_msg("'%s' is not in:\n%s", label, text);
  mpfr_t printed;
  mpfr_init2(printed, 400);
  mpfr_strtofr(printed, at + strlen(label), NULL, 10, MPFR_RNDN);
  const int order = mpfr_cmp(printed, x);
  mpfr_clear(printed);
  return order;
}

/* No 17-digit decimal is 1/3 rounded to 53 bits: lower ends are printed below it, upper ends above. */
static void test_outward(void **state) {
  fixture *const f = *state;
  attcert_certificate *const c = &f->certificate;
  add_bounds(f);
  mpfr_set_ui(c->lower, 1, MPFR_RNDN);
  mpfr_div_ui(c->lower, c->lower, 3, MPFR_RNDN);
  mpfr_set(c->upper, c->lower, MPFR_RNDN);
  c->relative_width = mpfr_get_d(c->lower, MPFR_RNDN);
  for (int i = 0; i < THEORY_COUNT; i++) mpfr_set(f->bounds.bound[i].value, c->lower, MPFR_RNDN);

  char *json, *text;
  written(&json, true, &f->report);
  written(&text, false, &f->report);
  const char *const bounds = strstr(json, "\"bounds\""), *const table = strstr(text, "theory");
  assert_true(compare_printed(json, "\"lower\": ", c->lower) < 0);
  assert_true(compare_printed(json, "\"upper\": ", c->upper) > 0);
  assert_true(compare_printed(json, "\"relative_width\": ", c->lower) > 0);
  assert_true(compare_printed(bounds, "\"upper\": ", c->lower) > 0);
  assert_true(compare_printed(bounds, "\"lower\": ", c->lower) < 0);
  assert_true(compare_printed(text, "enclosure  ", c->lower) < 0);
  assert_true(compare_printed(text, "||D_X f||_2 <= ", c->upper) > 0);
  assert_true(compare_printed(text, "width      ", c->lower) > 0);
  assert_true(compare_printed(table, "<= ", c->lower) > 0);
  assert_true(compare_printed(table, ">= ", c->lower) < 0);
  free(json);
  free(text);
}

static void test_check(void **state) {
  fixture *const f = *state;
  assert_int_equal(estimate_check_read(&f->check, "1.50000001", NULL), ATTCERT_OK);
  estimate_check_judge(&f->check, f->certificate.lower, f->certificate.upper, 0);
  f->report.check = &f->check;
  f->report.command = "check";
  json_t *const root = parsed(&f->report);
  json_t *const check = json_object_get(root, "check");
  assert_string_equal(json_string_value(json_object_get(root, "schema")), "attcert/check/1");
  assert_string_equal(json_string_value(json_object_get(check, "verdict")), "above");
  assert_true(json_is_false(json_object_get(check, "consistent")));
  assert_null(json_object_get(check, "vector"));
  json_decref(root);
  assert_text_holds(&f->report, "1.50000001 is above the upper end");
  assert_text_holds(&f->report, "refuted");
}

static void test_text(void **state) {
  fixture *const f = *state;
  assert_text_holds(&f->report, REPORT_CLAIM_NUMBERS);
  assert_text_holds(&f->report, REPORT_CLAIM_FUNCTION);
  assert_text_holds(&f->report, "1.2500000000000000e+00 <= ||D_X f||_2 <= 1.5000000000000000e+00");
  assert_text_holds(&f->report, "0x1.4p+0 <= ||D_X f||_2 <= 0x1.8p+0");
  f->options.tolerance = 1e-10;
  f->certificate.tolerance_met = false;
  assert_text_holds(&f->report, "asked: 1e-10, NOT met");
  f->report.incomplete = "the disk is full";
  assert_text_holds(&f->report, "the disk is full: this is the best valid bound so far");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_keys, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_bounds, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_zero, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_outward, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_check, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_text, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
