#include "base/memory.h"
#include "report/number_text.h"
#include "report/spectrum/spectrum_report.h"
#include "report/subject_input.h"

#include <inttypes.h>

enum { MOST_EIGENVALUES = 8, MOST_ROWS = 16, RADIUS_DIGITS = 3 };

static void put_interval(FILE *out, const char *name, const interval *x, const char *what) {
  char lo[NUMBER_TEXT_SIZE], hi[NUMBER_TEXT_SIZE];
  if (!mpfr_number_p(x->lo) || !mpfr_number_p(x->hi)) {
    fprintf(out, "  %-12s not defined: %s may be 0 / 0\n", name, what);
    return;
  }
  fprintf(out, "  %-12s %s <= %s <= %s\n", name, number_text_end(lo, x->lo, MPFR_RNDD), what,
          number_text_end(hi, x->hi, MPFR_RNDU));
}

static void put_subject(FILE *out, const spectrum_report *r) {
  const report_subject *const s = r->subject;
  fprintf(out, "layer      %s", s->name);
  if (s->from_model) fprintf(out, ", layer %d", s->model_layer);
  if (s->random) fprintf(out, ", seed %" PRIu64, s->seed);
  fprintf(out, "\nshape      d = %d, head_dim = %d, mask %s\n", s->dim, s->head_dim, subject_mask_name(s->mask));
  if (s->tokens > 0) fprintf(out, "input      %s, n = %d tokens\n", s->input, s->tokens);
  subject_print_tokens(out, s);
  for (int i = 0; i < s->file_count; i++) fprintf(out, "sha256     %s  %s\n", s->files[i].sha256, s->files[i].path);
  fprintf(out, "matrix     W = %s\n", spectrum_report_matrix(r));
}

static void put_eigenvalues(FILE *out, const spectrum_eigenvalues *e) {
  char re[NUMBER_TEXT_SIZE], im[NUMBER_TEXT_SIZE], radius[NUMBER_TEXT_SIZE];
  for (int i = 0; i < e->count && i < MOST_EIGENVALUES; i++) {
    const spectrum_disc *const disc = &e->disc[i];
    const bool below = mpfr_sgn(disc->im) < 0;
    number_text_end(im, disc->im, MPFR_RNDN);
    fprintf(out, "  %-12s %s %c %s i, within %s", i == 0 ? "eigenvalues" : "", number_text_end(re, disc->re, MPFR_RNDN),
            below ? '-' : '+', below ? im + 1 : im,
            number_text_decimal(radius, disc->radius, RADIUS_DIGITS, MPFR_RNDU));
    fprintf(out, disc->multiplicity > 1 ? ", %d of them\n" : "\n", disc->multiplicity);
  }
  if (e->count > MOST_EIGENVALUES)
    fprintf(out, "  %-12s %d discs more: --format json\n", "", e->count - MOST_EIGENVALUES);
}

static void put_matrix(FILE *out, const spectrum_head *head) {
  put_interval(out, "trace", &head->traces.trace, "tr W");
  put_interval(out, "", &head->traces.trace_of_square, "tr W^2");
  put_interval(out, "norms", &head->traces.frobenius, "||W||_F");
  put_interval(out, "", &head->norm, "||W||_2");
  put_interval(out, "", &head->radius, "spectral radius");
  put_interval(out, "mean", &head->traces.mean, "mean of the eigenvalues");
  put_interval(out, "variance", &head->traces.variance, "mean of (eigenvalue - mean)^2");
  put_eigenvalues(out, &head->eigenvalues);
}

static void put_attention(FILE *out, const spectrum_head_attention *head) {
  put_interval(out, "entropy", &head->mean_entropy, "mean of the rows' entropies");
  put_interval(out, "weights", &head->largest_weight, "max P");
  put_interval(out, "similarity", &head->similarity, "||Y - 1 mean(Y)||_F / ||Y||_F of the head's output");
  put_interval(out, "z", &head->z, "||A||_2 R^2");
}

static void put_propagation(FILE *out, const spectrum_layer *s, int h) {
  const int step = s->length > MOST_ROWS ? (s->length + MOST_ROWS - 1) / MOST_ROWS : 1;
  for (int i = step; i <= s->length; i += step) {
    const size_t at = (size_t)h * (size_t)s->length + (size_t)i - 1;
    char lo[NUMBER_TEXT_SIZE], hi[NUMBER_TEXT_SIZE];
    fprintf(out, "  %-12s i = %d: %s <= rho <= %s", i == step ? "propagation" : "", i,
            number_text_end(lo, s->propagation[at].rho.lo, MPFR_RNDD),
            number_text_end(hi, s->propagation[at].rho.hi, MPFR_RNDU));
    if (s->walk != NULL)
      fprintf(out, ", walks %.3f (95 %%: %.3f to %.3f)", s->walk[at].frequency, s->walk[at].low, s->walk[at].high);
    fputc('\n', out);
  }
}

static void put_blocks(FILE *out, const spectrum_attention *a) {
  fputs("\nblock\n", out);
  put_interval(out, "radius", &a->radius, "max ||x_i||");
  put_interval(out, "input", &a->input_similarity, "||X - 1 mean(X)||_F / ||X||_F");
  put_interval(out, "output", &a->output_similarity, "||Y - 1 mean(Y)||_F / ||Y||_F");
}

void spectrum_report_text(FILE *out, const spectrum_report *r) {
  const spectrum_layer *const s = r->spectrum;
  char text[NUMBER_TEXT_SIZE];
  put_subject(out, r);
  fprintf(out, "time       %.2f s, peak memory %s\n", r->seconds, number_text_bytes(text, memory_peak()));
  for (int h = 0; h < s->heads; h++) {
    fprintf(out, "\nhead %d\n", spectrum_report_head(r, h));
    put_matrix(out, &s->head[h]);
    if (s->has_attention) put_attention(out, &s->attention.head[h]);
    if (s->length > 0) put_propagation(out, s, h);
  }
  if (s->has_attention) put_blocks(out, &s->attention);
  fputs("\nclaim      " SPECTRUM_CLAIM_NUMBERS "\n           " SPECTRUM_CLAIM_DISCS, out);
  fputs(s->walk != NULL ? ";\n           " SPECTRUM_CLAIM_WALK ".\n" : ".\n", out);
}
