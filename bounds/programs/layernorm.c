/* LayerNorm and attention: the radius that LayerNorm enforces, and local Lipschitz constants before and after it, one
 * CSV file for one layer at one input.
 *
 *   layernorm OUTPUT MODEL LAYER SOURCE OFFSET N        (SOURCE, OFFSET: see model_site.h)
 *
 * h is the hidden state that LayerNorm LN normalizes for the attention f, all as stored in double. Rows, each with
 * lower <= norm <= upper:
 *   raw        ||D f|| at h, attention without LayerNorm
 *   normed     ||D f|| at LN(h) rounded to double, where the model evaluates it, with the bounds of the theory: on the
 *              ball of radius R = sqrt(d) max |gamma| + ||beta||, which holds every output of LN, and (T6, T7) at the
 *              input
 *   LN         ||D LN|| at h
 *   composed   ||D(f o LN)|| at h, LN(h) not rounded; product is an upper bound of ||D f|| ||D LN||, from the two rows
 *              above
 * radius: max ||x_i|| of the row's own input. Exit status 1: a row contradicts another one. */
#include "arguments.h"
#include "csv.h"
#include "enclosed_norm.h"
#include "interval/interval_set.h"
#include "interval_attention.h"
#include "model/format/atomic_file.h"
#include "model_site.h"
#include "theory/theory.h"
#include "theory/token_ball.h"

enum { PRECISION = 128 };

typedef enum { RAW, NORMED, LAYERNORM, COMPOSED, MAPS } map_id;
static const char *const map_names[MAPS] = {"raw", "normed", "LN", "composed"};

typedef struct {
  model_site site;
  layernorm ln;
  attcert_matrix h;
  double enforced; /* R */
  enclosed_norm map[MAPS];
  double radius[MAPS]; /* of each map's input */
  theory_table theory;
} experiment;

static const theory_id columns[] = {THEORY_T1, THEORY_T2, THEORY_T4, THEORY_T5, THEORY_T6, THEORY_T7, THEORY_T9};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

/* ---- measuring --------------------------------------------------------------------------------------------------- */

static attcert_status evaluate_theory(experiment *e, attcert_error *err) {
  layer_enclosure enclosure;
  layer_norms norms;
  attcert_status status = layer_enclosure_init(&enclosure, &e->site.attention, &e->site.x, PRECISION, 1, err);
  if (status != ATTCERT_OK) return status;
  status = layer_norms_init(&norms, &e->site.attention, err);
  if (status == ATTCERT_OK)
    status = theory_evaluate(&e->theory, &e->site.attention, &norms, &e->site.x, &enclosure, e->enforced, err);
  layer_norms_clear(&norms);
  layer_enclosure_clear(&enclosure);
  return status;
}

static attcert_status compose(experiment *e, const layernorm_enclosure *ln, attcert_error *err) {
  layer_enclosure enclosure;
  jacobian_midpoint j;
  const attcert_layer *const layer = &e->site.attention;
  attcert_status status = interval_attention_init(&enclosure, layer, ln->out, ln->n, PRECISION, err);
  if (status != ATTCERT_OK) return status;
  status = jacobian_after_layernorm(&j, layer, &enclosure, ln, err);
  if (status == ATTCERT_OK) status = jacobian_midpoint_norm(e->map[COMPOSED].lower, e->map[COMPOSED].upper, &j, err);
  jacobian_midpoint_clear(&j);
  layer_enclosure_clear(&enclosure);
  return status;
}

static attcert_status through_layernorm(experiment *e, attcert_error *err) {
  const size_t count = (size_t)e->h.rows * (size_t)e->h.cols;
  layernorm_enclosure ln;
  interval *const h = interval_vec_new(count, PRECISION);
  if (h == NULL) return attcert_fail(err, ATTCERT_RESOURCE, "out of memory: %zu intervals", count);
  for (size_t i = 0; i < count; i++) interval_set_d(&h[i], e->h.data[i]);
  attcert_status status = layernorm_enclosure_init(&ln, &e->ln, h, e->h.rows, PRECISION, err);
  interval_vec_free(h);
  if (status != ATTCERT_OK) return status;
  status = layernorm_jacobian_norm(e->map[LAYERNORM].lower, e->map[LAYERNORM].upper, &ln, err);
  if (status == ATTCERT_OK) status = compose(e, &ln, err);
  layernorm_enclosure_clear(&ln);
  return status;
}

static attcert_status measure(experiment *e, attcert_error *err) {
  attcert_status status = model_site_layernorm_before(&e->ln, &e->h, &e->site, err);
  if (status != ATTCERT_OK) return status;
  e->enforced = layernorm_radius(&e->ln);
  e->radius[RAW] = e->radius[LAYERNORM] = e->radius[COMPOSED] = token_ball_radius(&e->h, NULL);
  e->radius[NORMED] = token_ball_radius(&e->site.x, NULL);
  status = enclosed_norm_certify(&e->map[RAW], &e->site.attention, &e->h, err);
  if (status == ATTCERT_OK) status = enclosed_norm_certify(&e->map[NORMED], &e->site.attention, &e->site.x, err);
  if (status == ATTCERT_OK) status = evaluate_theory(e, err);
  return status == ATTCERT_OK ? through_layernorm(e, err) : status;
}

/* product := ||D f|| ||D LN|| from their upper ends. D f is taken at LN(h) rounded, so it says nothing to 53 bits of
 * `composed`. */
static void upper_product(mpfr_t product, const experiment *e) {
  mpfr_mul(product, e->map[NORMED].upper, e->map[LAYERNORM].upper, MPFR_RNDU);
}

static attcert_status check(const experiment *e, attcert_error *err) {
  static const double rounded_input = 1 + 1e-9; /* see upper_product */
  mpfr_t product;
  if (e->radius[NORMED] > e->enforced * rounded_input)
    return attcert_fail(err, ATTCERT_NEGATIVE, "a token of length %.17g, where LayerNorm enforces %.17g",
                        e->radius[NORMED], e->enforced);
  mpfr_init2(product, 53);
  upper_product(product, e);
  mpfr_mul_d(product, product, rounded_input, MPFR_RNDU);
  const bool holds = mpfr_lessequal_p(e->map[COMPOSED].lower, product) != 0;
  mpfr_clear(product);
  if (holds) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_NEGATIVE, "||D(f o LN)|| >= %.17g exceeds ||D f|| ||D LN||",
                      mpfr_get_d(e->map[COMPOSED].lower, MPFR_RNDD));
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

static void print_bounds(FILE *out, const experiment *e) {
  fprintf(out, ",%.17g", e->enforced);
  for (int t = 0; t < COLUMNS; t++) {
    const theory_bound *const bound = &e->theory.bound[columns[t]];
    if (bound->available)
      csv_number(out, bound->value, MPFR_RNDU);
    else
      csv_empty(out);
  }
}

static void print_product(FILE *out, const experiment *e) {
  mpfr_t product;
  mpfr_init2(product, 53);
  upper_product(product, e);
  csv_number(out, product, MPFR_RNDU);
  mpfr_clear(product);
}

static void print_table(FILE *out, const experiment *e, const char *name) {
  fputs("n,model,layer,map,radius,lower,upper,R", out);
  for (int t = 0; t < COLUMNS; t++) fprintf(out, ",%s", e->theory.bound[columns[t]].id);
  fputs(",product\n", out);
  for (map_id i = RAW; i < MAPS; i++) {
    fprintf(out, "%d", e->h.rows);
    csv_text(out, name);
    fprintf(out, ",%d,%s,%.17g", e->site.layer, map_names[i], e->radius[i]);
    csv_number(out, e->map[i].lower, MPFR_RNDD);
    csv_number(out, e->map[i].upper, MPFR_RNDU);
    if (i == NORMED)
      print_bounds(out, e);
    else
      for (int t = 0; t <= COLUMNS; t++) csv_empty(out);
    if (i == COMPOSED)
      print_product(out, e);
    else
      csv_empty(out);
    fputc('\n', out);
  }
}

/* ---- the program ------------------------------------------------------------------------------------------------- */

enum { OUTPUT = 1, SITE, WORDS = SITE + MODEL_SITE_WORDS };

static attcert_status run(experiment *e, char **word, attcert_error *err) {
  atomic_file file;
  attcert_status status = model_site_open_words(&e->site, word + SITE, err);
  if (status == ATTCERT_OK) status = measure(e, err);
  if (status == ATTCERT_OK) status = check(e, err);
  if (status == ATTCERT_OK) status = atomic_file_open(&file, word[OUTPUT], err);
  if (status != ATTCERT_OK) return status;
  print_table(file.stream, e, model_site_name(word[SITE]));
  return atomic_file_commit(&file, err);
}

int main(int argc, char **argv) {
  attcert_error err = {0};
  experiment e = {0};
  for (map_id i = RAW; i < MAPS; i++) enclosed_norm_init(&e.map[i]);
  theory_table_init(&e.theory);
  const attcert_status status =
      argc == WORDS ? run(&e, argv, &err) : attcert_fail(&err, ATTCERT_INPUT, "expected OUTPUT " MODEL_SITE_USAGE "");
  theory_table_clear(&e.theory);
  for (map_id i = RAW; i < MAPS; i++) enclosed_norm_clear(&e.map[i]);
  attcert_matrix_clear(&e.h);
  layernorm_clear(&e.ln);
  model_site_close(&e.site);
  return program_end("layernorm", status, &err);
}
