/* System calls that fail: the k-th call of one kind (open, read, write, ...) that a command makes returns an error.
 * After EINTR the command's result is the same as without; after any other error it ends with exit status 3 and one
 * line, or with the same result; no part of a file is left. The kernel's answers are replaced by ptrace, so that those
 * made inside the C library are reached too.
 *   ATTCERT_CASES=N    values of k a command, a call and an error, evenly spread (default: all)
 */
#define _GNU_SOURCE
#include "faulty_command.h"
#include "test_setting.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#if defined(__x86_64__) && defined(__linux__)
#include <sys/user.h>

#ifdef __SANITIZE_ADDRESS__
/* A process that is traced cannot look for leaks. (Hidden, the sanitizer would not find it.) */
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void) {
  return "detect_leaks=0";
}
#endif

typedef struct {
  const char *name;
  long number[2]; /* of the system calls of this kind; 0 ends them, or is read */
  int errors[4];  /* 0 ends them */
} kind;

static const kind kinds[] = {
    {"open", {SYS_openat, -1}, {EINTR, EMFILE, EIO, 0}},
    {"read", {SYS_read, SYS_pread64}, {EINTR, EIO, 0}},
    {"write", {SYS_write, SYS_pwrite64}, {EINTR, ENOSPC, EIO, 0}},
    {"fsync", {SYS_fsync, -1}, {EINTR, EIO, ENOSPC, 0}},
    {"rename", {SYS_rename, -1}, {EIO, ENOSPC, 0}},
    {"close", {SYS_close, -1}, {EINTR, EIO, 0}},
    {"fstat", {SYS_newfstatat, SYS_fstat}, {EIO, ENOMEM, 0}},
    {"mmap", {SYS_mmap, -1}, {ENOMEM, 0}},
    {"lock", {SYS_flock, -1}, {EINTR, ENOLCK, 0}},
    {"truncate", {SYS_ftruncate, SYS_fallocate}, {ENOSPC, 0}},
};

/* ---- one run ----------------------------------------------------------------------------------------------------- */

typedef struct {
  const kind *kind;
  long first; /* the call that fails; 0: none */
  int error;
  long calls; /* so far */
} fault;

static void be_traced(void *context) {
  (void)context;
  ptrace(PTRACE_TRACEME, 0, NULL, NULL);
  raise(SIGSTOP);
}

static bool concerns(const fault *f, const struct user_regs_struct *r) {
  const long number = (long)r->orig_rax;
  if (number != f->kind->number[0] && number != f->kind->number[1]) return false;
  if (number == SYS_write && r->rdi == STDERR_FILENO) return false; /* the line that says what went wrong */
  return number != SYS_mmap || (int)r->r8 >= 0;                     /* of files: memory is another test's */
}

/* At the entry to a system call: whether it is the one that fails, which then is none that the kernel knows. */
static bool spoil(fault *f, pid_t process) {
  struct user_regs_struct r;
  ptrace(PTRACE_GETREGS, process, NULL, &r);
  if (!concerns(f, &r) || ++f->calls != f->first) return false;
  r.orig_rax = (unsigned long long)-1;
  ptrace(PTRACE_SETREGS, process, NULL, &r);
  return true;
}

static void answer(const fault *f, pid_t process) {
  struct user_regs_struct r;
  ptrace(PTRACE_GETREGS, process, NULL, &r);
  r.rax = (unsigned long long)-(long)f->error;
  ptrace(PTRACE_SETREGS, process, NULL, &r);
}

/* Waits for the process to end, from call to call. */
static int follow(pid_t process, void *context) {
  fault *const f = context;
  bool inside = false, failing = false;
  int status;
  if (waitpid(process, &status, 0) != process || !WIFSTOPPED(status)) return status;
  ptrace(PTRACE_SETOPTIONS, process, NULL, (void *)(PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL));
  for (int signal = 0;;) {
    ptrace(PTRACE_SYSCALL, process, NULL, (void *)(intptr_t)signal);
    if (waitpid(process, &status, 0) != process || !WIFSTOPPED(status)) return status;
    signal = WSTOPSIG(status) == (SIGTRAP | 0x80) ? 0 : WSTOPSIG(status);
    if (signal != 0) continue;
    inside = !inside;
    if (inside)
      failing = spoil(f, process);
    else if (failing)
      answer(f, process);
  }
}

/* ---- the runs ---------------------------------------------------------------------------------------------------- */

static temp_folder folder;

static long fails_at(fault f, const char *line, const command_result *whole) {
  static command_result result;
  faulty_command_follow(&result, &folder, line, be_traced, follow, &f);
  const char *complaint = faulty_command_complaint(&result, whole, strncmp(line, "sweep --n", 9) == 0);
  if (complaint == NULL && f.error == EINTR && result.status != whole->status) complaint = "EINTR ended it";
  if (complaint == NULL) return 0;
  print_error("%s: %s %ld fails, %s: %s (exit status %d)\n%s%s\n", line, f.kind->name, f.first, strerror(f.error),
              complaint, result.status, result.err, result.out);
  return 1;
}

static long run_kind(const kind *k, const char *line, const command_result *whole, long *runs) {
  static command_result again;
  const long cases = (long)test_setting("ATTCERT_CASES", 1000);
  long failures = 0;
  fault counting = {.kind = k};
  faulty_command_follow(&again, &folder, line, be_traced, follow, &counting);
  assert_int_equal(again.status, whole->status);
  const long count = counting.calls < cases ? counting.calls : cases;
  for (const int *error = k->errors; *error != 0; error++) {
    for (long i = 0; i < count; i++)
      failures += fails_at((fault){.kind = k, .first = 1 + i * counting.calls / count, .error = *error}, line, whole);
    *runs += count;
  }
  return failures;
}

static void nothing(void *context) {
  (void)context;
}

static void run(const char *line) {
  static command_result whole;
  long failures = 0, runs = 0;
  temp_folder_init(&folder);
  faulty_command_run(&whole, &folder, line, nothing, NULL);
  assert_string_equal(whole.err, "");
  assert_int_equal(whole.status, 0);
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) failures += run_kind(&kinds[i], line, &whole, &runs);
  temp_folder_clear(&folder);
  print_message("%ld runs, %ld broken promises: %s\n", runs, failures, line);
  assert_true(runs > 0);
  assert_int_equal(failures, 0);
}

/* Reports name seconds; here no time passes. */
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

static void standard_output(void **state) {
  (void)state;
  run("certify " FAULTY_COMMAND_LAYER " --format json --no-bounds");
}
static void a_file(void **state) {
  (void)state;
  run("certify " FAULTY_COMMAND_LAYER " --format json --no-bounds --output %");
}
static void an_input(void **state) {
  (void)state;
  run("certify " FAULTY_COMMAND_LAYER " --format json --no-bounds --save-input %");
}
static void rows(void **state) {
  (void)state;
  run("sweep --n 2:4:2 --sequences 1 --model random:gpt2:8,2,2 --layer 1 --text src/cli/demo.txt --output % "
      "--threads 1 --memory-limit 1G");
}
static void info(void **state) {
  (void)state;
  run("info tests/fuzz/corpus/weights/good-heads --format json");
}
static void npy(void **state) {
  (void)state;
  run("info tests/fuzz/corpus/npy/good-f8 --format json");
}

int main(int argc, char **argv) {
  (void)argc;
  faulty_command_limit_threads(argv);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(standard_output),
      cmocka_unit_test(a_file),
      cmocka_unit_test(an_input),
      cmocka_unit_test(rows),
      cmocka_unit_test(info),
      cmocka_unit_test(npy),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void) {
  puts("[  SKIPPED ] failing system calls: Linux on x86-64 only\n[  SKIPPED ] 1 test(s).");
  return 0;
}

#endif
