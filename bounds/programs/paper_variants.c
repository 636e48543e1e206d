/* What the published code of "How Smooth Is Attention?" evaluates where it differs from attention with its output
 * projection, beside that: one CSV file for one layer at one input.
 *
 *   paper_variants OUTPUT MODEL LAYER SOURCE OFFSET N        (SOURCE, OFFSET: see model_site.h)
 *
 * Rows, each with lower <= ||D|| <= upper, and the ratio of its lower end to that of the plain row above it:
 *   layer      plain: the attention of the model, with its mask
 *              unmasked or masked: the same with the other mask
 *              self: all heads side by side, without W_O, BERT only
 *              block: LN(x + f(x)), BERT only
 *   head h     plain: head h alone, k x d, without W_O
 *              sliced: head h of weights read row by row although they are stored (in, out), GPT-2 only
 *              (sliced_layer.h) dropout S: head h with a tenth of its attention weights dropped, S = 1, 2, 3, seed 3 h
 *              + S, GPT-2 only (dropout_jacobian.h) */
#include "arguments.h"
#include "csv.h"
#include "dropout_jacobian.h"
#include "enclosed_norm.h"
#include "interval/interval_arith.h"
#include "interval/interval_set.h"
#include "interval_attention.h"
#include "model/format/atomic_file.h"
#include "model_site.h"
#include "sliced_layer.h"

#include <stdlib.h>

enum { PRECISION = 128, WHOLE_LAYER = -1 };

typedef struct {
  FILE *out;
  const char *model; /* as the rows name it */
  model_site site;
  int head;            /* of the rows under way; WHOLE_LAYER */
  enclosed_norm plain; /* the last plain row */
} experiment;

static void print_row(const experiment *e, const char *variant, const enclosed_norm *norm) {
  fprintf(e->out, "%d", e->site.x.rows);
  csv_text(e->out, e->model);
  fprintf(e->out, ",%d,", e->site.layer);
  if (e->head != WHOLE_LAYER) fprintf(e->out, "%d", e->head);
  csv_text(e->out, variant);
  csv_number(e->out, norm->lower, MPFR_RNDD);
  csv_number(e->out, norm->upper, MPFR_RNDU);
  csv_ratio(e->out, norm->lower, e->plain.lower, MPFR_RNDN);
  fputc('\n', e->out);
}

static attcert_status measure_plain(experiment *e, const attcert_layer *layer, attcert_error *err) {
  const attcert_status status = enclosed_norm_certify(&e->plain, layer, &e->site.x, err);
  if (status == ATTCERT_OK) print_row(e, "plain", &e->plain);
  return status;
}

/* A layer other than the plain one, at the same input. */
static attcert_status measure_other(const experiment *e, const attcert_layer *layer, const char *variant,
                                    attcert_error *err) {
  enclosed_norm norm;
  enclosed_norm_init(&norm);
  const attcert_status status = enclosed_norm_certify(&norm, layer, &e->site.x, err);
  if (status == ATTCERT_OK) print_row(e, variant, &norm);
  enclosed_norm_clear(&norm);
  return status;
}

static attcert_status measure_jacobian(const experiment *e, const jacobian_midpoint *j, const char *variant,
                                       attcert_error *err) {
  enclosed_norm norm;
  enclosed_norm_init(&norm);
  const attcert_status status = enclosed_norm_of_jacobian(&norm, j, err);
  if (status == ATTCERT_OK) print_row(e, variant, &norm);
  enclosed_norm_clear(&norm);
  return status;
}

/* ---- the layer --------------------------------------------------------------------------------------------------- */

static attcert_status measure_other_mask(experiment *e, attcert_error *err) {
  attcert_layer layer = e->site.attention; /* the same arrays */
  const bool masked = layer.mask == ATTCERT_MASK_CAUSAL;
  layer.mask = masked ? ATTCERT_MASK_NONE : ATTCERT_MASK_CAUSAL;
  return measure_other(e, &layer, masked ? "unmasked" : "masked", err);
}

static attcert_status measure_self(const experiment *e, attcert_error *err) {
  attcert_layer layer = e->site.attention; /* the same arrays */
  layer.output_weight = layer.output_bias = NULL;
  layer.out_dim = layer.heads * layer.head_dim;
  return measure_other(e, &layer, "self", err);
}

/* t := x + f(x), n x d intervals. */
static attcert_status add_residual(interval *t, const experiment *e, const layer_enclosure *enclosure,
                                   attcert_error *err) {
  const size_t count = (size_t)e->site.x.rows * (size_t)e->site.x.cols;
  const attcert_status status = interval_attention_output(t, &e->site.attention, enclosure, err);
  interval x;
  interval_init(&x, PRECISION);
  for (size_t i = 0; i < count; i++) {
    interval_set_d(&x, e->site.x.data[i]);
    interval_add(&t[i], &t[i], &x);
  }
  interval_clear(&x);
  return status;
}

static attcert_status compose_block(const experiment *e, const layernorm *ln, const layer_enclosure *enclosure,
                                    attcert_error *err) {
  const int n = e->site.x.rows;
  layernorm_enclosure norm;
  jacobian_midpoint j;
  interval *const t = interval_vec_new((size_t)n * (size_t)e->site.x.cols, PRECISION);
  if (t == NULL) return attcert_fail(err, ATTCERT_RESOURCE, "out of memory: %d tokens in intervals", n);
  attcert_status status = add_residual(t, e, enclosure, err);
  if (status == ATTCERT_OK) status = layernorm_enclosure_init(&norm, ln, t, n, PRECISION, err);
  interval_vec_free(t);
  if (status != ATTCERT_OK) return status;
  status = jacobian_before_layernorm(&j, &e->site.attention, enclosure, &norm, err);
  if (status == ATTCERT_OK) status = measure_jacobian(e, &j, "block", err);
  jacobian_midpoint_clear(&j);
  layernorm_enclosure_clear(&norm);
  return status;
}

static attcert_status measure_block(experiment *e, attcert_error *err) {
  layernorm ln;
  layer_enclosure enclosure;
  attcert_status status = model_site_layernorm_after(&ln, &e->site, err);
  if (status == ATTCERT_OK)
    status = layer_enclosure_init(&enclosure, &e->site.attention, &e->site.x, PRECISION, 1, err);
  if (status == ATTCERT_OK) {
    status = compose_block(e, &ln, &enclosure, err);
    layer_enclosure_clear(&enclosure);
  }
  layernorm_clear(&ln);
  return status;
}

/* ---- a head ------------------------------------------------------------------------------------------------------ */

static attcert_status measure_sliced(const experiment *e, const attcert_layer *sliced, attcert_error *err) {
  attcert_layer head;
  attcert_status status = attcert_layer_head(&head, sliced, e->head, err);
  if (status != ATTCERT_OK) return status;
  status = measure_other(e, &head, "sliced", err);
  attcert_layer_clear(&head);
  return status;
}

enum { DRAWINGS = 3 };

static attcert_status measure_drawing(const experiment *e, const attcert_layer *head, const layer_enclosure *enclosure,
                                      int drawing, attcert_error *err) {
  const int n = enclosure->n;
  char variant[32];
  jacobian_midpoint j;
  bool *const kept = calloc((size_t)n * (size_t)n, sizeof *kept);
  if (kept == NULL) return attcert_fail(err, ATTCERT_RESOURCE, "out of memory: %d x %d weights", n, n);
  dropout_draw(kept, n, (uint64_t)(DRAWINGS * e->head + drawing));
  snprintf(variant, sizeof variant, "dropout %d", drawing);
  attcert_status status = dropout_jacobian(&j, head, enclosure, kept, err);
  if (status == ATTCERT_OK) status = measure_jacobian(e, &j, variant, err);
  jacobian_midpoint_clear(&j);
  free(kept);
  return status;
}

static attcert_status measure_dropout(const experiment *e, const attcert_layer *head, attcert_error *err) {
  layer_enclosure enclosure;
  attcert_status status = layer_enclosure_init(&enclosure, head, &e->site.x, PRECISION, 1, err);
  if (status != ATTCERT_OK) return status;
  for (int drawing = 1; drawing <= DRAWINGS && status == ATTCERT_OK; drawing++)
    status = measure_drawing(e, head, &enclosure, drawing, err);
  layer_enclosure_clear(&enclosure);
  return status;
}

static attcert_status measure_head(experiment *e, const attcert_layer *sliced, attcert_error *err) {
  attcert_layer head;
  attcert_status status = attcert_layer_head(&head, &e->site.attention, e->head, err);
  if (status != ATTCERT_OK) return status;
  status = measure_plain(e, &head, err);
  if (status == ATTCERT_OK) status = measure_sliced(e, sliced, err);
  if (status == ATTCERT_OK) status = measure_dropout(e, &head, err);
  attcert_layer_clear(&head);
  return status;
}

static attcert_status measure_heads(experiment *e, attcert_error *err) {
  attcert_layer sliced;
  attcert_status status = sliced_layer_init(&sliced, &e->site.attention, err);
  for (e->head = 0; e->head < e->site.attention.heads && status == ATTCERT_OK; e->head++)
    status = measure_head(e, &sliced, err);
  attcert_layer_clear(&sliced);
  return status;
}

/* ---- the program ------------------------------------------------------------------------------------------------- */

static attcert_status measure(experiment *e, attcert_error *err) {
  const bool gpt2 = model_get_shape(e->site.model).decoder;
  fputs("n,model,layer,head,variant,lower,upper,ratio\n", e->out);
  e->head = WHOLE_LAYER;
  attcert_status status = measure_plain(e, &e->site.attention, err);
  if (status == ATTCERT_OK) status = measure_other_mask(e, err);
  if (status == ATTCERT_OK) status = gpt2 ? measure_heads(e, err) : measure_self(e, err);
  if (status == ATTCERT_OK && !gpt2) status = measure_block(e, err);
  return status;
}

enum { OUTPUT = 1, SITE, WORDS = SITE + MODEL_SITE_WORDS };

static attcert_status run(experiment *e, char **word, attcert_error *err) {
  atomic_file file;
  attcert_status status = model_site_open_words(&e->site, word + SITE, err);
  if (status == ATTCERT_OK) status = atomic_file_open(&file, word[OUTPUT], err);
  if (status != ATTCERT_OK) return status;
  e->out = file.stream;
  e->model = model_site_name(word[SITE]);
  status = measure(e, err);
  if (status == ATTCERT_OK) return atomic_file_commit(&file, err);
  atomic_file_discard(&file);
  return status;
}

int main(int argc, char **argv) {
  attcert_error err = {0};
  experiment e = {0};
  enclosed_norm_init(&e.plain);
  const attcert_status status =
      argc == WORDS ? run(&e, argv, &err) : attcert_fail(&err, ATTCERT_INPUT, "expected OUTPUT " MODEL_SITE_USAGE);
  enclosed_norm_clear(&e.plain);
  model_site_close(&e.site);
  return program_end("paper_variants", status, &err);
}
