/* Words of a command line as numbers, and the one line of a program that fails. */
#ifndef ATTCERT_BOUNDS_PROGRAMS_ARGUMENTS_H
#define ATTCERT_BOUNDS_PROGRAMS_ARGUMENTS_H

#include "attcert.h"

/* An integer from `minimum` to 2^31 - 1. */
attcert_status argument_int(int *value, const char *name, const char *text, int minimum, attcert_error *err);

/* A positive number. */
attcert_status argument_positive(double *value, const char *name, const char *text, attcert_error *err);

/* "none" or "causal". */
attcert_status argument_mask(attcert_mask *mask, const char *text, attcert_error *err);

/* Prints the error, where there is one, and returns the exit status of the program. */
int program_end(const char *program, attcert_status status, const attcert_error *err);

#endif
