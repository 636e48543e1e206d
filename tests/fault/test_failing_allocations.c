/* Memory that is refused: for the k-th call of malloc, calloc or realloc, once and from the k-th on, a command ends
 * with exit status 3 and one line, or with the result that it has with memory; never with an abort, a signal, a hang or
 * another result.
 *   ATTCERT_CASES=N    values of k a command and a way of failing, evenly spread (default 12)
 * An argument names the commands below that are run, with the shell's * and ?.
 * The functions are replaced for every library that this program loads. */
#define _GNU_SOURCE /* dladdr */
#include "faulty_command.h"
#include "test_setting.h"
#include "tiny_head.h"

#include "base/memory_stream.h"
#include "cli/out_of_memory.h"
#include "interval/interval_set.h"
#include "interval/interval_vec.h"
#include "linalg/eigenvalue/verified_eigenvalue.h"
#include "model/format/npy.h"

#include <dlfcn.h>
#include <errno.h>
#include <gmp.h>
#include <jansson.h>
#include <lapacke.h>
#include <mpfr.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)

/* ---- the functions that fail ------------------------------------------------------------------------------------- */

typedef struct {
  long calls; /* so far, in this run; counted in shared memory, for the parent */
  long first; /* the call that fails; 0: none */
  bool once;
} fault;

static temp_folder folder;
static fault *injected; /* NULL: nothing is counted or fails */

/* OpenBLAS (0.3.21) uses what malloc gives to its kernels for small matrices without a look: not ours to test. */
static bool is_openblas(const void *code) {
  Dl_info place;
  return dladdr(code, &place) != 0 && strstr(place.dli_fname, "openblas") != NULL;
}

static bool refused(const void *caller) {
  if (injected == NULL) return false;
  const long call = __atomic_add_fetch(&injected->calls, 1, __ATOMIC_RELAXED);
  if (injected->first == 0 || call < injected->first || (injected->once && call > injected->first)) return false;
  if (is_openblas(caller)) return false;
  errno = ENOMEM;
  return true;
}

/* Hidden, as the compiler's options would have them, no library would find them. */
#pragma GCC visibility push(default)
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);

void *malloc(size_t bytes) {
  return refused(__builtin_return_address(0)) ? NULL : __libc_malloc(bytes);
}
void *calloc(size_t count, size_t bytes) {
  return refused(__builtin_return_address(0)) ? NULL : __libc_calloc(count, bytes);
}
void *realloc(void *memory, size_t bytes) {
  return refused(__builtin_return_address(0)) ? NULL : __libc_realloc(memory, bytes);
}
#pragma GCC visibility pop

/* Reports name seconds and peak memory; here no time passes. */
int clock_gettime(clockid_t clock, struct timespec *now) {
  (void)clock;
  *now = (struct timespec){0};
  return 0;
}
int getrusage(__rusage_who_t who, struct rusage *usage) {
  (void)who;
  memset(usage, 0, sizeof *usage);
  return 0;
}

/* ---- the runs ---------------------------------------------------------------------------------------------------- */

static void arm(void *context) {
  injected = context;
}

static const char grows[] = "sweep --n"; /* the command whose file does */

static long fails_at(fault *f, const char *line, const command_result *whole, long first, bool once) {
  static command_result result;
  *f = (fault){.first = first, .once = once};
  faulty_command_run(&result, &folder, line, arm, f);
  const char *const complaint = faulty_command_complaint(&result, whole, strncmp(line, grows, strlen(grows)) == 0);
  if (complaint == NULL) return 0;
  print_error("%s: allocation %ld %s refused: %s (exit status %d)\n%s%s", line, first,
              once ? "alone" : "and later ones", complaint, result.status, result.err, result.out);
  return 1;
}

/* Every k, or as many as were asked for. */
static void run(const char *line) {
  static command_result whole, again;
  fault *const f = mmap(NULL, sizeof *f, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert_true(f != MAP_FAILED);
  const long cases = (long)test_setting("ATTCERT_CASES", 12);
  long failures = 0, runs = 0;
  temp_folder_init(&folder);
  *f = (fault){0};
  faulty_command_run(&whole, &folder, line, arm, f);
  const long calls = f->calls;
  *f = (fault){0};
  faulty_command_run(&again, &folder, line, arm, f);
  assert_string_equal(whole.err, "");
  assert_string_equal(whole.out, again.out); /* or no run could be compared */
  assert_string_equal(whole.file, again.file);
  assert_true(whole.status != 3 && whole.status < 128 && calls > 0);
  const long count = calls < cases ? calls : cases;
  for (long i = 0; i < count; i++) {
    const long first = 1 + i * calls / count;
    failures += fails_at(f, line, &whole, first, true) + fails_at(f, line, &whole, first, false);
    runs += 2;
  }
  print_message("%ld allocations, %ld runs, %ld broken promises: %s\n", calls, runs, failures, line);
  temp_folder_clear(&folder);
  munmap(f, sizeof *f);
  assert_int_equal(failures, 0);
}

/* ---- the libraries that cannot report it: each one's function of src/cli/out_of_memory.c ------------------------- */

typedef struct {
  const char *what; /* the line on standard error has it */
  void (*allocate)(void);
  fault *injected;
} library_call;

static mpz_t grown;

static void allocate_integer(void) {
  mpz_t z;
  mpz_init2(z, 1024);
}
static void reallocate_integer(void) {
  mpz_realloc2(grown, 1 << 20);
}
static void allocate_real(void) {
  mpfr_t x;
  mpfr_init2(x, 1024);
}
static void allocate_json(void) {
  json_decref(json_array());
}
/* Row by row: LAPACKE allocates the transpose. */
static void transpose_matrix(void) {
  double a[] = {2, 0, 0, 2}, factors[2], work[64];
  LAPACKE_dgeqrf_work(LAPACK_ROW_MAJOR, 2, 2, a, 2, factors, work, 64);
}
static void allocate_workspace(void) {
  double a[] = {2, 0, 0, 2}, eigenvalues[2];
  LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'L', 2, a, 2, eigenvalues);
}

/* In the child, in place of a command. */
static void call_without_memory(void *context) {
  const library_call *const c = context;
  out_of_memory_prepare();
  mpz_init2(grown, 64);
  arm(c->injected);
  c->allocate();
  _exit(0);
}

static void library_calls(void **state) {
  (void)state;
  static command_result result;
  fault f;
  library_call calls[] = {
      {"a number of many digits needs", allocate_integer, &f},
      {"a number of many digits needs", reallocate_integer, &f},
      {"a number of many digits needs", allocate_real, &f},
      {"a JSON value needs", allocate_json, &f},
      {"the workspace of a factorisation", transpose_matrix, &f},
      {"the workspace of a factorisation", allocate_workspace, &f},
  };
  temp_folder_init(&folder);
  for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
    f = (fault){.first = 1};
    faulty_command_run(&result, &folder, "info", call_without_memory, &calls[i]);
    if (result.status != 3 || strstr(result.err, calls[i].what) == NULL || result.out[0] != '\0')
      fail_msg("library call %zu: exit status %d, '%s%s'", i, result.status, result.err, result.out);
  }
  temp_folder_clear(&folder);
}

/* ---- functions that ended well without memory -------------------------------------------------------------------- */

/* Calls in the child, where each allocation fails once: exit status 3 then, and 0 when none does. */
static void refuse_each(void (*call)(void *), long least) {
  static command_result result;
  fault *const f = mmap(NULL, sizeof *f, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert_true(f != MAP_FAILED);
  temp_folder_init(&folder);
  long first = 0;
  do {
    *f = (fault){.first = ++first, .once = true};
    faulty_command_run(&result, &folder, "info", call, f);
    if (result.status != (f->calls < first ? 0 : 3)) fail_msg("allocation %ld: exit status %d", first, result.status);
  } while (f->calls >= first);
  assert_true(first > least);
  temp_folder_clear(&folder);
  munmap(f, sizeof *f);
}

/* A proposal that is not verified for want of memory is not one that is false. */
static void verify_without_memory(void *context) {
  const double entries[] = {2, 1, 1, 3}, guess = 3.618033988749895, vector[] = {0.618033988749895, 1};
  bool verified;
  interval lambda, *const m = interval_vec_new(4, 128);
  interval_init(&lambda, 128);
  for (int i = 0; i < 4; i++) interval_set_d(&m[i], entries[i]);
  out_of_memory_prepare();
  arm(context);
  const attcert_status status = verified_eigenvalue(&verified, &lambda, m, 2, guess, vector, NULL);
  _exit(status == ATTCERT_OK && verified ? 0 : status == ATTCERT_RESOURCE ? 3 : 98);
}

static void an_eigenvalue(void **state) {
  (void)state;
  refuse_each(verify_without_memory, 10);
}

/* glibc's fclose succeeds without a text. */
static void print_without_memory(void *context) {
  char *text = NULL;
  size_t length = 0;
  arm(context);
  FILE *const stream = open_memstream(&text, &length);
  if (stream == NULL) _exit(3);
  fputs("text", stream);
  const bool printed = memory_stream_close(stream, &text);
  _exit(printed && strcmp(text, "text") == 0 ? 0 : !printed && text == NULL ? 3 : 98);
}

static void a_text(void **state) {
  (void)state;
  refuse_each(print_without_memory, 2);
}

/* ---- the commands ------------------------------------------------------------------------------------------------ */

#define NETWORK "--model random:bert:8,2,1 --seed 4 --text src/cli/demo.txt --tokens 4"

static void certify_mpfr(void **state) {
  (void)state;
  run("certify " FAULTY_COMMAND_LAYER " --engine mpfr --format json --no-bounds");
}
static void certify_dense(void **state) {
  (void)state;
  run("certify " FAULTY_COMMAND_LAYER " --engine dense --format json");
}
static void certify_deflated(void **state) {
  (void)state;
  run("certify " FAULTY_COMMAND_LAYER " --engine deflated --format json --no-bounds");
}
static void certify_pointwise(void **state) {
  (void)state;
  run("certify " FAULTY_COMMAND_LAYER " --engine pointwise --format json --no-bounds");
}
static void certify_ball(void **state) {
  (void)state;
  run("certify " FAULTY_COMMAND_LAYER " --radius 0.01 --format json --no-bounds");
}
static void bounds(void **state) {
  (void)state;
  run("bounds " FAULTY_COMMAND_LAYER " --format json");
}
static void check(void **state) {
  (void)state;
  run("check " FAULTY_COMMAND_LAYER " --estimate 0.5 --format json");
}
static void worst(void **state) {
  (void)state;
  run("worst --model random:gpt2:8,2,2 --layer 1 --heads 0 --mask none --tokens 4 --radius-of-inputs 2 --starts 1 "
      "--steps 2 --threads 1 --memory-limit 1G --format json");
}
static void sweep(void **state) {
  (void)state;
  run("sweep --model random:gpt2:4,1,2 --layer 1 --text src/cli/demo.txt --tokens 2 --radius 1e-3:1e-2:log:2 "
      "--output % --threads 1 --memory-limit 1G");
}
static void sweep_rows(void **state) {
  (void)state;
  run("sweep --n 2:4:2 --sequences 1 --model random:gpt2:8,2,2 --layer 1 --text src/cli/demo.txt --output % "
      "--threads 1 --memory-limit 1G");
}
/* A tokenizer of many parts. */
static void certify_tokenizer(void **state) {
  (void)state;
  static const char json[] =
      "{\"added_tokens\": [{\"id\": 0, \"content\": \"<s>\", \"special\": true, \"normalized\": false}, {\"id\": 9,"
      " \"content\": \"lig\", \"normalized\": true}], \"normalizer\": {\"type\": \"Sequence\", \"normalizers\": "
      "[{\"type\":"
      " \"NFKC\"}, {\"type\": \"Replace\", \"pattern\": {\"Regex\": \"\\\\s+\"}, \"content\": \" \"}, {\"type\":"
      " \"Prepend\", \"prepend\": \" \"}]}, \"pre_tokenizer\": {\"type\": \"Sequence\", \"pretokenizers\": [{\"type\":"
      " \"Split\", \"pattern\": {\"String\": \"x\"}, \"behavior\": \"Isolated\"}, {\"type\": \"ByteLevel\"}]},"
      " \"post_processor\": {\"type\": \"ByteLevel\"}, \"model\": {\"type\": \"BPE\", \"unk_token\": \"?\", \"vocab\":"
      " {\"<s>\": 0, \"?\": 1, \"Ġ\": 2, \"h\": 3, \"e\": 4, \"he\": 5, \"Ġt\": 6, \"t\": 7, \"Ġthe\": 8}, \"merges\":"
      " [\"h e\", [\"Ġ\", \"t\"], [\"Ġt\", \"he\"]]}}";
  char command[1024], path[512];
  temp_folder files;
  temp_folder_init(&files);
  temp_folder_write(&files, "tokenizer.json", json, strlen(json));
  snprintf(command, sizeof command,
           "certify " FAULTY_COMMAND_LAYER " --engine mpfr --format json --no-bounds --tokenizer %s",
           temp_folder_path(path, &files, "tokenizer.json"));
  run(command);
  temp_folder_clear(&files);
}
static void certify_file(void **state) {
  (void)state;
  run("certify " FAULTY_COMMAND_LAYER " --format json --no-bounds --output %");
}
static void info(void **state) {
  (void)state;
  run("info random:gpt2:8,2,2 --format json");
}
static void robust(void **state) {
  (void)state;
  run("robust " NETWORK " --radius 1e-6 --attack 0 --format json");
}
/* A folder whose labels have names, and signs. */
static void robust_labels(void **state) {
  (void)state;
  temp_folder labels;
  tiny_body body;
  char line[512], input[512];
  random_source r = random_source_make(1, 0, 0);
  const double hidden[2 * TINY_DIM] = {1, 0.5, -1, 0, 2, 1, -1, 1, 0, 0.25, 1, 0};
  attcert_matrix x = {2, TINY_DIM, (double *)hidden};
  assert_true(tiny_body_init(&body, 0, &r));
  tiny_head_add(&body, &tiny_heads[0], &r);
  temp_folder_init(&labels);
  tiny_body_write(&labels, &body,
                  "\"architectures\": [\"BertForSequenceClassification\"], \"problem_type\": "
                  "\"multi_label_classification\", \"id2label\": {\"0\": \"a\", \"1\": \"b\", \"2\": \"c\"}, ",
                  true);
  assert_int_equal(npy_write(temp_folder_path(input, &labels, "x.npy"), &x, NULL), ATTCERT_OK);
  snprintf(line, sizeof line, "robust --model %.200s --hidden %.200s --radius 1e-6 --format json", labels.path, input);
  run(line);
  tiny_body_clear(&body);
  temp_folder_clear(&labels);
}
static void gradient(void **state) {
  (void)state;
  run("gradient --model random:bert:8,2,1 --seed 4 --token-ids 65,66,67 --words B,2 --format json");
}
static void predict(void **state) {
  (void)state;
  run("predict --model random:bert:8,2,1 --seed 4 --token-ids 65,66,67 --format json");
}
static void spectrum(void **state) {
  (void)state;
  run("spectrum --model random:gpt2:6,2,2 --layer 1 --text src/cli/demo.txt --tokens 3 --fold-layernorm --propagation "
      "--length 3 --samples 5 --format json");
}

int main(int argc, char **argv) {
  faulty_command_limit_threads(argv);
  if (argc > 1) cmocka_set_test_filter(argv[1]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(library_calls),
      cmocka_unit_test(an_eigenvalue),
      cmocka_unit_test(a_text),
      cmocka_unit_test(certify_mpfr),
      cmocka_unit_test(certify_dense),
      cmocka_unit_test(certify_deflated),
      cmocka_unit_test(certify_ball),
      cmocka_unit_test(certify_pointwise),
      cmocka_unit_test(bounds),
      cmocka_unit_test(check),
      cmocka_unit_test(worst),
      cmocka_unit_test(sweep),
      cmocka_unit_test(sweep_rows),
      cmocka_unit_test(certify_file),
      cmocka_unit_test(certify_tokenizer),
      cmocka_unit_test(info),
      cmocka_unit_test(robust),
      cmocka_unit_test(robust_labels),
      cmocka_unit_test(gradient),
      cmocka_unit_test(predict),
      cmocka_unit_test(spectrum),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void) {
  puts("[  SKIPPED ] refused memory: an address sanitizer has an allocator of its own\n[  SKIPPED ] 1 test(s).");
  return 0;
}

#endif
