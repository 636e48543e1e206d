/* The kinds of ball around an input, as a list of segments that the radius bounds: one table, which search, bounds,
 * options and reports read. */
#ifndef ATTCERT_BALL_REGION_BALL_KIND_H
#define ATTCERT_BALL_REGION_BALL_KIND_H

#include "attcert.h"
#include "ball/region/ball_norm.h"

typedef enum { BALL_SEQUENCE, BALL_TOKEN, BALL_ENTRY, BALL_SEQUENCE_SUM, BALL_TOKEN_SUM, BALL_KINDS } ball_kind_id;

/* The names of the first ones, each of another name, as help and messages list them; and of the norms. */
enum { BALL_NAMES = BALL_ENTRY + 1 };
#define BALL_KIND_CHOICE "sequence|token|entry"
#define BALL_KIND_LIST "sequence, token or entry"
#define BALL_NORM_CHOICE "2|inf|1"
#define BALL_NORM_LIST "2, inf or 1"
extern const char *const ball_norm_names[]; /* NULL ends the list */

typedef struct {
  const char *name;
  const char *bounded;    /* what is at most the radius */
  const char *difference; /* how far rows may differ: "by at most the radius .." */
  const char *dual;       /* the norm of a gradient that goes with it */
  bool each;              /* every token is a segment; false: all of them together are one */
  const ball_norm *norm;  /* of a segment */
} ball_kind;

extern const ball_kind ball_kinds[BALL_KINDS];

/* The first kind of that name; *id stays where there is none. Errors: ATTCERT_INPUT. */
attcert_status ball_kind_read(ball_kind_id *id, const char *name, attcert_error *err);

/* The kind that bounds what *id does in the norm of that name (NULL: its own): of all tokens together, or of each. The
 * largest of all entries is the same either way. Errors: ATTCERT_INPUT: no norm, or one of several entries where *id
 * has them one by one. */
attcert_status ball_kind_take_norm(ball_kind_id *id, const char *norm, attcert_error *err);

#endif
