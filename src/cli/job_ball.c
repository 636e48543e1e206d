/* The ball around the input of a run. */
#include "base/arrays.h"
#include "base/process_group.h"
#include "cli/job.h"
#include "cli/words.h"

#include <string.h>

static attcert_status read_words(bool *moves, const char *words, int tokens, attcert_error *err) {
  for (const char *text = words; *text != '\0';) {
    const long index = words_next(&text);
    if (index < 0) return attcert_fail(err, ATTCERT_INPUT, "--words: expected all or I,J,.., got '%s'", words);
    if (index >= tokens)
      return attcert_fail(err, ATTCERT_INPUT, "--words: %ld is outside of the sequence, expected 0 to %d", index,
                          tokens - 1);
    moves[index] = true;
  }
  return ATTCERT_OK;
}

attcert_status job_read_region(job *j, const cli_options *o, attcert_error *err) {
  const int tokens = j->source.x.rows;
  j->region = (ball_region){.radius = o->ball_radius, .kind = (ball_kind)o->ball};
  if (o->words == NULL || strcmp(o->words, "all") == 0) return ATTCERT_OK;
  j->moves = array_new((size_t)tokens, sizeof *j->moves, err, "a mark for each of %d tokens", tokens);
  j->region.moves = j->moves;
  return j->moves == NULL ? ATTCERT_RESOURCE : read_words(j->moves, o->words, tokens, err);
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
