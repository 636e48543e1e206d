#include "robust/watch.h"

#include "base/progress_report.h"

attcert_status robust_watch_report(const robust_watch *watch, double done, attcert_error *err) {
  if (watch == NULL) return ATTCERT_OK;
  const attcert_options options = {.progress = watch->progress, .progress_context = watch->context};
  return progress_report(&options, watch->stage, done, err);
}
