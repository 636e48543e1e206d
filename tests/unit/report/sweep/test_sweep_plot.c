/* The picture of a sweep: its numbers, its formats, and what becomes of rows that logarithmic axes have no place
 * for. */
#include "report/sweep/sweep_gnuplot.h"
#include "report/sweep/sweep_plot.h"
#include "report/sweep/sweep_plot_data.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 7 };

/* Rows out of order; lengths 8, 2 and 4, of which 4 has no positive lower end. */
static void init_rows(sweep_row rows[ROWS]) {
  static const int n[ROWS] = {8, 2, 8, 4, 2, 2, 8};
  static const double lower[ROWS] = {10, 1, 30, 0, 3, 2, 20};
  for (int i = 0; i < ROWS; i++) {
    sweep_row_init(&rows[i]);
    rows[i].n = n[i];
    mpfr_set_d(rows[i].lower, lower[i], MPFR_RNDN);
    mpfr_set_d(rows[i].upper, 2 * lower[i], MPFR_RNDN);
    rows[i].bounds.bound[THEORY_T1].available = true;
    mpfr_set_d(rows[i].bounds.bound[THEORY_T1].value, 100 * lower[i], MPFR_RNDN);
    rows[i].bounds.bound[THEORY_T5].available = i == 0;
    mpfr_set_inf(rows[i].bounds.bound[THEORY_T5].value, 1);
  }
}

static void clear_rows(sweep_row rows[ROWS]) {
  for (int i = 0; i < ROWS; i++) sweep_row_clear(&rows[i]);
}

static void test_data(void **state) {
  (void)state;
  sweep_row rows[ROWS];
  sweep_plot_data data;
  init_rows(rows);
  mpfr_set_inf(rows[2].upper, 1);
  assert_int_equal(sweep_plot_data_init(&data, rows, ROWS, NULL), ATTCERT_OK);
  assert_int_equal(data.count, 6);
  for (int i = 1; i < data.count; i++) assert_true(data.points[i - 1].n <= data.points[i].n);
  assert_true(data.low == 1 && data.high == 40); /* the largest finite upper end */
  assert_int_equal(data.length_count, 2);
  assert_int_equal(data.lengths[0].n, 2);
  assert_int_equal(data.lengths[1].n, 8);
  assert_true(data.lengths[0].lower == 2 && data.lengths[1].lower == 20);
  assert_true(data.lengths[0].median[THEORY_T1] == 200 && data.lengths[1].median[THEORY_T1] == 2000);
  assert_true(data.has_bound[THEORY_T1]);
  assert_false(data.has_bound[THEORY_T5] || data.has_bound[THEORY_T6]); /* infinite; not available */
  sweep_plot_data_clear(&data);
  for (int i = 0; i < ROWS; i++) mpfr_set_zero(rows[i].lower, 1);
  attcert_error err;
  assert_int_equal(sweep_plot_data_init(&data, rows, ROWS, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "--plot"));
  clear_rows(rows);
}

static void test_formats(void **state) {
  (void)state;
  sweep_plot_format format;
  assert_true(sweep_plot_format_of(&format, "a/b.svg") && format == SWEEP_PLOT_SVG);
  assert_true(sweep_plot_format_of(&format, "b.png") && format == SWEEP_PLOT_PNG);
  static const char *const others[] = {"", "svg", ".png", "a.pdf", "a.svg.gz", "a.SVG", "asvg"};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) assert_false(sweep_plot_format_of(&format, others[i]));
}

/* The picture as text; the caller frees it. */
static char *picture(sweep_plot_format format, const char *name, const sweep_row *rows, int count) {
  const report_subject subject = {.name = name, .model_layer = 6, .input = "book.txt", .head = 3};
  const sweep_picture drawn = {&subject, rows, count};
  FILE *const image = tmpfile();
  attcert_error err = {.message = ""};
  assert_non_null(image);
  if (sweep_gnuplot_draw(image, sweep_plot, format, &drawn, &err) != ATTCERT_OK) fail_msg("%s", err.message);
  fseek(image, 0, SEEK_END);
  const long size = ftell(image);
  assert_true(size > 1000);
  rewind(image);
  char *const text = calloc(1, (size_t)size + 1);
  assert_int_equal(fread(text, 1, (size_t)size, image), size);
  fclose(image);
  return text;
}

static void test_pictures(void **state) {
  (void)state;
  sweep_row rows[ROWS];
  init_rows(rows);
  char *text = picture(SWEEP_PLOT_PNG, "tiny", rows, ROWS);
  assert_memory_equal(text, "\x89PNG\r\n\x1a\n", 8);
  free(text);
  text = picture(SWEEP_PLOT_SVG, "tiny", rows, ROWS);
  static const char *const drawn[] = {"<svg", "layer 6, head 3", "book.txt", "sequence length n", "T1, median",
                                      "fit ", "</svg>"};
  for (size_t i = 0; i < sizeof drawn / sizeof drawn[0]; i++) {
    if (strstr(text, drawn[i]) == NULL) fail_msg("the picture lacks '%s'", drawn[i]);
  }
  assert_null(strstr(text, "T6, median")); /* no row has it */
  free(text);
  text = picture(SWEEP_PLOT_SVG, "tiny", rows + 4, 1); /* one length: no fit, a range all the same */
  assert_null(strstr(text, "fit "));
  free(text);
  clear_rows(rows);
}

/* A name is text in the picture, whatever it holds: no command, no markup, no end of the string. */
static void test_names(void **state) {
  (void)state;
  static const char *const names[] = {"it's",  "a'; exit 3; '", "a\nexit 3\n", "a_{b}^c @d",  "`date`",
                                      "%d %s", "<b>&amp;",      "\xff\xfe",    "na\xc3\xafve"};
  sweep_row rows[ROWS];
  init_rows(rows);
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    char *const text = picture(SWEEP_PLOT_SVG, names[i], rows, ROWS);
    assert_non_null(strstr(text, "</svg>"));
    assert_non_null(strstr(text, "layer 6"));
    assert_null(strstr(text, "<b>"));
    assert_null(strchr(text, '\xff'));
    free(text);
  }
  char *const text = picture(SWEEP_PLOT_SVG, "it's a_{b}", rows, ROWS);
  assert_non_null(strstr(text, "it's a_{b}, layer 6"));
  free(text);
  clear_rows(rows);
}

/* picture: what it comes to. */
static attcert_status put_nonsense(FILE *script, sweep_plot_format format, const void *picture, attcert_error *err) {
  const attcert_status *const status = picture;
  (void)format;
  fputs("plot nonsense(\n", script);
  return *status == ATTCERT_OK ? ATTCERT_OK : attcert_fail(err, *status, "nothing to draw");
}

static void test_gnuplot_fails(void **state) {
  (void)state;
  attcert_error err;
  attcert_status put = ATTCERT_OK;
  FILE *const image = tmpfile();
  assert_int_equal(sweep_gnuplot_draw(image, put_nonsense, SWEEP_PLOT_SVG, &put, &err), ATTCERT_RESOURCE);
  assert_non_null(strstr(err.message, "gnuplot: exit status"));
  assert_null(strchr(err.message, '\n'));
  put = ATTCERT_INPUT; /* gnuplot is not asked then */
  assert_int_equal(sweep_gnuplot_draw(image, put_nonsense, SWEEP_PLOT_SVG, &put, &err), ATTCERT_INPUT);
  assert_string_equal(err.message, "nothing to draw");
  fclose(image);
}

static void test_no_gnuplot(void **state) {
  (void)state;
  const char *const path = getenv("PATH");
  char *const before = strdup(path != NULL ? path : "");
  attcert_error err;
  assert_int_equal(sweep_gnuplot_probe(&err), ATTCERT_OK);
  assert_int_equal(setenv("PATH", "/nonexistent", 1), 0);
  const attcert_status status = sweep_gnuplot_probe(&err);
  setenv("PATH", before, 1);
  free(before);
  assert_int_equal(status, ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "gnuplot-nox"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_data),  cmocka_unit_test(test_formats),       cmocka_unit_test(test_pictures),
      cmocka_unit_test(test_names), cmocka_unit_test(test_gnuplot_fails), cmocka_unit_test(test_no_gnuplot),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
