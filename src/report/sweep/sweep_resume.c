#include "report/sweep/sweep_resume.h"

#include "linalg/rounding/relative_width.h"

#include <math.h>
#include <string.h>

/* The ends and the width were rounded to 17 digits apart: (u - l) / u moves by at most three units of 1e-16. */
static const double WIDTH_ROUNDING = 1e-15;

/* sequence s of length n begins at token offset + (s - 1) n. */
static bool offset_fits(const sweep_row *row, const sweep_terms *terms) {
  return row->offset == terms->offset + ((int64_t)row->sequence - 1) * row->n;
}

/* Ends in the wrong order are no bad field but a contradiction, which sweep_check names. */
static bool width_fits(const sweep_row *row) {
  if (mpfr_inf_p(row->upper)) return isinf(row->relative_width);
  if (mpfr_greater_p(row->lower, row->upper)) return true;
  return fabs(row->relative_width - relative_width(row->lower, row->upper)) <= WIDTH_ROUNDING;
}

static bool engine_exists(const char *name) {
  for (attcert_engine e = ATTCERT_ENGINE_MPFR; attcert_engine_name(e) != NULL; e++) {
    if (strcmp(attcert_engine_name(e), name) == 0) return true;
  }
  return false;
}

/* The pointwise bound, which every layer and input have, is there with the bounds; without, none is. */
static bool bounds_fit(const sweep_row *row, bool bounds) {
  bool any = false;
  for (int i = 0; i < THEORY_COUNT; i++) any = any || row->bounds.bound[i].available;
  return bounds ? row->bounds.bound[THEORY_T6].available : !any;
}

attcert_status sweep_resume_check(const sweep_row *row, const sweep_terms *terms, const char *path,
                                  attcert_error *err) {
  const struct {
    bool fits;
    const char *column, *expected;
  } fields[] = {
      {row->sequence <= terms->sequences, "sequence", "one of this sweep's"},
      {offset_fits(row, terms), "offset", "the sweep's offset + (sequence - 1) n"},
      {width_fits(row), "relative_width", "(upper - lower) / upper"},
      {engine_exists(row->engine), "engine", "mpfr, dense, deflated, pointwise, random or frobenius"},
      {bounds_fit(row, terms->bounds), "T1 - T10", terms->bounds ? "the bounds" : "no bounds"},
      {isfinite(row->seconds), "seconds", "a finite number"},
  };
  for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
    if (!fields[i].fits)
      return attcert_fail(err, ATTCERT_INPUT, "%s: n = %d, sequence %d: %s cannot be this sweep's, expected %s", path,
                          row->n, row->sequence, fields[i].column, fields[i].expected);
  }
  return ATTCERT_OK;
}
