/* Test vectors in the Interval Testing Language of the IEEE 1788 framework ITF1788, as far as its files for bare and
 * decorated intervals go: lines such as
 *     div [-30.0, -15.0] [-5.0, -3.0] = [3.0, 10.0];
 *     isMember -27.0 [-27.0, infinity]_dac = true; */
#ifndef ATTCERT_TESTS_SUPPORT_ITL_FILE_H
#define ATTCERT_TESTS_SUPPORT_ITL_FILE_H

#include <stdbool.h>
#include <stdio.h>

typedef enum { ITL_INTERVAL, ITL_NAI, ITL_NUMBER, ITL_BOOLEAN } itl_kind;

/* Decorations are dropped; "not an interval" (nai), which only decorations can express, is kept apart. */
typedef struct {
  itl_kind kind;
  double lo, hi; /* interval: its ends, [+inf, -inf] for empty; number: lo */
  bool truth;
} itl_value;

enum { ITL_OPERANDS = 3, ITL_RESULTS = 2 };

typedef struct {
  char operation[32];
  itl_value operand[ITL_OPERANDS], result[ITL_RESULTS];
  int operands, results;
  int line;
} itl_vector;

/* Reads on to the next vector; false at the end of the file. Lines with other kinds of values (text, lists) are passed
 * over. */
bool itl_read(itl_vector *v, FILE *file);

/* Does a "nai" occur among the vector's values? */
bool itl_has_nai(const itl_vector *v);

#endif
