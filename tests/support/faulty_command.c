#define _GNU_SOURCE /* memfd_create */
#include "faulty_command.h"

#include "cli/commands.h"
#include "cli/program.h"

#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_WORDS = 48, SECONDS = 30 };

void faulty_command_limit_threads(char **argv) {
  if (argv[0] == NULL || getenv("OPENBLAS_NUM_THREADS") != NULL) return;
  setenv("OPENBLAS_NUM_THREADS", "1", 1);
  execv(argv[0], argv);
}

static _Noreturn void child(const char *line, char *file, int out, int err, void (*prepare)(void *), void *context) {
  char copy[2048], *words[MOST_WORDS + 1] = {(char[]){"attcert"}};
  int count = 1;
  if (strlen(line) >= sizeof copy || dup2(out, STDOUT_FILENO) < 0 || dup2(err, STDERR_FILENO) < 0) _exit(99);
  strcpy(copy, line);
  for (char *word = strtok(copy, " "); word != NULL && count < MOST_WORDS; word = strtok(NULL, " "))
    words[count++] = strcmp(word, "%") == 0 ? file : word;
  alarm(SECONDS);
  prepare(context);
  exit(program_run(count, words, cli_commands, CLI_COMMANDS, NULL));
}

static void take_text(char *text, int descriptor) {
  const ssize_t got = descriptor >= 0 ? pread(descriptor, text, FAULTY_TEXT_SIZE - 1, 0) : 0;
  text[got > 0 ? got : 0] = '\0';
  if (descriptor >= 0) close(descriptor);
}

static int wait_for(pid_t process, void *context) {
  int status;
  (void)context;
  if (waitpid(process, &status, 0) != process) abort();
  return status;
}

void faulty_command_run(command_result *result, const temp_folder *folder, const char *line,
                        void (*prepare)(void *context), void *context) {
  faulty_command_follow(result, folder, line, prepare, wait_for, context);
}

void faulty_command_follow(command_result *result, const temp_folder *folder, const char *line,
                           void (*prepare)(void *context), int (*follow)(pid_t process, void *context), void *context) {
  char file[512];
  temp_folder_path(file, folder, "result");
  const int out = memfd_create("out", 0), err = memfd_create("err", 0);
  fflush(NULL);
  const pid_t process = out >= 0 && err >= 0 ? fork() : -1;
  if (process == 0) child(line, file, out, err, prepare, context);
  if (process < 0) abort();
  const int status = follow(process, context);
  result->status = WIFEXITED(status)             ? WEXITSTATUS(status)
                   : WTERMSIG(status) == SIGALRM ? FAULTY_HUNG
                                                 : 128 + WTERMSIG(status);
  take_text(result->out, out);
  take_text(result->err, err);
  const int written = open(file, O_RDONLY);
  result->others = temp_folder_count(folder) - (written >= 0);
  take_text(result->file, written);
  temp_folder_empty(folder);
}

static bool one_line(const char *text) {
  const char *const end = strchr(text, '\n');
  return strncmp(text, "attcert: ", 9) == 0 && end != NULL && end[1] == '\0';
}

static double number_of(const json_t *object, const char *name, double otherwise) {
  const json_t *const value = json_object_get(object, name);
  return json_is_number(value) ? json_number_value(value) : otherwise;
}

/* A report that says it is incomplete, its enclosure not beside the whole one's. */
static bool is_incomplete(const char *text, const char *whole) {
  json_t *const a = json_loads(text, 0, NULL), *const b = json_loads(whole, 0, NULL);
  const json_t *const own = json_object_get(a, "lipschitz"), *const true_one = json_object_get(b, "lipschitz");
  const bool said = json_is_false(json_object_get(a, "complete")) || json_object_get(a, "ball_missing") != NULL;
  const bool meets = number_of(own, "lower", 1e300) <= number_of(true_one, "upper", -1) &&
                     number_of(own, "upper", 1e300) >= number_of(true_one, "lower", 1e301);
  json_decref(a);
  json_decref(b);
  return said && meets;
}

/* The same certificate, and a word on why the bounds of the theory are not beside it. */
static bool lacks_bounds_only(const char *text, const char *whole) {
  json_t *const a = json_loads(text, 0, NULL), *const b = json_loads(whole, 0, NULL);
  const bool same = json_object_get(a, "bounds_missing") != NULL &&
                    json_equal(json_object_get(a, "lipschitz"), json_object_get(b, "lipschitz"));
  json_decref(a);
  json_decref(b);
  return same;
}

static const char *complaint_of_failure(const command_result *r, const command_result *whole, bool grows) {
  const size_t length = strlen(r->file);
  if (!one_line(r->err)) return "exit status 3 without one line on standard error";
  if (r->out[0] != '\0' && !is_incomplete(r->out, whole->out)) return "exit status 3 with a part of a report";
  if (length == 0 || strcmp(r->file, whole->file) == 0) return NULL;
  if (is_incomplete(r->file, whole->file)) return NULL;
  const bool lines = strncmp(r->file, whole->file, length) == 0 && r->file[length - 1] == '\n';
  return grows && lines ? NULL : "exit status 3 with a part of a file";
}

const char *faulty_command_complaint(const command_result *r, const command_result *whole, bool grows) {
  if (r->status == FAULTY_HUNG) return "it hung";
  if (r->status >= 128) return "a signal ended it";
  if (r->others != 0) return "a temporary file is left";
  if (r->status == 3) return complaint_of_failure(r, whole, grows);
  if (r->status != whole->status) return "another exit status";
  if (strcmp(r->out, whole->out) != 0 && !lacks_bounds_only(r->out, whole->out)) return "another result";
  if (strcmp(r->file, whole->file) != 0) return "another file";
  return strcmp(r->err, whole->err) != 0 ? "another line on standard error" : NULL;
}
