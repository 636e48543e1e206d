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
    [BALL_SEQUENCE_SUM] = {.name = "sequence",
                           .bounded = "sum_ik |x'_ik - x_ik|",
                           .difference = "in l1 norm together",
                           .dual = "max |d margin|",
                           .each = false,
                           .norm = &ball_norm_sum},
    [BALL_TOKEN_SUM] = {.name = "token",
                        .bounded = "every sum_k |x'_ik - x_ik|",
                        .difference = "in l1 norm each",
                        .dual = "sum_i max_k |d_ik margin|",
                        .each = true,
                        .norm = &ball_norm_sum},
};

const char *const ball_norm_names[] = {"2", "inf", "1", NULL};

attcert_status ball_kind_read(ball_kind_id *id, const char *name, attcert_error *err) {
  for (int k = 0; k < BALL_KINDS && name != NULL; k++) {
    if (strcmp(ball_kinds[k].name, name) != 0) continue;
    *id = (ball_kind_id)k;
    return ATTCERT_OK;
  }
  return attcert_fail(err, ATTCERT_INPUT, "ball: expected " BALL_KIND_LIST ", got '%s'", name != NULL ? name : "NULL");
}

static bool has_norm(const ball_kind *kind, const char *norm, const ball_kind *wanted) {
  return strcmp(kind->norm->name, norm) == 0 &&
         (kind->norm == &ball_norm_maximum || strcmp(kind->name, wanted->name) == 0);
}

attcert_status ball_kind_take_norm(ball_kind_id *id, const char *norm, attcert_error *err) {
  bool known = norm == NULL;
  if (norm == NULL) return ATTCERT_OK;
  for (int k = 0; k < BALL_KINDS; k++) {
    known = known || strcmp(ball_kinds[k].norm->name, norm) == 0;
    if (!has_norm(&ball_kinds[k], norm, &ball_kinds[*id])) continue;
    *id = (ball_kind_id)k;
    return ATTCERT_OK;
  }
  if (!known) return attcert_fail(err, ATTCERT_INPUT, "norm: expected " BALL_NORM_LIST ", got '%s'", norm);
  return attcert_fail(err, ATTCERT_INPUT, "ball %s and norm %s contradict each other: expected norm inf of entries",
                      ball_kinds[*id].name, norm);
}
