/* One command line of attcert run in a process of its own, forked from the test: what it printed, how it ended. The
 * test program links the commands, so that nothing is loaded a second time and thousands of runs take seconds. */
#ifndef ATTCERT_TESTS_SUPPORT_FAULTY_COMMAND_H
#define ATTCERT_TESTS_SUPPORT_FAULTY_COMMAND_H

#include "temp_folder.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* A small layer, as options of a command. */
#define FAULTY_COMMAND_LAYER \
  "--model random:gpt2:8,2,2 --layer 1 --text src/cli/demo.txt --tokens 4 --threads 1 --memory-limit 1G"

enum { FAULTY_TEXT_SIZE = 1 << 16, FAULTY_HUNG = -1 };

typedef struct {
  int status; /* exit status; 128 + signal; FAULTY_HUNG when it was still running after 30 s */
  char out[FAULTY_TEXT_SIZE], err[FAULTY_TEXT_SIZE]; /* NUL-terminated */
  char file[FAULTY_TEXT_SIZE];                       /* of the file named %, empty where there is none */
  int others;                                        /* files beside it, which nobody asked for */
} command_result;

/* For main: starts the program again with one thread of BLAS, unless the environment says how many; they do not
 * survive a fork, and the variable is read before main. */
void faulty_command_limit_threads(char **argv);

/* Runs the words of `line` (separated by single blanks, the first is the command, % is a file in the folder, which
 * is empty before and after); `prepare` is called in the child just before. */
void faulty_command_run(command_result *result, const temp_folder *folder, const char *line,
                        void (*prepare)(void *context), void *context);

/* The same, where `follow` waits for the process and returns waitpid's status of it. */
void faulty_command_follow(command_result *result, const temp_folder *folder, const char *line,
                           void (*prepare)(void *context), int (*follow)(pid_t process, void *context), void *context);

/* What must hold of a run in which something failed: NULL, or the promise that it broke. It ended with exit status 3
 * and one line, and printed nothing or a JSON report that says it is incomplete; or as the run without a fault. The
 * file is whole or not there, but for one that grows by lines. */
const char *faulty_command_complaint(const command_result *result, const command_result *without_fault, bool grows);

#endif
