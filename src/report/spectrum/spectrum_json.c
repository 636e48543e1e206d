#include "base/memory.h"
#include "report/json_writer.h"
#include "report/spectrum/spectrum_report.h"
#include "report/subject_input.h"
#include "report/subject_json.h"

static void put_interval(json_writer *w, const char *key, const interval *x) {
  if (!mpfr_number_p(x->lo) || !mpfr_number_p(x->hi)) {
    json_write_null(w, key);
    return;
  }
  json_write_array(w, key);
  json_write_real(w, NULL, x->lo, MPFR_RNDD);
  json_write_real(w, NULL, x->hi, MPFR_RNDU);
  json_write_close(w);
}

static void put_subject(json_writer *w, const spectrum_report *r) {
  const report_subject *const s = r->subject;
  json_write_object(w, "layer");
  if (s->tokens > 0) json_write_integer(w, "n", (uint64_t)s->tokens);
  json_write_integer(w, "d", (uint64_t)s->dim);
  json_write_integer(w, "head_dim", (uint64_t)s->head_dim);
  json_write_integer(w, "heads", (uint64_t)s->heads);
  json_write_string(w, "mask", subject_mask_name(s->mask));
  json_write_close(w);
  json_write_object(w, "source");
  json_write_string(w, s->from_model ? "model" : "weights", s->name);
  if (s->from_model) json_write_integer(w, "layer", (uint64_t)s->model_layer);
  if (s->random) json_write_integer(w, "seed", s->seed);
  if (s->tokens > 0) subject_write_input(w, s);
  json_write_close(w);
  subject_write_files(w, s);
  subject_write_tokens(w, s);
  json_write_string(w, "matrix", spectrum_report_matrix(r));
  json_write_string(w, "score_factor", r->undivided ? "1" : "1/sqrt(head_dim)");
  json_write_bool(w, "folded_layernorm", r->folded);
}

static void put_eigenvalues(json_writer *w, const spectrum_eigenvalues *e) {
  json_write_array(w, "eigenvalues");
  for (int i = 0; i < e->count; i++) {
    const spectrum_disc *const disc = &e->disc[i];
    json_write_object(w, NULL);
    json_write_real(w, "re", disc->re, MPFR_RNDN);
    json_write_real(w, "im", disc->im, MPFR_RNDN);
    json_write_real(w, "radius", disc->radius, MPFR_RNDU);
    json_write_integer(w, "multiplicity", (uint64_t)disc->multiplicity);
    json_write_close(w);
  }
  json_write_close(w);
}

static void put_matrix(json_writer *w, const spectrum_head *head) {
  put_interval(w, "trace", &head->traces.trace);
  put_interval(w, "trace_of_square", &head->traces.trace_of_square);
  put_interval(w, "frobenius", &head->traces.frobenius);
  put_interval(w, "norm", &head->norm);
  put_interval(w, "spectral_radius", &head->radius);
  put_interval(w, "eigenvalue_mean", &head->traces.mean);
  put_interval(w, "eigenvalue_variance", &head->traces.variance);
  put_eigenvalues(w, &head->eigenvalues);
}

static void put_attention(json_writer *w, const spectrum_head_attention *head, int tokens) {
  json_write_array(w, "entropy");
  for (int i = 0; i < tokens; i++) put_interval(w, NULL, &head->entropy[i]);
  json_write_close(w);
  put_interval(w, "entropy_mean", &head->mean_entropy);
  put_interval(w, "largest_weight", &head->largest_weight);
  put_interval(w, "token_similarity", &head->similarity);
  put_interval(w, "z", &head->z);
}

static void put_frequencies(json_writer *w, const spectrum_frequency *walk, int length) {
  json_write_array(w, "random_walk");
  for (int i = 0; i < length; i++) {
    json_write_object(w, NULL);
    json_write_double(w, "frequency", walk[i].frequency, MPFR_RNDN);
    json_write_double(w, "low", walk[i].low, MPFR_RNDN);
    json_write_double(w, "high", walk[i].high, MPFR_RNDN);
    json_write_close(w);
  }
  json_write_close(w);
}

/* rho: as a list, entry i - 1 for token i; rho_symmetric is null where tr W^2 is not positive. */
static void put_propagation(json_writer *w, const spectrum_layer *s, int h) {
  const size_t first = (size_t)h * (size_t)s->length;
  const spectrum_propagation *const p = s->propagation + first;
  json_write_array(w, "rho");
  for (int i = 0; i < s->length; i++) put_interval(w, NULL, &p[i].rho);
  json_write_close(w);
  if (p->has_symmetric) {
    json_write_array(w, "rho_symmetric");
    for (int i = 0; i < s->length; i++) put_interval(w, NULL, &p[i].symmetric);
    json_write_close(w);
  } else {
    json_write_null(w, "rho_symmetric");
  }
  if (s->walk != NULL) put_frequencies(w, s->walk + first, s->length);
}

static void put_heads(json_writer *w, const spectrum_report *r) {
  const spectrum_layer *const s = r->spectrum;
  json_write_array(w, "heads");
  for (int h = 0; h < s->heads; h++) {
    json_write_object(w, NULL);
    json_write_integer(w, "head", (uint64_t)spectrum_report_head(r, h));
    put_matrix(w, &s->head[h]);
    if (s->has_attention) put_attention(w, &s->attention.head[h], s->attention.tokens);
    if (s->length > 0) put_propagation(w, s, h);
    json_write_close(w);
  }
  json_write_close(w);
}

static void put_blocks(json_writer *w, const spectrum_attention *a) {
  put_interval(w, "radius_of_inputs", &a->radius);
  json_write_object(w, "token_similarity");
  put_interval(w, "input", &a->input_similarity);
  put_interval(w, "output", &a->output_similarity);
  json_write_close(w);
}

static void put_walk(json_writer *w, const spectrum_walk *walk) {
  json_write_object(w, "propagation");
  json_write_integer(w, "length", (uint64_t)walk->length);
  json_write_integer(w, "samples", (uint64_t)walk->samples);
  json_write_integer(w, "seed", walk->seed);
  json_write_close(w);
}

void spectrum_report_json(FILE *out, const spectrum_report *r) {
  json_writer w;
  json_writer_begin(&w, out);
  json_write_object(&w, NULL);
  json_write_string(&w, "schema", "attcert/spectrum/1");
  json_write_string(&w, "version", ATTCERT_VERSION);
  put_subject(&w, r);
  put_heads(&w, r);
  if (r->spectrum->has_attention) put_blocks(&w, &r->spectrum->attention);
  if (r->spectrum->length > 0) put_walk(&w, &r->walk);
  json_write_double(&w, "seconds", r->seconds, MPFR_RNDN);
  json_write_integer(&w, "peak_memory_bytes", memory_peak());
  json_write_string(&w, "claim", SPECTRUM_CLAIM_NUMBERS " " SPECTRUM_CLAIM_DISCS "; " SPECTRUM_CLAIM_WALK);
  json_write_close(&w);
  json_writer_end(&w);
}
