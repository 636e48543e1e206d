/* The same weights under heads of several kinds: certified local Lipschitz constants of tokens t x_i of growing length,
 * and the theory's bounds on the ball that holds them, one CSV file for one kind.
 *
 *   head_variants OUTPUT KIND MODEL LAYER SOURCE OFFSET N T...        (SOURCE, OFFSET: see model_site.h)
 *
 * KIND: plain, or what stands between the maps of queries and keys and the softmax:
 *   rotary         rotary positions, base 10000
 *   norm           RMSNorm of each head's queries and keys, gain 1, epsilon 1e-6
 *   norm+rotary    both, as Qwen3 has them
 *   cap            scores capped at 50, as Gemma 2 has them
 *   window         each token attends to itself and three before it
 * The model's layer has plain heads; its biases of queries and keys are left out, as such heads have none. Inputs:
 *   text      what the layer reads
 *   null key  the same with the first token, which all attend to, replaced by one as long whose key in head 0 is 0
 * Each row has lower <= ||D f|| <= upper at t times the input, R = t max ||x_i||, the bounds on the ball of radius R
 * around 0, and T6 and T7 at the input. */
#include "arguments.h"
#include "csv.h"
#include "lipschitz/lipschitz.h"
#include "model/format/atomic_file.h"
#include "model_site.h"
#include "network/affine/step_affine.h"
#include "network/attention/step_attention.h"
#include "network/rmsnorm/step_rmsnorm.h"
#include "network/rotary/step_rotary.h"
#include "theory/heads/heads_theory.h"
#include "theory/token_ball.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *name;
  bool rotary, norm;
  double cap; /* 0: none */
  int before; /* ATTENTION_ALL: no window */
} head_kind;

static const head_kind kinds[] = {
    {"plain", false, false, 0.0, ATTENTION_ALL}, {"rotary", true, false, 0.0, ATTENTION_ALL},
    {"norm", false, true, 0.0, ATTENTION_ALL},   {"norm+rotary", true, true, 0.0, ATTENTION_ALL},
    {"cap", false, false, 50.0, ATTENTION_ALL},  {"window", false, false, 0.0, 3},
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

static const theory_id columns[] = {THEORY_T1, THEORY_T2, THEORY_T4, THEORY_T5, THEORY_T6, THEORY_T7, THEORY_T9};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

static attcert_status find_kind(const head_kind **kind, const char *name, attcert_error *err) {
  for (int i = 0; i < KINDS; i++) {
    *kind = &kinds[i];
    if (strcmp(kinds[i].name, name) == 0) return ATTCERT_OK;
  }
  return attcert_fail(err, ATTCERT_INPUT, "KIND: expected plain|rotary|norm|norm+rotary|cap|window, got '%s'", name);
}

/* ---- the layer --------------------------------------------------------------------------------------------------- */

/* Queries, or keys. */
static int add_path(network_builder *b, const attcert_layer *l, const double *weight, const double *gain,
                    const head_kind *kind) {
  int value = step_affine_add(b, 0, &(affine_weights){weight, NULL}, l->heads * l->head_dim);
  if (kind->norm) value = step_rmsnorm_add(b, value, &(rmsnorm_weights){gain, 1e-6, l->heads, false});
  if (!kind->rotary) return value;
  return step_rotary_add(
      b, value,
      &(rotary_heads){.heads = l->heads,
                      .head_dim = l->head_dim,
                      .pairing = ROTARY_HALVES,
                      .rule = rotary_rule_scaled(10000.0, l->head_dim / 2 * 2, &(rotary_scaling){.factor = 1.0}),
                      .token = -1});
}

/* gain: as many ones as a row has entries. */
static attcert_status build(network_steps *network, const attcert_layer *l, int n, const double *gain,
                            const head_kind *kind, attcert_error *err) {
  const int width = l->heads * l->head_dim;
  *network = (network_steps){.tokens = n, .dim = l->dim};
  network_builder b = {.network = network, .err = err, .layer = -1};
  attention_heads heads = step_attention_plain(l->heads, l->head_dim);
  heads.after = attention_heads_after(l->mask);
  heads.before = kind->before;
  heads.curve = kind->cap > 0.0 ? &curve_tanh : NULL;
  heads.cap = kind->cap;
  const int input[] = {add_path(&b, l, l->query_weight, gain, kind), add_path(&b, l, l->key_weight, gain, kind),
                       step_affine_add(&b, 0, &(affine_weights){l->value_weight, l->value_bias}, width)};
  step_affine_add(&b, step_attention_add(&b, input, &heads), &(affine_weights){l->output_weight, l->output_bias},
                  l->out_dim);
  return b.status;
}

/* ---- the inputs -------------------------------------------------------------------------------------------------- */

static double dot(const double *a, const double *b, int count) {
  double sum = 0.0;
  for (int i = 0; i < count; i++) sum += a[i] * b[i];
  return sum;
}

/* x becomes its part orthogonal to the rows of K in head 0, as long as before; key: those rows, which become
 * orthonormal. */
static void make_key_zero(double *x, double *key, int rows, int dim) {
  const double length = sqrt(dot(x, x, dim));
  for (int r = 0; r < rows; r++) {
    double *const row = key + r * dim;
    for (int pass = 0; pass < 2; pass++) {
      for (int s = 0; s < r; s++) {
        const double along = dot(row, key + s * dim, dim);
        for (int a = 0; a < dim; a++) row[a] -= along * key[s * dim + a];
      }
    }
    const double norm = sqrt(dot(row, row, dim));
    for (int a = 0; a < dim; a++) row[a] /= norm;
  }
  for (int pass = 0; pass < 2; pass++) {
    for (int r = 0; r < rows; r++) {
      const double along = dot(x, key + r * dim, dim);
      for (int a = 0; a < dim; a++) x[a] -= along * key[r * dim + a];
    }
  }
  const double left = sqrt(dot(x, x, dim));
  for (int a = 0; a < dim; a++) x[a] *= length / left;
}

static attcert_status set_null_key(attcert_matrix *x, const attcert_layer *l, attcert_error *err) {
  const size_t bytes = (size_t)l->head_dim * (size_t)l->dim * sizeof(double);
  double *const key = malloc(bytes);
  if (key == NULL) return attcert_fail(err, ATTCERT_RESOURCE, "out of memory: a head's keys");
  memcpy(key, l->key_weight, bytes);
  make_key_zero(x->data, key, l->head_dim, l->dim);
  free(key);
  return ATTCERT_OK;
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

typedef struct {
  FILE *out;
  const char *model, *kind;
  int layer;
  const network_steps *network;
  const attcert_matrix *x;
  attcert_matrix scaled; /* t x */
} table;

static void print_header(FILE *out) {
  theory_table names;
  theory_table_init(&names);
  fputs("n,model,layer,kind,input,t,R,lower,upper", out);
  for (int t = 0; t < COLUMNS; t++) fprintf(out, ",%s", names.bound[columns[t]].id);
  fputs("\n", out);
  theory_table_clear(&names);
}

static void print_row(const table *to, const char *input, double t, double radius, const attcert_certificate *c,
                      const theory_table *theory) {
  fprintf(to->out, "%d", to->x->rows);
  csv_text(to->out, to->model);
  fprintf(to->out, ",%d,%s,%s,%.17g,%.17g", to->layer, to->kind, input, t, radius);
  csv_number(to->out, c->lower, MPFR_RNDD);
  csv_number(to->out, c->upper, MPFR_RNDU);
  for (int i = 0; i < COLUMNS; i++) {
    const theory_bound *const bound = &theory->bound[columns[i]];
    if (bound->available)
      csv_number(to->out, bound->value, MPFR_RNDU);
    else
      csv_empty(to->out);
  }
  fputc('\n', to->out);
}

static attcert_status add_row(table *to, const char *input, double t, attcert_error *err) {
  attcert_options options;
  attcert_certificate certificate;
  theory_table theory;
  attcert_options_default(&options);
  options.engine = ATTCERT_ENGINE_DENSE;
  options.threads = 1;
  attcert_certificate_init(&certificate);
  theory_table_init(&theory);
  for (int i = 0; i < to->x->rows * to->x->cols; i++) to->scaled.data[i] = t * to->x->data[i];
  const double radius = token_ball_radius(&to->scaled, NULL);
  attcert_status status = lipschitz_certify(&certificate, to->network, &to->scaled, &options, err);
  if (status == ATTCERT_OK) status = heads_theory_evaluate(&theory, to->network, &to->scaled, radius, &options, err);
  if (status == ATTCERT_OK) print_row(to, input, t, radius, &certificate, &theory);
  theory_table_clear(&theory);
  attcert_certificate_clear(&certificate);
  return status;
}

/* ---- the program ------------------------------------------------------------------------------------------------- */

enum { OUTPUT = 1, KIND, SITE, FACTORS = SITE + MODEL_SITE_WORDS };

static attcert_status print_table(table *to, model_site *site, char **factors, attcert_error *err) {
  static const char *const inputs[] = {"text", "null key"};
  attcert_status status = ATTCERT_OK;
  to->x = &site->x;
  for (int i = 0; i < 2 && status == ATTCERT_OK; i++) {
    if (i == 1) status = set_null_key(&site->x, &site->attention, err);
    for (char **word = factors; *word != NULL && status == ATTCERT_OK; word++) {
      double t;
      status = argument_positive(&t, "T", *word, err);
      if (status == ATTCERT_OK) status = add_row(to, inputs[i], t, err);
    }
  }
  return status;
}

static attcert_status run_at(model_site *site, const head_kind *kind, char **word, attcert_error *err) {
  atomic_file file;
  network_steps network = {0};
  const size_t width = (size_t)site->attention.heads * (size_t)site->attention.head_dim;
  double *const gain = malloc(width * sizeof *gain);
  if (gain == NULL) return attcert_fail(err, ATTCERT_RESOURCE, "out of memory: %zu gains", width);
  for (size_t c = 0; c < width; c++) gain[c] = 1.0;
  table to = {.model = model_site_name(word[SITE]), .kind = kind->name, .layer = site->layer, .network = &network};
  attcert_status status = build(&network, &site->attention, site->x.rows, gain, kind, err);
  if (status == ATTCERT_OK) status = attcert_matrix_init(&to.scaled, site->x.rows, site->x.cols, err);
  if (status == ATTCERT_OK) status = atomic_file_open(&file, word[OUTPUT], err);
  if (status == ATTCERT_OK) {
    to.out = file.stream;
    print_header(to.out);
    status = print_table(&to, site, word + FACTORS, err);
    if (status == ATTCERT_OK)
      status = atomic_file_commit(&file, err);
    else
      atomic_file_discard(&file);
  }
  attcert_matrix_clear(&to.scaled);
  network_clear(&network);
  free(gain);
  return status;
}

static attcert_status run(model_site *site, int words, char **word, attcert_error *err) {
  const head_kind *kind;
  if (words <= FACTORS) return attcert_fail(err, ATTCERT_INPUT, "expected OUTPUT KIND " MODEL_SITE_USAGE " T...");
  attcert_status status = find_kind(&kind, word[KIND], err);
  if (status == ATTCERT_OK) status = model_site_open_words(site, word + SITE, err);
  return status == ATTCERT_OK ? run_at(site, kind, word, err) : status;
}

int main(int argc, char **argv) {
  attcert_error err = {0};
  model_site site = {0};
  const attcert_status status = run(&site, argc, argv, &err);
  model_site_close(&site);
  return program_end("head_variants", status, &err);
}
