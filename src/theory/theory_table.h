/* The table of the bounds of theory.h, and what an entry says. */
#ifndef ATTCERT_THEORY_THEORY_TABLE_H
#define ATTCERT_THEORY_THEORY_TABLE_H

#include <mpfr.h>
#include <stdbool.h>

typedef enum {
  THEORY_T1,
  THEORY_T2,
  THEORY_T3,
  THEORY_T4,
  THEORY_T5,
  THEORY_T6,
  THEORY_T7,
  THEORY_T9,
  THEORY_T10,
  THEORY_COUNT
} theory_id;

typedef struct {
  const char *id;    /* "T1" */
  const char *title; /* "sqrt(n) bound [Castin et al., Theorem 3.3]" */
  bool lower;        /* T3 and T10 bound a Lipschitz constant on the ball from below; the others from above */
  bool available;    /* false: the theorem does not cover this layer, or its constant could not be certified */
  mpfr_t value;      /* 53 bits, rounded outward; may be +inf */
  double radius;     /* of the ball it was evaluated on; 0 for T6 and T7 */
  bool centred;      /* the ball is around a point other than 0, found near the middle of the tokens */
  char applies[256]; /* where it holds ("B_R^n, R = 12.5, n = 8"), or why it is not available */
} theory_bound;

typedef struct {
  theory_bound bound[THEORY_COUNT];
} theory_table;

void theory_table_init(theory_table *table);
void theory_table_clear(theory_table *table);

#endif
