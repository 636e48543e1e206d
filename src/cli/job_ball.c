/* The ball around the input of a run. */
#include "base/process_group.h"
#include "cli/job.h"
#include "cli/source/words.h"

attcert_status job_read_region(job *j, const cli_options *o, attcert_error *err) {
  const attcert_status status = words_read(&j->moves, o->words, j->source.x.rows, err);
  j->region = (ball_region){.radius = o->ball_radius, .kind = (ball_kind)o->ball, .moves = j->moves};
  return status;
}

attcert_status job_add_ball(job *j, attcert_error *err) {
  if (!process_group_reports(j->options.group)) return ATTCERT_OK;
  const attcert_status status = ball_enclose(&j->ball, &j->source.layer, &j->source.x, &j->certificate, &j->region,
                                             &j->options, &j->ball_missing);
  progress_line_end(&j->progress);
  j->has_ball = status == ATTCERT_OK;
  if (status == ATTCERT_RESOURCE) return ATTCERT_OK;
  *err = j->ball_missing;
  return status;
}
