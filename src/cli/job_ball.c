/* The ball around the input of a run. */
#include "cli/job.h"
#include "run/run_words.h"

attcert_status job_read_region(job *j, const cli_options *o, attcert_error *err) {
  const attcert_status status =
      run_words_read(&j->moves, o->words, j->source.x.rows, &j->source.subject.input_tokens, err);
  j->run.region = (ball_region){.radius = o->radius.first, .kind = (ball_kind_id)o->ball, .moves = j->moves};
  return status;
}

attcert_status job_add_ball(job *j, attcert_error *err) {
  const attcert_status status = run_layer_add_ball(&j->run, err);
  progress_line_end(&j->progress);
  return status;
}
