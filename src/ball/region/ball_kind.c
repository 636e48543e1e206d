#include "ball/region/ball_kind.h"

#include <string.h>

const ball_kind ball_kinds[BALL_KINDS] = {
    [BALL_SEQUENCE] = {.name = "sequence",
                       .bounded = "||X' - X||_F",
                       .difference = "in l2 norm together",
                       .dual = "||grad margin||_2",
                       .each = false,
                       .norm = &ball_norm_euclidean},
    [BALL_TOKEN] = {.name = "token",
                    .bounded = "every |x'_i - x_i|",
                    .difference = "in l2 norm each",
                    .dual = "sum_i |grad_i margin|",
                    .each = true,
                    .norm = &ball_norm_euclidean},
    [BALL_ENTRY] = {.name = "entry",
                    .bounded = "every |x'_ik - x_ik|",
                    .difference = "in every entry",
                    .dual = "||grad margin||_1",
                    .each = true,
                    .norm = &ball_norm_maximum},
};

attcert_status ball_kind_read(ball_kind_id *id, const char *name, attcert_error *err) {
  for (int k = 0; k < BALL_KINDS && name != NULL; k++) {
    if (strcmp(ball_kinds[k].name, name) != 0) continue;
    *id = (ball_kind_id)k;
    return ATTCERT_OK;
  }
  return attcert_fail(err, ATTCERT_INPUT, "ball: expected " BALL_KIND_LIST ", got '%s'", name != NULL ? name : "NULL");
}
