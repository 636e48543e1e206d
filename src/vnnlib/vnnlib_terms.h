/* The parentheses and words of a VNN-LIB file (https://www.vnnlib.org, versions 1.0 and 2.0; an SMT-LIB
 * script). A word may have blanks between brackets. */
#ifndef ATTCERT_VNNLIB_VNNLIB_TERMS_H
#define ATTCERT_VNNLIB_VNNLIB_TERMS_H

#include "attcert.h"

/* A word, or a list of terms. */
typedef struct {
  const char *word; /* in the text, not ended by a zero; NULL: a list */
  int length;       /* of the word */
  int first;        /* of the list; -1: it is empty */
  int next;         /* behind this one in its list; -1: none */
  int line;
} vnnlib_term;

typedef struct {
  vnnlib_term *term; /* [count]; 0 is the list of all */
  int count;
  size_t capacity;
} vnnlib_terms;

/* The text stays the caller's, while the terms are used. vnnlib_terms_clear is due in every case. Errors:
 * ATTCERT_INPUT, ATTCERT_RESOURCE. */
attcert_status vnnlib_terms_parse(vnnlib_terms *terms, const char *text, size_t size, attcert_error *err);
void vnnlib_terms_clear(vnnlib_terms *terms);

/* Whether term t is that word. */
bool vnnlib_terms_is(const vnnlib_terms *terms, int t, const char *word);

#endif
