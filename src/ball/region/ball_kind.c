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
};

bool ball_kind_named(ball_kind_id *id, const char *name) {
  int k = 0;
  while (k < BALL_KINDS && strcmp(ball_kinds[k].name, name) != 0) k++;
  *id = (ball_kind_id)k;
  return k < BALL_KINDS;
}
