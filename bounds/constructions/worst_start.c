/* Writes one of the constructed inputs that the search for the worst one begins from (search/worst_starts.h), for one
 * head of a model's layer, as an .npy file, and prints its name.
 *
 *   worst_start MODEL SEED LAYER HEAD head|rows t3|clusters N R FILE.npy
 *
 * t3: T3's input for the eigenvalue of the larger gamma = max(-lambda_min, lambda_max / 8); clusters: two clusters
 * against ||A||. head: A = K^T Q / sqrt(k) is that of the head. rows: A is made from the rows h k .. h k + k - 1 of the
 * (in, out) matrices in which GPT-2 stores its weights, as the published code of Castin et al. does: the head's outputs
 * are their columns, so this A belongs to no head. */
#include "arguments.h"
#include "ball/region/ball_region.h"
#include "model/format/npy.h"
#include "read_head.h"
#include "search/worst_directions.h"
#include "search/worst_starts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  const char *model, *file;
  int seed, layer, head, tokens;
  double radius;
  bool rows, clusters;
} request;

/* out (k x d) := the transpose of the columns h k .. h k + k - 1 of the (H k) x d matrix w: rows of its transpose. */
static void transposed_columns(double *out, const double *w, const attcert_layer *layer, int h) {
  const int k = layer->head_dim, d = layer->dim;
  for (int r = 0; r < k; r++) {
    for (int c = 0; c < d; c++) out[(size_t)r * (size_t)d + (size_t)c] = w[(size_t)c * (size_t)d + (size_t)(h * k + r)];
  }
}

static attcert_status take_rows(attcert_layer *out, const attcert_layer *layer, int h, attcert_error *err) {
  if (layer->heads * layer->head_dim != layer->dim)
    return attcert_fail(err, ATTCERT_INPUT, "rows: weights of %d x %d, expected square ones",
                        layer->heads * layer->head_dim, layer->dim);
  const attcert_status status = attcert_layer_init(out, layer->dim, 1, layer->head_dim, 0, false, err);
  if (status != ATTCERT_OK) return status;
  transposed_columns(out->query_weight, layer->query_weight, layer, h);
  transposed_columns(out->key_weight, layer->key_weight, layer, h);
  transposed_columns(out->value_weight, layer->value_weight, layer, h);
  return ATTCERT_OK;
}

static attcert_status read_source(attcert_layer *head, const request *r, attcert_error *err) {
  attcert_layer layer;
  if (!r->rows) return read_head(head, r->model, (uint64_t)r->seed, r->layer, r->head, err);
  attcert_status status = read_layer(&layer, r->model, (uint64_t)r->seed, r->layer, err);
  if (status != ATTCERT_OK) return status;
  status = check_head(&layer, r->head, err);
  if (status == ATTCERT_OK) status = take_rows(head, &layer, r->head, err);
  attcert_layer_clear(&layer);
  return status;
}

/* The name that the asked construction has among the starts; *name is NULL when A has no real eigenvalue. */
static attcert_status choose(const char **name, const attcert_layer *head, const request *r, attcert_error *err) {
  *name = "two clusters, ||A||";
  if (r->clusters) return ATTCERT_OK;
  worst_directions w;
  const attcert_status status = worst_directions_init(&w, head, 0, err);
  if (status != ATTCERT_OK) return status;
  const double negative = w.has[WORST_NEGATIVE] ? -w.value[WORST_NEGATIVE] : 0.0;
  const double positive = w.has[WORST_POSITIVE] ? w.value[WORST_POSITIVE] / 8.0 : 0.0;
  *name = negative >= positive ? "T3, negative eigenvalue" : "T3, positive eigenvalue";
  if (!(fmax(negative, positive) > 0.0)) *name = NULL;
  worst_directions_clear(&w);
  return ATTCERT_OK;
}

static attcert_status write_start(const worst_starts *s, const char *name, const request *r, attcert_error *err) {
  for (int i = 0; name != NULL && i < s->count; i++) {
    if (strcmp(s->start[i].name, name) != 0) continue;
    ball_region_enter(&s->start[i].x, NULL, &(ball_region){.radius = r->radius, .kind = BALL_TOKEN});
    printf("%s\n", name);
    return npy_write(r->file, &s->start[i].x, err);
  }
  return attcert_fail(err, ATTCERT_INPUT, "the head has no such input for %d tokens", r->tokens);
}

static attcert_status run(const request *r, attcert_error *err) {
  attcert_layer head = {0};
  worst_starts starts = {0};
  const char *name = NULL;
  attcert_status status = read_source(&head, r, err);
  if (status == ATTCERT_OK) status = choose(&name, &head, r, err);
  if (status == ATTCERT_OK) status = worst_starts_init(&starts, &head, r->tokens, r->radius, 0, 0, err);
  if (status == ATTCERT_OK) status = write_start(&starts, name, r, err);
  worst_starts_clear(&starts);
  attcert_layer_clear(&head);
  return status;
}

static attcert_status read_choice(bool *second, const char *text, const char *first_name, const char *second_name,
                                  attcert_error *err) {
  *second = strcmp(text, second_name) == 0;
  if (*second || strcmp(text, first_name) == 0) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "expected %s or %s, got '%s'", first_name, second_name, text);
}

static attcert_status read_request(request *r, int argc, char **argv, attcert_error *err) {
  if (argc != 10)
    return attcert_fail(err, ATTCERT_INPUT, "expected MODEL SEED LAYER HEAD head|rows t3|clusters N R FILE.npy");
  r->model = argv[1];
  r->file = argv[9];
  attcert_status status = argument_int(&r->seed, "SEED", argv[2], 0, err);
  if (status == ATTCERT_OK) status = argument_int(&r->layer, "LAYER", argv[3], 0, err);
  if (status == ATTCERT_OK) status = argument_int(&r->head, "HEAD", argv[4], 0, err);
  if (status == ATTCERT_OK) status = read_choice(&r->rows, argv[5], "head", "rows", err);
  if (status == ATTCERT_OK) status = read_choice(&r->clusters, argv[6], "t3", "clusters", err);
  if (status == ATTCERT_OK) status = argument_int(&r->tokens, "N", argv[7], 2, err);
  if (status == ATTCERT_OK) status = argument_positive(&r->radius, "R", argv[8], err);
  return status;
}

int main(int argc, char **argv) {
  attcert_error err = {0};
  request r = {0};
  attcert_status status = read_request(&r, argc, argv, &err);
  if (status == ATTCERT_OK) status = run(&r, &err);
  return program_end("worst_start", status, &err);
}
