#include "report/robust/robust_inputs.h"

#include "report/report_words.h"

#include <inttypes.h>
#include <math.h>

static bool is_box(const robust_facts *r) {
  return r->ball->region.box != NULL;
}

static bool is_words(const robust_facts *r) {
  return r->choices != NULL;
}

bool robust_inputs_are_ball(const robust_facts *r) {
  return !is_box(r) && !is_words(r);
}

const char *robust_inputs_name(const robust_facts *r) {
  return is_box(r) ? "the box" : "the words";
}

static size_t moving_entries(const robust_facts *r) {
  const ball_region *const region = &r->ball->region;
  const size_t d = (size_t)r->network->steps.dim, all = (size_t)r->network->steps.tokens * d;
  size_t count = 0;
  for (size_t at = 0; at < all; at++) {
    count += ball_region_moves(region, (int)(at / d)) && ball_region_moves_entry(region, at) &&
             (region->box == NULL || region->box->least[at] < region->box->most[at]);
  }
  return count;
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

/* The words of place i, the input's own first. */
static void put_choices(fact_writer *f, const robust_facts *r, int i) {
  json_writer *const w = &f->json;
  const char *separator = ": ";
  json_write_object(w, NULL);
  json_write_integer(w, "position", (uint64_t)i);
  fact_text(f, "words      %d", i);
  json_write_array(w, "choices");
  for (int k = r->choices->first[i]; k < r->choices->first[i + 1]; k++) {
    const listed_token *const token = r->choice_tokens != NULL ? &r->choice_tokens->token[k] : NULL;
    json_write_object(w, NULL);
    json_write_index(w, "id", token != NULL ? token->id : -1);
    json_write_string(w, "text", token != NULL ? token->text : NULL);
    json_write_close(w);
    if (token != NULL && token->text != NULL)
      fact_text(f, "%s%s", separator, token->text);
    else if (token != NULL)
      fact_text(f, "%s%d", separator, token->id);
    else
      fact_text(f, "%schoice %d", separator, k - r->choices->first[i]);
    separator = ", ";
  }
  json_write_close(w);
  json_write_close(w);
  fact_text(f, "\n");
}

static void put_words(fact_writer *f, const robust_facts *r) {
  json_write_array(&f->json, "synonyms");
  for (int i = 0; i < r->choices->tokens; i++) {
    if (r->choices->moves[i]) put_choices(f, r, i);
  }
  json_write_close(&f->json);
}

/* The choices of an input, by their numbers at each place of several. */
static void put_picks(fact_writer *f, const robust_facts *r) {
  const robust_choices *const c = r->choices;
  const char *lead = "flips with ";
  json_write_array(&f->json, "refuted_choices");
  for (int i = 0; i < c->tokens; i++) {
    if (!c->moves[i]) continue;
    const int at = c->first[i] + c->pick[i];
    const char *const text = r->choice_tokens != NULL ? r->choice_tokens->token[at].text : NULL;
    json_write_object(&f->json, NULL);
    json_write_integer(&f->json, "position", (uint64_t)i);
    json_write_integer(&f->json, "choice", (uint64_t)c->pick[i]);
    json_write_string(&f->json, "text", text);
    json_write_close(&f->json);
    fact_text(f, "%s%d ", lead, i);
    if (text != NULL)
      fact_text(f, "%s", text);
    else
      fact_text(f, "choice %d", c->pick[i]);
    lead = ", ";
  }
  json_write_close(&f->json);
  fact_text(f, "\n");
}

static void put_method(fact_writer *f, const robust_facts *r) {
  const robust_choices *const c = r->choices;
  json_write_string(&f->json, "method", c->enumerated ? "enumeration" : "hull");
  json_write_double(&f->json, "combinations", c->combinations, MPFR_RNDN);
  json_write_integer(&f->json, "combinations_enclosed", c->evaluated);
  if (c->enumerated)
    fact_text(f, "method     enumeration: %" PRIu64 " of %.16g combinations of words enclosed one by one\n",
              c->evaluated, c->combinations);
  else
    fact_text(f, "method     hull of each place's words, which holds all %.16g combinations\n", c->combinations);
}

/* ---- all of them ------------------------------------------------------------------------------------------------- */

void robust_inputs_write(fact_writer *f, const robust_facts *r) {
  const ball_region *const region = &r->ball->region;
  const ball_kind *const kind = ball_region_kind(region);
  json_write_string(&f->json, "ball", is_words(r) ? "synonyms" : is_box(r) ? "box" : kind->name);
  json_write_string(&f->json, "norm", is_words(r) ? NULL : kind->norm->name);
  report_words_json(&f->json, region, r->network->steps.tokens);
  if (region->entries != NULL || is_box(r)) json_write_integer(&f->json, "entries", moving_entries(r));
  if (is_words(r)) put_words(f, r);
}

void robust_inputs_words(const fact_writer *f, const robust_facts *r) {
  const ball_region *const region = &r->ball->region;
  const int tokens = r->network->steps.tokens;
  if (f->text == NULL) return;
  if (report_words_all(region, tokens)) {
    fact_text(f, "all words");
  } else {
    fact_text(f, ball_region_count(region, tokens) > 1 ? "words " : "word ");
    report_words_text(f->text, region, tokens, &r->subject->input_tokens);
  }
  if (region->entries != NULL || is_box(r)) fact_text(f, "; %zu entries", moving_entries(r));
}

void robust_inputs_verdict(fact_writer *f, const robust_facts *r) {
  const robust_verdict *const v = r->verdict;
  if (robust_inputs_are_ball(r)) return;
  json_write_bool(&f->json, is_box(r) ? "box_certified" : "synonyms_certified", v->certified > 0.0);
  json_write_bool(&f->json, is_box(r) ? "box_refuted" : "synonyms_refuted", isfinite(v->refuted));
  if (is_words(r)) put_method(f, r);
  if (is_words(r) && isfinite(v->refuted)) put_picks(f, r);
  if (!(v->certified > 0.0)) return;
  fact_text(f, "certified  no input of %s changes the answer (", robust_inputs_name(r));
  robust_inputs_words(f, r);
  fact_text(f, ")\n");
}

void robust_inputs_claim(char *to, size_t size, const robust_facts *r) {
  static const char same[] = "it is the same for every";
  if (is_box(r))
    snprintf(to, size, "%s input of the box", same);
  else if (is_words(r))
    snprintf(to, size, "%s combination of the words, as the hidden states of each that enter layer 0 are in double",
             same);
  else
    snprintf(to, size, "%s input whose rows differ in the %s, by at most the radius %s", same,
             r->ball->region.entries != NULL ? "entries of the mask" : "words named",
             ball_region_kind(&r->ball->region)->difference);
}
