/* attcert spectrum: the eigenvalues of W = Q^T K of each head, and what an input and random walks say beside them. */
#include "base/arrays.h"
#include "base/clock.h"
#include "cli/commands.h"
#include "cli/output/output.h"
#include "cli/output/plot_output.h"
#include "cli/source/layer_source.h"
#include "report/spectrum/spectrum_plot.h"
#include "report/spectrum/spectrum_report.h"

#include <stdlib.h>

/* *gain: of the LayerNorm to fold in; NULL without one. */
static attcert_status read_gain(double **gain, const layer_source *s, const cli_options *o, attcert_error *err) {
  if (!o->fold_layernorm) return ATTCERT_OK;
  *gain = array_new((size_t)s->layer.dim, sizeof **gain, err, "the gain of a LayerNorm");
  return *gain != NULL ? model_attention_gain(*gain, s->model, o->layer, err) : ATTCERT_RESOURCE;
}

/* What is read while the model is open, besides the layer and its input. */
typedef struct {
  double *gain;       /* of the LayerNorm to fold in; NULL: none */
  int query_exponent; /* as model_query_exponent */
  bool undivided;
} model_facts;

static attcert_status read_facts(model_facts *facts, const layer_source *s, const cli_options *o, attcert_error *err) {
  *facts = (model_facts){.undivided = s->model != NULL && !model_scores_are_divided(s->model)};
  if (s->model != NULL) facts->query_exponent = model_query_exponent(s->model);
  return read_gain(&facts->gain, s, o, err);
}

static attcert_status enclose_and_report(const layer_source *s, const model_facts *facts, const cli_options *o,
                                         double start, attcert_error *err) {
  spectrum_layer spectrum;
  const spectrum_request request = {
      .layer = &s->layer,
      .query_exponent = facts->query_exponent,
      .gain = facts->gain,
      .x = s->x.data != NULL ? &s->x : NULL,
      .walk = {o->propagation ? o->length : 0, o->propagation ? o->samples : 0, o->seed_of_walks}};
  attcert_status status = spectrum_layer_enclose(&spectrum, &request, err);
  for (int h = 0; h < spectrum.heads; h++) spectrum_eigenvalues_to_doubles(&spectrum.head[h].eigenvalues);
  const spectrum_report r = {.subject = &s->subject,
                             .spectrum = &spectrum,
                             .walk = request.walk,
                             .folded = facts->gain != NULL,
                             .undivided = facts->undivided,
                             .seconds = clock_seconds() - start};
  if (status == ATTCERT_OK) status = plot_output_write(o->plot, spectrum_plot, &r, err);
  if (status == ATTCERT_OK) status = output_write(o->output, spectrum_report_write, o->format == FORMAT_JSON, &r, err);
  spectrum_layer_clear(&spectrum);
  return status;
}

static attcert_status run(const cli_options *o, attcert_error *err) {
  const double start = clock_seconds();
  layer_source s = {0};
  model_facts facts = {0};
  attcert_status status = output_probe(o->output, err);
  if (status == ATTCERT_OK) status = plot_output_probe(o->plot, err);
  if (status == ATTCERT_OK) status = layer_source_open(&s, o, err);
  if (status == ATTCERT_OK) status = read_facts(&facts, &s, o, err);
  if (status == ATTCERT_OK) status = layer_source_complete(&s, o, err);
  if (status == ATTCERT_OK) status = enclose_and_report(&s, &facts, o, start, err);
  layer_source_clear(&s);
  free(facts.gain);
  return status;
}

const cli_command command_spectrum = {
    .name = "spectrum",
    .summary = "enclose the eigenvalues of each head's W = Q^T K, entropies and propagation",
    .groups = OPTIONS_MODEL | OPTIONS_MASK | OPTIONS_WEIGHTS | OPTIONS_TEXT | OPTIONS_SPECTRUM | OPTIONS_REPORT,
    .run = run,
};
