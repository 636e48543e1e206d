#include "report/spectrum/spectrum_report.h"

#include "base/memory.h"
#include "report/claim.h"
#include "report/number_text.h"
#include "report/subject_input.h"

#include <inttypes.h>

enum { MOST_EIGENVALUES = 8, MOST_ROWS = 16, RADIUS_DIGITS = 3 };

#define CLAIM_DISCS "each disc holds exactly as many eigenvalues of W, in exact arithmetic, as its multiplicity says"
#define CLAIM_WALK "frequencies of random walks are statistics, their intervals hold with 95 %"

int spectrum_report_head(const spectrum_report *r, int h) {
  return r->subject->head == REPORT_WHOLE_LAYER ? h : r->subject->head;
}

/* What a head's matrix is. */
static const char *matrix_text(const spectrum_report *r) {
  static const char *const matrix[2][2] = {
      {"Q^T K, d x d, without the factor 1/sqrt(head_dim) of the scores",
       "Q^T K, d x d, of the stored weights: the scores of this layer have no factor 1/sqrt(head_dim)"},
      {"diag(gamma) Q^T K diag(gamma), d x d, without the factor 1/sqrt(head_dim) of the scores",
       "diag(gamma) Q^T K diag(gamma), d x d, of the stored weights: the scores of this layer have no factor "
       "1/sqrt(head_dim)"}};
  return matrix[r->folded][r->undivided];
}

static bool put_interval_json(json_writer *w, const char *key, const interval *x) {
  const bool there = mpfr_number_p(x->lo) && mpfr_number_p(x->hi);
  if (!there) {
    json_write_null(w, key);
    return there;
  }
  json_write_array(w, key);
  json_write_real(w, NULL, x->lo, MPFR_RNDD);
  json_write_real(w, NULL, x->hi, MPFR_RNDU);
  json_write_close(w);
  return there;
}

/* "KEY": [lo, hi]; NAME lo <= WHAT <= hi. */
static void put_interval(fact_writer *f, const char *key, const char *name, const interval *x, const char *what) {
  char lo[NUMBER_TEXT_SIZE], hi[NUMBER_TEXT_SIZE];
  if (put_interval_json(&f->json, key, x))
    fact_text(f, "  %-12s %s <= %s <= %s\n", name, number_text_end(lo, x->lo, MPFR_RNDD), what,
              number_text_end(hi, x->hi, MPFR_RNDU));
  else
    fact_text(f, "  %-12s not defined: %s may be 0 / 0\n", name, what);
}

static void put_subject(fact_writer *f, const spectrum_report *r) {
  const report_subject *const s = r->subject;
  json_writer *const w = &f->json;
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
  fact_text(f, "layer      %s", s->name);
  if (s->from_model) fact_text(f, ", layer %d", s->model_layer);
  if (s->random) fact_text(f, ", seed %" PRIu64, s->seed);
  fact_text(f, "\nshape      d = %d, head_dim = %d, mask %s\n", s->dim, s->head_dim, subject_mask_name(s->mask));
  if (s->tokens > 0) fact_text(f, "input      %s, n = %d tokens\n", s->input, s->tokens);
  subject_write_files(f, s);
  json_write_string(w, "matrix", matrix_text(r));
  json_write_string(w, "score_factor", r->undivided ? "1" : "1/sqrt(head_dim)");
  json_write_bool(w, "folded_layernorm", r->folded);
  fact_text(f, "matrix     W = %s\n", matrix_text(r));
}

static void put_disc_text(const fact_writer *f, const char *name, const spectrum_disc *disc) {
  char re[NUMBER_TEXT_SIZE], im[NUMBER_TEXT_SIZE], radius[NUMBER_TEXT_SIZE];
  const bool below = mpfr_sgn(disc->im) < 0;
  number_text_end(im, disc->im, MPFR_RNDN);
  fact_text(f, "  %-12s %s %c %s i, within %s", name, number_text_end(re, disc->re, MPFR_RNDN), below ? '-' : '+',
            below ? im + 1 : im, number_text_decimal(radius, disc->radius, RADIUS_DIGITS, MPFR_RNDU));
  if (disc->multiplicity > 1) fact_text(f, ", %d of them", disc->multiplicity);
  fact_text(f, "\n");
}

static void put_eigenvalues(fact_writer *f, const spectrum_eigenvalues *e) {
  json_writer *const w = &f->json;
  json_write_array(w, "eigenvalues");
  for (int i = 0; i < e->count; i++) {
    const spectrum_disc *const disc = &e->disc[i];
    json_write_object(w, NULL);
    json_write_real(w, "re", disc->re, MPFR_RNDN);
    json_write_real(w, "im", disc->im, MPFR_RNDN);
    json_write_real(w, "radius", disc->radius, MPFR_RNDU);
    json_write_integer(w, "multiplicity", (uint64_t)disc->multiplicity);
    json_write_close(w);
    if (i < MOST_EIGENVALUES) put_disc_text(f, i == 0 ? "eigenvalues" : "", disc);
  }
  json_write_close(w);
  if (e->count > MOST_EIGENVALUES)
    fact_text(f, "  %-12s %d discs more: --format json\n", "", e->count - MOST_EIGENVALUES);
}

static void put_matrix(fact_writer *f, const spectrum_head *head) {
  put_interval(f, "trace", "trace", &head->traces.trace, "tr W");
  put_interval(f, "trace_of_square", "", &head->traces.trace_of_square, "tr W^2");
  put_interval(f, "frobenius", "norms", &head->traces.frobenius, "||W||_F");
  put_interval(f, "norm", "", &head->norm, "||W||_2");
  put_interval(f, "spectral_radius", "", &head->radius, "spectral radius");
  put_interval(f, "eigenvalue_mean", "mean", &head->traces.mean, "mean of the eigenvalues");
  put_interval(f, "eigenvalue_variance", "variance", &head->traces.variance, "mean of (eigenvalue - mean)^2");
  put_eigenvalues(f, &head->eigenvalues);
}

static void put_attention(fact_writer *f, const spectrum_head_attention *head, int tokens) {
  json_write_array(&f->json, "entropy");
  for (int i = 0; i < tokens; i++) put_interval_json(&f->json, NULL, &head->entropy[i]);
  json_write_close(&f->json);
  put_interval(f, "entropy_mean", "entropy", &head->mean_entropy, "mean of the rows' entropies");
  put_interval(f, "largest_weight", "weights", &head->largest_weight, "max P");
  put_interval(f, "token_similarity", "similarity", &head->similarity,
               "||Y - 1 mean(Y)||_F / ||Y||_F of the head's output");
  put_interval(f, "z", "z", &head->z, "||A||_2 R^2");
}

/* rho: as a list, entry i - 1 for token i; rho_symmetric is null where tr W^2 is not positive. */
static void put_propagation_json(json_writer *w, const spectrum_layer *s, size_t first) {
  const spectrum_propagation *const p = s->propagation + first;
  json_write_array(w, "rho");
  for (int i = 0; i < s->length; i++) put_interval_json(w, NULL, &p[i].rho);
  json_write_close(w);
  if (p->has_symmetric) {
    json_write_array(w, "rho_symmetric");
    for (int i = 0; i < s->length; i++) put_interval_json(w, NULL, &p[i].symmetric);
    json_write_close(w);
  } else {
    json_write_null(w, "rho_symmetric");
  }
  if (s->walk == NULL) return;
  json_write_array(w, "random_walk");
  for (int i = 0; i < s->length; i++) {
    const spectrum_frequency *const walk = s->walk + first + i;
    json_write_object(w, NULL);
    json_write_double(w, "frequency", walk->frequency, MPFR_RNDN);
    json_write_double(w, "low", walk->low, MPFR_RNDN);
    json_write_double(w, "high", walk->high, MPFR_RNDN);
    json_write_close(w);
  }
  json_write_close(w);
}

static void put_propagation(fact_writer *f, const spectrum_layer *s, int h) {
  const size_t first = (size_t)h * (size_t)s->length;
  const int step = (s->length + MOST_ROWS - 1) / MOST_ROWS;
  put_propagation_json(&f->json, s, first);
  for (int i = step; f->text != NULL && i <= s->length; i += step) {
    const size_t at = first + (size_t)i - 1;
    char lo[NUMBER_TEXT_SIZE], hi[NUMBER_TEXT_SIZE];
    fact_text(f, "  %-12s i = %d: %s <= rho <= %s", i == step ? "propagation" : "", i,
              number_text_end(lo, s->propagation[at].rho.lo, MPFR_RNDD),
              number_text_end(hi, s->propagation[at].rho.hi, MPFR_RNDU));
    if (s->walk != NULL)
      fact_text(f, ", walks %.3f (95 %%: %.3f to %.3f)", s->walk[at].frequency, s->walk[at].low, s->walk[at].high);
    fact_text(f, "\n");
  }
}

static void put_heads(fact_writer *f, const spectrum_report *r) {
  const spectrum_layer *const s = r->spectrum;
  json_write_array(&f->json, "heads");
  for (int h = 0; h < s->heads; h++) {
    json_write_object(&f->json, NULL);
    json_write_integer(&f->json, "head", (uint64_t)spectrum_report_head(r, h));
    fact_text(f, "\nhead %d\n", spectrum_report_head(r, h));
    put_matrix(f, &s->head[h]);
    if (s->has_attention) put_attention(f, &s->attention.head[h], s->attention.tokens);
    if (s->length > 0) put_propagation(f, s, h);
    json_write_close(&f->json);
  }
  json_write_close(&f->json);
}

static void put_blocks(fact_writer *f, const spectrum_attention *a) {
  fact_text(f, "\nblock\n");
  put_interval(f, "radius_of_inputs", "radius", &a->radius, "max ||x_i||");
  json_write_object(&f->json, "token_similarity");
  put_interval(f, "input", "input", &a->input_similarity, "||X - 1 mean(X)||_F / ||X||_F");
  put_interval(f, "output", "output", &a->output_similarity, "||Y - 1 mean(Y)||_F / ||Y||_F");
  json_write_close(&f->json);
}

static void put_walk(json_writer *w, const spectrum_walk *walk) {
  json_write_object(w, "propagation");
  json_write_integer(w, "length", (uint64_t)walk->length);
  json_write_integer(w, "samples", (uint64_t)walk->samples);
  json_write_integer(w, "seed", walk->seed);
  json_write_close(w);
}

void spectrum_report_write(FILE *out, bool json, const void *told) {
  const spectrum_report *const r = told;
  const spectrum_layer *const s = r->spectrum;
  char text[NUMBER_TEXT_SIZE];
  fact_writer f;
  fact_writer_begin(&f, out, json, "spectrum");
  put_subject(&f, r);
  fact_text(&f, "time       %.2f s, peak memory %s\n", r->seconds, number_text_bytes(text, memory_peak()));
  put_heads(&f, r);
  if (s->has_attention) put_blocks(&f, &s->attention);
  if (s->length > 0) put_walk(&f.json, &r->walk);
  json_write_double(&f.json, "seconds", r->seconds, MPFR_RNDN);
  json_write_integer(&f.json, "peak_memory_bytes", memory_peak());
  json_write_string(&f.json, "claim", REPORT_CLAIM_NUMBERS " " CLAIM_DISCS "; " CLAIM_WALK);
  fact_text(&f, "\nclaim      %s\n           %s%s.\n", REPORT_CLAIM_NUMBERS, CLAIM_DISCS,
            s->walk != NULL ? ";\n           " CLAIM_WALK : "");
  fact_writer_end(&f);
}
