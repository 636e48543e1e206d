/* The end of the process from within malloc's caller: only calls that allocate nothing, and no unwinding through
 * libraries that do not expect it. */
#include "cli/out_of_memory.h"

#include "base/arrays.h"
#include "base/lapack_memory.h"
#include "base/parallel.h"
#include "base/unfinished_files.h"
#include "base/write_all.h"

#include <cblas.h>
#include <gmp.h>
#include <inttypes.h>
#include <jansson.h>
#include <lapacke.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* By the first thread that comes here; the others wait for the process to end. */
static _Noreturn void give_up(const char *what, size_t bytes) {
  static atomic_flag ending = ATOMIC_FLAG_INIT;
  char line[128];
  while (atomic_flag_test_and_set(&ending)) pause();
  unfinished_files_remove();
  const int length = bytes == 0
                         ? snprintf(line, sizeof line, "attcert: out of memory: %s\n", what)
                         : snprintf(line, sizeof line, "attcert: out of memory: %s needs %zu bytes\n", what, bytes);
  write_all(STDERR_FILENO, line, (size_t)length);
  _exit(ATTCERT_RESOURCE); /* not exit: other threads still run */
}

static const char number[] = "a number of many digits";

static void *allocate_number(size_t bytes) {
  void *const memory = malloc(bytes);
  if (memory == NULL) give_up(number, bytes);
  return memory;
}

static void *reallocate_number(void *memory, size_t old_bytes, size_t bytes) {
  (void)old_bytes;
  void *const larger = realloc(memory, bytes);
  if (larger == NULL) give_up(number, bytes);
  return larger;
}

static void release_number(void *memory, size_t bytes) {
  (void)bytes;
  free(memory);
}

static void *allocate_json(size_t bytes) {
  void *const memory = malloc(bytes);
  if (memory == NULL) give_up("a JSON value", bytes);
  return memory;
}

/* In place of LAPACKE's own, which prints. Its other complaints are of arguments that are wrong, a mistake of this
 * program's that the routine's status then tells. (lapacke.h does not declare it; hidden, it would not be found by
 * LAPACKE.) */
__attribute__((visibility("default"))) void LAPACKE_xerbla(const char *name, lapack_int info);
void LAPACKE_xerbla(const char *name, lapack_int info) {
  (void)name;
  if (lapack_lacks_memory(info)) give_up("the workspace of a factorisation", 0);
}

void out_of_memory_prepare(void) {
  mp_set_memory_functions(allocate_number, reallocate_number, release_number);
  json_set_alloc_funcs(allocate_json, free);
}

/* ---- BLAS's buffers ---------------------------------------------------------------------------------------------- */

/* For each thread one of at most 128 MiB (BUFFER_SIZE of OpenBLAS's param.h, the largest of its x86-64 kernels); with
 * it the thread's stack, and the product below. malloc sets 64 MiB aside for a new thread (HEAP_MAX_SIZE of glibc). */
static const size_t blas_buffer = (size_t)144 << 20, thread_heap = (size_t)64 << 20;

#define LIMITED \
  "out of memory: the address space is limited to %" PRIu64 " bytes (ulimit -v), of which BLAS needs %zu for "

/* How many threads OpenBLAS will start: one a processor, or as many as the first of these variables says. */
static size_t blas_threads(char *const *environment) {
  static const char *const variables[] = {"OPENBLAS_NUM_THREADS=", "GOTO_NUM_THREADS=", "OMP_NUM_THREADS="};
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  long asked = 0;
  for (size_t i = 0; i < sizeof variables / sizeof variables[0] && asked <= 0; i++) {
    for (char *const *e = environment; *e != NULL; e++) {
      if (strncmp(*e, variables[i], strlen(variables[i])) == 0) asked = strtol(*e + strlen(variables[i]), NULL, 10);
    }
  }
  return (size_t)(asked > 0 && asked < processors ? asked : processors > 0 ? processors : 1);
}

/* Newer ones (0.3.29) ask for their buffers when they are loaded, before main; so there is room for these, or the
 * process ends before any library is initialised: getenv, stdio's streams and atexit may not be ready yet. */
static void look_for_room(int argc, char **argv, char **environment) {
  struct rlimit limit;
  char line[256];
  (void)argc, (void)argv;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
  const size_t threads = blas_threads(environment), bytes = threads * (blas_buffer + thread_heap);
  void *const room = array_new(bytes, 1, NULL, "the buffers of BLAS"); /* pages that nobody touches */
  free(room);
  if (room != NULL) return;
  const int length = snprintf(line, sizeof line, "attcert: " LIMITED "%zu threads (OPENBLAS_NUM_THREADS)\n",
                              (uint64_t)limit.rlim_cur, bytes, threads);
  write_all(STDERR_FILENO, line, (size_t)length);
  _exit(ATTCERT_RESOURCE);
}

typedef void initialiser(int argc, char **argv, char **environment);
__attribute__((section(".preinit_array"), used)) static initialiser *const first = look_for_room;

/* A product large enough for all threads: with it BLAS has the buffers that it keeps. */
static attcert_status take_buffers(attcert_error *err) {
  const int side = 256;
  const size_t entries = (size_t)side * (size_t)side;
  double *const a = array_new(2 * entries, sizeof *a, err, "a product of matrices");
  if (a == NULL) return ATTCERT_RESOURCE;
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, side, side, side, 1.0, a, side, a, side, 0.0, a + entries,
              side);
  free(a);
  return ATTCERT_OK;
}

static bool fits(size_t bytes) {
  void *const room = array_new(bytes, 1, NULL, "the buffers of BLAS");
  free(room);
  return room != NULL;
}

attcert_status out_of_memory_check_limit(int *threads, attcert_error *err) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return ATTCERT_OK;
  const int of_blas = openblas_get_num_threads();
  const size_t bytes = (size_t)of_blas * blas_buffer;
  int ours = parallel_threads(*threads);
  while (*threads == 0 && ours > 1 && !fits(bytes + (size_t)(ours - 1) * (blas_buffer + thread_heap))) ours--;
  const size_t all = bytes + (size_t)(ours - 1) * (blas_buffer + thread_heap);
  if (!fits(all))
    return attcert_fail(err, ATTCERT_RESOURCE, LIMITED "%d threads (OPENBLAS_NUM_THREADS) and %d of ours (--threads)",
                        (uint64_t)limit.rlim_cur, all, of_blas, ours);
  *threads = ours;
  return take_buffers(err);
}
