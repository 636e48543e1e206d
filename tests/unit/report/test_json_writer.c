/* The JSON writer against jansson's parser, and its numbers against MPFR: rounded outward, valid at any magnitude. */
#include "report/json_writer.h"

#include <float.h>
#include <jansson.h>
#include <math.h>
#include <regex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct {
  char *text;
  size_t size;
  FILE *stream;
  json_writer w;
} sink;

static void sink_open(sink *s) {
  s->stream = open_memstream(&s->text, &s->size);
  assert_non_null(s->stream);
  json_writer_begin(&s->w, s->stream);
}

static const char *sink_text(sink *s) {
  json_writer_end(&s->w);
  fclose(s->stream);
  return s->text;
}

static json_t *parse(sink *s) {
  json_error_t why;
  json_t *const root = json_loads(sink_text(s), JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &why);
  if (root == NULL) fail_msg("%s at line %d of:\n%s", why.text, why.line, s->text);
  free(s->text);
  return root;
}

static void test_nested(void **state) {
  (void)state;
  sink s;
  sink_open(&s);
  json_write_object(&s.w, NULL);
  json_write_object(&s.w, "empty object");
  json_write_close(&s.w);
  json_write_array(&s.w, "list");
  json_write_integer(&s.w, NULL, 0);
  json_write_integer(&s.w, NULL, INT64_MAX);
  json_write_array(&s.w, NULL);
  json_write_close(&s.w);
  json_write_null(&s.w, NULL);
  json_write_index(&s.w, NULL, -1);
  json_write_index(&s.w, NULL, 0);
  json_write_bool(&s.w, NULL, true);
  json_write_close(&s.w);
  json_write_bool(&s.w, "no", false);
  json_write_string(&s.w, "nothing", NULL);
  json_write_close(&s.w);
  json_t *const root = parse(&s);
  json_t *const expected = json_pack("{s:{}, s:[i,I,[],n,n,i,b], s:b, s:n}", "empty object", "list", 0,
                                     (json_int_t)INT64_MAX, 0, 1, "no", 0, "nothing");
  assert_true(json_equal(root, expected));
  json_decref(root);
  json_decref(expected);
}

/* What goes in comes out of the parser; bytes that are not UTF-8 come out as U+FFFD each. */
static void test_strings(void **state) {
  (void)state;
  static const struct {
    const char *in, *out;
  } cases[] = {
      {"", ""},
      {"plain", "plain"},
      {"quote \" backslash \\ slash /", "quote \" backslash \\ slash /"},
      {"\a\b\t\n\v\f\r\x01\x1f\x7f", "\a\b\t\n\v\f\r\x01\x1f\x7f"},
      {"caf\xc3\xa9 \xe2\x89\xa4 \xf0\x9f\x98\x80", "caf\xc3\xa9 \xe2\x89\xa4 \xf0\x9f\x98\x80"},
      {"lone \xc3 byte", "lone \xef\xbf\xbd byte"},
      {"end \xe2\x89", "end \xef\xbf\xbd\xef\xbf\xbd"},
      {"overlong \xc0\x80", "overlong \xef\xbf\xbd\xef\xbf\xbd"},
      {"\\u0041", "\\u0041"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    sink s;
    sink_open(&s);
    json_write_object(&s.w, NULL);
    json_write_string(&s.w, cases[i].in, cases[i].in);
    json_write_close(&s.w);
    json_t *const root = parse(&s);
    assert_int_equal(json_object_size(root), 1);
    assert_string_equal(json_string_value(json_object_get(root, cases[i].out)), cases[i].out);
    json_decref(root);
  }
}

/* Every byte sequence of length 2 is written as valid JSON. */
static void test_every_two_bytes(void **state) {
  (void)state;
  sink s;
  sink_open(&s);
  json_write_array(&s.w, NULL);
  for (int a = 1; a < 256; a++) {
    for (int b = 1; b < 256; b += 3) {
      const char text[] = {(char)a, (char)b, '\0'};
      json_write_string(&s.w, NULL, text);
    }
  }
  json_write_close(&s.w);
  json_t *const root = parse(&s);
  assert_int_equal(json_array_size(root), 255 * 85);
  json_decref(root);
}

/* The text of one number on its own. */
static char *real_text(mpfr_srcptr x, mpfr_rnd_t rounding) {
  sink s;
  sink_open(&s);
  json_write_real(&s.w, NULL, x, rounding);
  sink_text(&s);
  s.text[strcspn(s.text, "\n")] = '\0';
  return s.text;
}

static void assert_json_number(const char *text) {
  regex_t grammar;
  assert_int_equal(regcomp(&grammar, "^-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?$", REG_EXTENDED | REG_NOSUB), 0);
  if (regexec(&grammar, text, 0, NULL, 0) != 0) fail_msg("'%s' is no JSON number", text);
  regfree(&grammar);
}

/* What a reader makes of it, to nearest. */
static double as_read(const char *text) {
  return strtod(text, NULL);
}

/* RD <= x <= RU, as texts and as read. Doubles that are not subnormal are two units of the 17th digit apart at most,
 * other numbers of that range two doubles more. */
static void assert_outward(mpfr_srcptr x) {
  char *const down = real_text(x, MPFR_RNDD), *const up = real_text(x, MPFR_RNDU);
  const double nearest = mpfr_get_d(x, MPFR_RNDN);
  mpfr_t lo, hi;
  mpfr_inits2(400, lo, hi, (mpfr_ptr)NULL);
  assert_json_number(down);
  assert_json_number(up);
  assert_true(mpfr_cmp_d(x, as_read(down)) >= 0);
  assert_true(mpfr_cmp_d(x, as_read(up)) <= 0);
  mpfr_set_str(lo, down, 10, MPFR_RNDN);
  mpfr_set_str(hi, up, 10, MPFR_RNDN);
  assert_true(mpfr_lessequal_p(lo, x));
  assert_true(mpfr_greaterequal_p(hi, x));
  mpfr_sub(hi, hi, lo, MPFR_RNDU);
  mpfr_mul_d(lo, x, mpfr_cmp_d(x, nearest) == 0 ? 2.0000001e-16 : 5e-16, MPFR_RNDU);
  assert_true(!isnormal(nearest) || mpfr_cmpabs(hi, lo) <= 0);
  mpfr_clears(lo, hi, (mpfr_ptr)NULL);
  free(down);
  free(up);
}

static void test_numbers(void **state) {
  (void)state;
  static const char *const cases[] = {"0",
                                      "1",
                                      "0x1.fffffffffffffp+0",
                                      "0.1",
                                      "-0.1",
                                      "123456789",
                                      "1e-400",
                                      "1e+400",
                                      "-1e-400",
                                      "-7e+123456",
                                      "3e-9999",
                                      "0x1p+70000",
                                      "0x1.fffffffffffffp+1023",
                                      "0x1.fffffffffffff8p+1023",
                                      "0x1.fffffffffffff00000001p+1023",
                                      "0x1p+1024",
                                      "0x1.8p-1074",
                                      "0x1p-1074",
                                      "-0x1.00000000000000001p-1022",
                                      "-2.86592874239828836",
                                      "0x1.00000000000008p+0",
                                      "-0x1.00000000000007fffffp+0"};
  static const mpfr_prec_t precisions[] = {53, 300};
  for (size_t p = 0; p < 2; p++) {
    mpfr_t x;
    mpfr_init2(x, precisions[p]);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
      mpfr_strtofr(x, cases[i], NULL, 0, MPFR_RNDN);
      assert_outward(x);
    }
    mpfr_clear(x);
  }
}

/* Beyond the doubles an end is the largest one, or more than a reader can hold. */
static void test_beyond_doubles(void **state) {
  (void)state;
  mpfr_t x;
  mpfr_init2(x, 300);
  mpfr_set_str(x, "1e+400", 10, MPFR_RNDN);
  char *const down = real_text(x, MPFR_RNDD), *const up = real_text(x, MPFR_RNDU);
  assert_true(as_read(down) == DBL_MAX);
  assert_true(isinf(as_read(up)));
  mpfr_set_d(x, DBL_MAX, MPFR_RNDN);
  mpfr_nextabove(x);
  char *const above = real_text(x, MPFR_RNDU);
  assert_true(isinf(as_read(above)));
  mpfr_set_str(x, "1e-400", 10, MPFR_RNDN);
  char *const tiny = real_text(x, MPFR_RNDU);
  assert_true(as_read(tiny) == 0x1p-1074);
  mpfr_clear(x);
  free(down);
  free(up);
  free(above);
  free(tiny);
}

static void test_not_numbers(void **state) {
  (void)state;
  sink s;
  mpfr_t x;
  mpfr_init2(x, 53);
  sink_open(&s);
  json_write_array(&s.w, NULL);
  mpfr_set_inf(x, 1);
  json_write_real(&s.w, NULL, x, MPFR_RNDU);
  mpfr_set_nan(x);
  json_write_real(&s.w, NULL, x, MPFR_RNDU);
  json_write_double(&s.w, NULL, INFINITY, MPFR_RNDU);
  json_write_double(&s.w, NULL, (double)NAN, MPFR_RNDU);
  json_write_close(&s.w);
  json_t *const root = parse(&s);
  for (size_t i = 0; i < 4; i++) assert_true(json_is_null(json_array_get(root, i)));
  json_decref(root);
  mpfr_clear(x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_nested),  cmocka_unit_test(test_strings),        cmocka_unit_test(test_every_two_bytes),
      cmocka_unit_test(test_numbers), cmocka_unit_test(test_beyond_doubles), cmocka_unit_test(test_not_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
