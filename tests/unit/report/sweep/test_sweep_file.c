/* The file of a sweep: rows survive, a line cut short does not, other files stay as they are. */
#include "report/sweep/sweep_file.h"

#include "temp_folder.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

static const char header[] = "# {\"schema\": \"attcert/sweep/1\", \"layer\": 6}";

typedef struct {
  temp_folder folder;
  char path[512];
} fixture;

static int set_up(void **state) {
  fixture *const f = calloc(1, sizeof *f);
  if (f == NULL) return -1;
  temp_folder_init(&f->folder);
  temp_folder_path(f->path, &f->folder, "sweep.csv");
  *state = f;
  return 0;
}

static int tear_down(void **state) {
  fixture *const f = *state;
  temp_folder_clear(&f->folder);
  free(f);
  return 0;
}

static void open_ok(sweep_file *file, const fixture *f) {
  attcert_error err = {.message = ""};
  if (sweep_file_open(file, f->path, header, &err) != ATTCERT_OK) fail_msg("%s", err.message);
}

static void set_row(sweep_file *file, int n, int sequence) {
  sweep_row *const row = sweep_file_new_row(file, NULL);
  assert_non_null(row);
  row->n = n;
  row->sequence = sequence;
  row->offset = (sequence - 1) * n;
  strcpy(row->engine, "mpfr");
  mpfr_set_d(row->lower, n, MPFR_RNDN);
  mpfr_set_d(row->upper, n + 1, MPFR_RNDN);
}

static void append(sweep_file *file, int n, int sequence) {
  set_row(file, n, sequence);
  attcert_error err = {.message = ""};
  if (sweep_file_append(file, &err) != ATTCERT_OK) fail_msg("%s", err.message);
}

/* The whole file; the caller frees it. */
static char *contents(const fixture *f) {
  FILE *const in = fopen(f->path, "rb");
  assert_non_null(in);
  char *const text = calloc(1, 1 << 20);
  assert_true(fread(text, 1, (1 << 20) - 1, in) > 0);
  fclose(in);
  return text;
}

static void write_contents(const fixture *f, const char *text) {
  temp_folder_write(&f->folder, "sweep.csv", text, strlen(text));
}

/* Two rows, closed. */
static void write_two_rows(const fixture *f) {
  sweep_file file;
  open_ok(&file, f);
  append(&file, 2, 1);
  append(&file, 2, 2);
  sweep_file_close(&file);
}

static void test_rows_survive(void **state) {
  const fixture *const f = *state;
  sweep_file file;
  write_two_rows(f);
  open_ok(&file, f);
  assert_int_equal(file.count, 2);
  assert_true(sweep_file_has(&file, 2, 1) && sweep_file_has(&file, 2, 2));
  assert_false(sweep_file_has(&file, 2, 3) || sweep_file_has(&file, 4, 1));
  assert_true(mpfr_cmp_ui(file.rows[1].lower, 2) == 0 && mpfr_cmp_ui(file.rows[1].upper, 3) == 0);
  for (int n = 4; n < 400; n++) append(&file, n, 1); /* the array of rows grows */
  sweep_file_close(&file);
  open_ok(&file, f);
  assert_int_equal(file.count, 398);
  assert_int_equal(file.rows[397].n, 399);
  sweep_file_close(&file);
}

/* Whatever length the file was cut to (a third of all lengths; each takes three fsync): opening it removes at most the
 * line that was cut, and the rows that were whole are still there; after appending what is missing it is the file it
 * was. */
static void test_cut_anywhere(void **state) {
  const fixture *const f = *state;
  write_two_rows(f);
  char *const whole = contents(f);
  const size_t length = strlen(whole);
  for (size_t kept = 0; kept < length; kept += 3) {
    sweep_file file;
    temp_folder_write(&f->folder, "sweep.csv", whole, kept);
    open_ok(&file, f);
    for (int i = 0; i < file.count; i++) assert_true(sweep_file_has(&file, 2, i + 1));
    for (int sequence = file.count + 1; sequence <= 2; sequence++) append(&file, 2, sequence);
    sweep_file_close(&file);
    char *const again = contents(f);
    if (strcmp(again, whole) != 0) fail_msg("cut to %zu bytes:\n%s", kept, again);
    free(again);
  }
  free(whole);
}

/* Refused with a message that says `named`, and left as it was. */
static void refuses(const fixture *f, const char *text, const char *named) {
  sweep_file file;
  attcert_error err = {.message = ""};
  write_contents(f, text);
  assert_int_equal(sweep_file_open(&file, f->path, header, &err), ATTCERT_INPUT);
  if (strstr(err.message, named) == NULL) fail_msg("'%s' does not say %s", err.message, named);
  assert_non_null(strstr(err.message, f->path));
  char *const after = contents(f);
  assert_string_equal(after, text);
  free(after);
}

static void test_other_files(void **state) {
  const fixture *const f = *state;
  refuses(f, "# {\"schema\": \"attcert/sweep/1\", \"layer\": 5}\nn\n", "\"layer\" is 5, expected 6");
  refuses(f, "# {\"schema\": \"attcert/sweep/1\", \"layer\": 60}\nn\n", "\"layer\" is 60, expected 6");
  refuses(f, "n,lower\n1,2\n", "not the file of a sweep");
  refuses(f, "a thesis without a newline", "not the file of a sweep");
  char other_columns[256];
  snprintf(other_columns, sizeof other_columns, "%s\nn,lower\n1,2\n", header);
  refuses(f, other_columns, "columns");
}

static void test_bad_rows(void **state) {
  const fixture *const f = *state;
  char changed[4096];
  write_two_rows(f);
  char *const whole = contents(f);
  const char *const last = strstr(whole, "\n2,2,");
  snprintf(changed, sizeof changed, "%s2,x,0\n", whole);
  refuses(f, changed, "line 5: sequence is 'x'");
  snprintf(changed, sizeof changed, "%s%s", whole, last + 1); /* the last row twice */
  refuses(f, changed, "line 5: n = 2, sequence 2 for a second time");
  snprintf(changed, sizeof changed, "%s\n%s", whole, last + 1); /* an empty line */
  refuses(f, changed, "line 5: n is ''");
  free(whole);
}

static void test_places(void **state) {
  const fixture *const f = *state;
  sweep_file file;
  attcert_error err;
  assert_int_equal(sweep_file_open(&file, f->folder.path, header, &err), ATTCERT_INPUT);
  assert_int_equal(sweep_file_open(&file, "/nonexistent/sweep.csv", header, &err), ATTCERT_INPUT);
  assert_int_equal(sweep_file_open(&file, "/dev/null", header, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "not a regular file"));
}

static void test_lock(void **state) {
  const fixture *const f = *state;
  sweep_file file, second;
  attcert_error err;
  open_ok(&file, f);
  append(&file, 2, 1);
  assert_int_equal(sweep_file_open(&second, f->path, header, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "another sweep is writing"));
  append(&file, 2, 2);
  sweep_file_close(&file);
  open_ok(&second, f);
  assert_int_equal(second.count, 2);
  sweep_file_close(&second);
}

/* A disk that takes a part of a row only, played by a limit on the size of files: the part is removed. */
static void test_full_disk(void **state) {
  const fixture *const f = *state;
  struct rlimit before, limited;
  sweep_file file;
  attcert_error err = {.message = ""};
  write_two_rows(f);
  char *const whole = contents(f);
  open_ok(&file, f);
  set_row(&file, 4, 1);
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
  limited = before;
  limited.rlim_cur = strlen(whole) + 10;
  void (*const handler)(int) = signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &limited), 0);
  const attcert_status status = sweep_file_append(&file, &err);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
  signal(SIGXFSZ, handler);
  assert_int_equal(status, ATTCERT_RESOURCE);
  assert_non_null(strstr(err.message, "cannot write"));
  assert_int_equal(file.count, 2);
  char *const after = contents(f);
  assert_string_equal(after, whole);
  assert_int_equal(sweep_file_append(&file, NULL), ATTCERT_OK); /* there is room again */
  sweep_file_close(&file);
  open_ok(&file, f);
  assert_int_equal(file.count, 3);
  sweep_file_close(&file);
  free(after);
  free(whole);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_rows_survive), TEST(test_cut_anywhere), TEST(test_other_files), TEST(test_bad_rows),
      TEST(test_places),       TEST(test_lock),         TEST(test_full_disk),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
