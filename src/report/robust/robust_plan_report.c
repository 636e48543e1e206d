#include "report/robust/robust_plan_report.h"

#include "report/number_text.h"
#include "report/robust/robust_inputs.h"
#include "report/robust/robust_parts.h"

#include <inttypes.h>
#include <math.h>

/* Products of numbers a second, of one core: forms of three vision transformers took 1.0 to 1.6 times as long as
 * this says. */
#define SPEED 1e9

static void put_inputs(fact_writer *f, const robust_facts *r) {
  const ball_kind *const kind = ball_region_kind(&r->ball->region);
  char text[NUMBER_TEXT_SIZE];
  robust_inputs_write(f, r);
  json_write_double(&f->json, "radius", r->radius > 0.0 ? r->radius : NAN, MPFR_RNDN);
  if (!robust_inputs_are_ball(r))
    fact_text(f, "region     %s (", robust_inputs_name(r));
  else
    fact_text(f, "region     ball of each %s, norm %s, %s (", kind->name, kind->norm->name,
              r->radius > 0.0 ? number_text_double(text, r->radius, 6, MPFR_RNDN) : "whose radius is searched for");
  robust_inputs_words(f, r);
  fact_text(f, ")\n");
}

/* Values whose symbols are merged. */
static void put_merges(fact_writer *f, const robust_facts *r) {
  const robust_plan *const plan = &r->verdict->bound.plan;
  const network_steps *const steps = &r->network->steps;
  json_write_array(&f->json, "merges");
  for (int v = 0; v <= steps->count; v++) {
    if (plan->merge[v] == 0) continue;
    const step *const s = v > 0 ? &steps->step[v - 1] : NULL;
    json_write_object(&f->json, NULL);
    json_write_string(&f->json, "operation", s != NULL ? s->kind->name : "input");
    json_write_index(&f->json, "layer", s != NULL ? s->layer : -1);
    json_write_close(&f->json);
    fact_text(f, "merged     the oldest symbols, behind %s", s != NULL ? s->kind->name : "the input");
    if (s != NULL && s->layer >= 0) fact_text(f, " of layer %d", s->layer);
    fact_text(f, "\n");
  }
  json_write_close(&f->json);
}

static void put_plan(fact_writer *f, const robust_facts *r) {
  const robust_plan *const plan = &r->verdict->bound.plan;
  const double seconds = plan->products / SPEED;
  char text[NUMBER_TEXT_SIZE];
  json_write_object(&f->json, "plan");
  json_write_integer(&f->json, "symbols", plan->symbols);
  json_write_integer(&f->json, "bytes", plan->bytes);
  json_write_integer(&f->json, "limit", plan->limit);
  json_write_bool(&f->json, "kept", plan->kept);
  json_write_integer(&f->json, "merged", plan->merged);
  fact_text(f, "plan       %" PRIu64 " symbols, %s of forms at most", plan->symbols,
            number_text_bytes(text, plan->bytes));
  fact_text(f, ", within %s\n", number_text_bytes(text, plan->limit));
  fact_text(f, "forms      %s\n",
            plan->kept ? "all are kept: bounds are also seen from the scores back, with lines that are searched for"
                       : "they are released on the way: bounds are those of the forms alone");
  if (plan->merged > 0) fact_text(f, "merging    %" PRIu64 " columns of symbols\n", plan->merged);
  put_merges(f, r);
  json_write_double(&f->json, "seconds", seconds, MPFR_RNDN);
  json_write_close(&f->json);
  fact_text(f, "time       about %.2g s for the forms of one bound, as estimated; a search takes some ten\n", seconds);
}

void robust_plan_report_write(FILE *out, bool json, const void *told) {
  const robust_facts *const r = told;
  fact_writer f;
  fact_writer_begin(&f, out, json, "plan");
  robust_parts_subject(&f, r->subject, r->network);
  put_inputs(&f, r);
  put_plan(&f, r);
  fact_writer_end(&f);
}
