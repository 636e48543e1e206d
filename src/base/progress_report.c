#include "base/progress_report.h"

#include "base/environment.h"

attcert_status progress_report(const attcert_options *options, const char *stage, double done, attcert_error *err) {
  if (options == NULL || options->progress == NULL) return ATTCERT_OK;
  const bool cancelled = options->progress(options->progress_context, stage, done) != 0;
  environment_set_default(); /* the callback may have set another */
  if (!cancelled || options->group != NULL) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_CANCELLED, "cancelled at: %s", stage);
}
