/* The kinds of ball around an input, as a list of segments that the radius bounds: one table, which search, bounds,
 * options and reports read. */
#ifndef ATTCERT_BALL_REGION_BALL_KIND_H
#define ATTCERT_BALL_REGION_BALL_KIND_H

#include "attcert.h"
#include "ball/region/ball_norm.h"

typedef enum { BALL_SEQUENCE, BALL_TOKEN, BALL_ENTRY, BALL_KINDS } ball_kind_id;

/* Their names, as help and messages list them. */
#define BALL_KIND_CHOICE "sequence|token|entry"
#define BALL_KIND_LIST "sequence, token or entry"

typedef struct {
  const char *name;
  const char *bounded;    /* what is at most the radius */
  const char *difference; /* how far rows may differ: "by at most the radius .." */
  const char *dual;       /* the norm of a gradient that goes with it */
  bool each;              /* every token is a segment; false: all of them together are one */
  const ball_norm *norm;  /* of a segment */
} ball_kind;

extern const ball_kind ball_kinds[BALL_KINDS];

/* The kind of that name; *id stays where there is none. Errors: ATTCERT_INPUT. */
attcert_status ball_kind_read(ball_kind_id *id, const char *name, attcert_error *err);

#endif
