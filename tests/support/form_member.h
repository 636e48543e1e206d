/* Random forms over common symbols, and their members: numbers with so few bits that what a form says of a member is
 * exact in double. */
#ifndef ATTCERT_TESTS_SUPPORT_FORM_MEMBER_H
#define ATTCERT_TESTS_SUPPORT_FORM_MEMBER_H

#include "random_source.h"
#include "robust/form/form.h"

#include <arb_mat.h>

enum { MEMBER_INPUTS = 2, MEMBER_SEGMENTS = 4, MEMBER_WIDTH = 3 };

typedef struct {
  form_symbols symbols; /* the perturbation of two tokens, of one norm, and two segments of bounded symbols */
  double eta[MEMBER_SEGMENTS][MEMBER_WIDTH];
} form_member;

/* radius and bound: powers of two, from 2^-12 on. */
void form_member_init(form_member *m, double radius, double bound);
void form_member_clear(form_member *m);

/* A form of such a size, measured: a row of some of the segments, deviations and up to `miss` an entry. size and miss:
 * powers of two. */
void form_member_form(form *f, const form_member *m, int rows, int cols, double size, double miss, random_source *r);

/* Other symbols: at the border of what they may be, mostly. */
void form_member_draw(form_member *m, random_source *r);

/* x (rows x cols) := a member of a form of form_member_form, with these symbols. */
void form_member_point(double *x, const form_member *m, const form *f, random_source *r);

/* The part that y, a member's image, uses of what `out` says is beyond its center and the member's symbols; out is
 * measured. Fails where an entry is beyond. */
double form_member_used(const form_member *m, const form *out, const arb_mat_t y, const char *name);

#endif
