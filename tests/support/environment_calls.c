#include "environment_calls.h"

#include "model/format/npy.h"
#include "temp_folder.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- what a call gave -------------------------------------------------------------------------------------------- */

/* FNV-1a of every bit of it; no floating-point operation. */
typedef uint64_t digest;

static void add_bytes(digest *d, const void *bytes, size_t size) {
  const unsigned char *const b = bytes;
  for (size_t i = 0; i < size; i++) *d = (*d ^ b[i]) * 1099511628211u;
}

static void add_doubles(digest *d, const double *x, size_t count) {
  add_bytes(d, x, count * sizeof *x);
}

static void add_integer(digest *d, long x) {
  add_bytes(d, &x, sizeof x);
}

static void add_number(digest *d, mpfr_srcptr x) {
  add_integer(d, mpfr_regular_p(x) ? mpfr_get_exp(x) : 0);
  add_integer(d, mpfr_signbit(x) + 2 * mpfr_zero_p(x) + 4 * mpfr_inf_p(x) + 8 * mpfr_nan_p(x));
  if (mpfr_regular_p(x)) add_bytes(d, mpfr_custom_get_significand(x), mpfr_custom_get_size(mpfr_get_prec(x)));
}

static void add_status(digest *d, attcert_status status) {
  add_integer(d, (long)status);
}

/* The lines of a report that do not tell what time and memory it took. */
static void add_report(digest *d, const char *text) {
  static const char *const costs[] = {"time ",        " s more)",    "plan ",    "\"seconds\"", "\"total\"",
                                      "\"bounds\": ", "\"layer\": ", "\"plan\"", "peak_memory"};
  for (const char *line = text; line != NULL && *line != '\0'; line += strcspn(line, "\n") + 1) {
    const size_t length = strcspn(line, "\n");
    char copy[512];
    bool tells_cost = strstr(line, "\"seconds\": {") != NULL && strstr(line, "\"seconds\": {") < line + length;
    if (tells_cost) return; /* the last part of a report */
    snprintf(copy, sizeof copy, "%.*s", (int)(length < 500 ? length : 500), line);
    for (size_t i = 0; i < sizeof costs / sizeof costs[0]; i++) tells_cost |= strstr(copy, costs[i]) != NULL;
    if (!tells_cost) add_bytes(d, copy, strlen(copy));
    if (line[length] == '\0') return;
  }
}

/* ---- the calls --------------------------------------------------------------------------------------------------- */

static void certify_layer(digest *d, environment_calls *s) {
  attcert_certificate c;
  attcert_options options;
  attcert_certificate_init(&c);
  attcert_options_default(&options);
  options.seeded = true;
  for (attcert_engine e = ATTCERT_ENGINE_AUTO; attcert_engine_name(e) != NULL; e++) {
    options.engine = e;
    options.threads = 1 + (int)e % 2;
    add_status(d, attcert_certify(&c, &s->p.c.layer, &s->p.c.x, &options, NULL));
    add_number(d, c.lower);
    add_number(d, c.upper);
    add_doubles(d, &c.relative_width, 1);
    add_doubles(d, &c.estimate, 1);
    add_doubles(d, c.vector.data, (size_t)c.vector.rows * (size_t)c.vector.cols);
  }
  attcert_certificate_clear(&c);
}

/* Of the matrix (1, 1/2; 1/4, 3), without a rounding. */
static int multiply(void *context, double *y, const double *x, size_t count, bool transposed) {
  (void)context;
  for (size_t b = 0; b < count; b++, y += 2, x += 2) {
    y[0] = x[0] + (transposed ? 0.25 : 0.5) * x[1];
    y[1] = (transposed ? 0.5 : 0.25) * x[0] + 3.0 * x[1];
  }
  return 0;
}

static void operator_norm(digest *d, environment_calls *s) {
  double ends[2];
  attcert_options options;
  (void)s;
  attcert_options_default(&options);
  options.seeded = true;
  add_status(d, attcert_operator_norm(&ends[0], &ends[1], 2, 2, multiply, NULL, 1e-15, &options, NULL));
  add_doubles(d, ends, 2);
}

static void direction(digest *d, environment_calls *s) {
  attcert_options options;
  mpfr_t lo, hi;
  mpfr_init2(lo, 53);
  mpfr_init2(hi, 53);
  attcert_options_default(&options);
  add_status(d, attcert_direction(lo, hi, &s->p.c.layer, &s->p.c.x, &s->u, &options, NULL));
  add_number(d, lo);
  add_number(d, hi);
  mpfr_clear(lo);
  mpfr_clear(hi);
}

static void options(digest *d, environment_calls *s) {
  (void)s;
  attcert_options *const o = attcert_options_new();
  add_status(d, attcert_options_set_number(o, "tolerance", 0x1p-1060, NULL));
  add_status(d, attcert_options_set_number(o, "memory_limit", 0x1p-1060, NULL));
  add_status(d, attcert_options_check(o, NULL));
  add_doubles(d, &o->tolerance, 1);
  attcert_options_free(o);
}

/* The products with the struct and with the handle. */
static void products(digest *d, environment_calls *s) {
  const attcert_layer *const l = &s->p.c.layer;
  const attcert_matrix *const x = &s->p.c.x;
  attcert_matrix y, dx, j;
  assert_int_equal(attcert_matrix_init(&y, x->rows, l->out_dim, NULL), ATTCERT_OK);
  assert_int_equal(attcert_matrix_init(&dx, x->rows, x->cols, NULL), ATTCERT_OK);
  assert_int_equal(attcert_matrix_init(&j, x->rows * l->out_dim, x->rows * x->cols, NULL), ATTCERT_OK);
  const size_t outputs = (size_t)(y.rows * y.cols), inputs = (size_t)(dx.rows * dx.cols);
  for (int handle = 0; handle < 2; handle++) {
    add_status(d, handle ? attcert_problem_forward(y.data, s->p.problem, NULL) : attcert_layer_forward(&y, l, x, NULL));
    add_doubles(d, y.data, outputs);
    add_status(d, handle ? attcert_problem_jvp(y.data, s->p.problem, s->u.data, NULL)
                         : attcert_layer_jvp(&y, l, x, &s->u, NULL));
    add_doubles(d, y.data, outputs);
    add_status(d, handle ? attcert_problem_vjp(dx.data, s->p.problem, s->v.data, NULL)
                         : attcert_layer_vjp(&dx, l, x, &s->v, NULL));
    add_doubles(d, dx.data, inputs);
    add_status(d,
               handle ? attcert_problem_jacobian(j.data, s->p.problem, NULL) : attcert_layer_jacobian(&j, l, x, NULL));
    add_doubles(d, j.data, outputs * inputs);
  }
  attcert_matrix_clear(&y);
  attcert_matrix_clear(&dx);
  attcert_matrix_clear(&j);
}

static void add_result(digest *d, attcert_status status, attcert_result *r) {
  add_status(d, status);
  const double numbers[] = {
      attcert_result_lower(r),           attcert_result_upper(r),      attcert_result_relative_width(r),
      attcert_result_estimate(r),        attcert_result_gap(r),        attcert_result_direction_lower(r),
      attcert_result_direction_upper(r), attcert_result_ball_lower(r), attcert_result_ball_upper(r)};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    double number = numbers[i];
    if (isnan(number)) memset(&number, 255, sizeof number);
    add_doubles(d, &number, 1);
  }
  for (size_t i = 0; i < attcert_result_bound_count(r); i++) {
    double bound = attcert_result_bound_value(r, i);
    if (isnan(bound)) memset(&bound, 255, sizeof bound);
    add_doubles(d, &bound, 1);
  }
  add_report(d, attcert_result_json(r));
  add_report(d, attcert_result_text(r));
  attcert_result_free(r);
}

static void results(digest *d, environment_calls *s) {
  const attcert_problem *const p = s->p.problem;
  attcert_result *r;
  double lower, upper;
  add_status(d, attcert_enclose(&lower, &upper, p, NULL, NULL));
  add_doubles(d, &lower, 1);
  add_doubles(d, &upper, 1);
  attcert_status status = attcert_problem_certify(&r, p, NULL, NULL);
  add_result(d, status, r);
  status = attcert_problem_bounds(&r, p, 0.0, NULL, NULL);
  add_result(d, status, r);
  status = attcert_problem_check(&r, p, "0.5", 0.0, s->u.data, (size_t)s->u.rows, (size_t)s->u.cols, NULL, NULL);
  add_result(d, status, r);
  status = attcert_problem_check_dtype(&r, p, "0.5", "float32", NULL, 0, 0, NULL, NULL);
  add_result(d, status, r);
  status = attcert_problem_ball(&r, p, 0.01, "token", "all", NULL, NULL);
  add_result(d, status, r);
}

static void loaded(digest *d, environment_calls *s) {
  attcert_problem *const p = attcert_problem_new();
  double lower, upper;
  add_status(d, attcert_problem_load_weights(p, s->weights, 0, NULL));
  add_status(d, attcert_problem_load_input(p, s->input, NULL));
  add_status(d, attcert_enclose(&lower, &upper, p, NULL, NULL));
  add_doubles(d, &lower, 1);
  add_doubles(d, &upper, 1);
  attcert_problem_free(p);
}

static void models(digest *d, environment_calls *s) {
  attcert_model *m;
  attcert_problem *const p = attcert_problem_new();
  int tokens[ENVIRONMENT_TOKENS];
  double x[ENVIRONMENT_TOKENS * ENVIRONMENT_DIM], lower, upper;
  (void)s;
  add_status(d, attcert_model_open(&m, "random:gpt2:8,2,2", 7, NULL));
  attcert_tokens *read, *given;
  add_status(d, attcert_model_read_text(tokens, ENVIRONMENT_TOKENS, m, NULL, "src/cli/demo.txt", 5, NULL));
  add_status(d, attcert_tokens_read(&read, m, NULL, "src/cli/demo.txt", ENVIRONMENT_TOKENS, 5, false, NULL));
  add_status(d, attcert_tokens_new(&given, m, NULL, attcert_tokens_ids(read), ENVIRONMENT_TOKENS, NULL));
  attcert_tokens_free(read);
  attcert_tokens_free(given);
  add_bytes(d, tokens, sizeof tokens);
  add_status(d, attcert_model_hidden_states(x, m, tokens, ENVIRONMENT_TOKENS, NULL));
  add_doubles(d, x, ENVIRONMENT_TOKENS * ENVIRONMENT_DIM);
  add_status(d, attcert_model_layer_input(x, m, 1, x, ENVIRONMENT_TOKENS, NULL));
  add_doubles(d, x, ENVIRONMENT_TOKENS * ENVIRONMENT_DIM);
  attcert_result *block;
  double before[ENVIRONMENT_TOKENS * ENVIRONMENT_DIM];
  add_status(d, attcert_model_function_input(before, m, "block", 1, x, ENVIRONMENT_TOKENS, NULL));
  add_doubles(d, before, ENVIRONMENT_TOKENS * ENVIRONMENT_DIM);
  double after[ENVIRONMENT_TOKENS * ENVIRONMENT_DIM];
  add_status(d, attcert_model_function_value(after, m, "block", 1, before, ENVIRONMENT_TOKENS, NULL));
  add_doubles(d, after, ENVIRONMENT_TOKENS * ENVIRONMENT_DIM);
  add_status(d, attcert_model_certify(&block, m, "block", 1, before, ENVIRONMENT_TOKENS, NULL, NULL));
  add_report(d, attcert_result_json(block));
  attcert_result_free(block);
  add_status(d, attcert_problem_load_layer(p, m, 1, NULL));
  add_status(d, attcert_problem_set_array(p, "input", x, ENVIRONMENT_TOKENS, ENVIRONMENT_DIM, NULL));
  add_status(d, attcert_enclose(&lower, &upper, p, NULL, NULL));
  add_doubles(d, &lower, 1);
  add_doubles(d, &upper, 1);
  attcert_problem_free(p);
  attcert_model_close(m);
}

static void decided(digest *d, const attcert_model *m, const double *hidden, size_t cols) {
  static const char *const names[] = {"label",          "rival",          "margin_lower", "margin_upper",
                                      "gradient_lower", "gradient_upper", "certified",    "refuted"};
  attcert_robustness *r;
  size_t rows, columns;
  add_status(d, attcert_robustness_new_of(&r, m, hidden, ENVIRONMENT_TOKENS, cols, NULL, -1, NULL));
  attcert_robustness_free(r);
  add_status(d, attcert_robustness_new(&r, m, hidden, ENVIRONMENT_TOKENS, cols, NULL));
  add_status(d, attcert_robustness_set_text(r, "words", "1", NULL));
  add_status(d, attcert_robustness_set_number(r, "radius", 1e-3, NULL));
  add_status(d, attcert_robustness_decide(r, NULL, NULL));
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    const double number = attcert_robustness_number(r, names[i]);
    add_doubles(d, &number, 1);
  }
  add_report(d, attcert_robustness_json(r));
  add_integer(d, attcert_robustness_counterexample(r, &rows, &columns) != NULL);
  attcert_robustness_free(r);
}

static void predicted(digest *d, const attcert_model *m, const double *hidden, size_t cols) {
  static const char *const names[] = {"label", "rival", "margin_lower", "margin_upper"};
  attcert_prediction *p;
  add_status(d, attcert_prediction_new(&p, m, hidden, ENVIRONMENT_TOKENS, cols, NULL, -1, NULL));
  add_status(d, attcert_prediction_decide(p, 3, NULL, NULL));
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    const double number = attcert_prediction_number(p, 0, names[i]);
    add_doubles(d, &number, 1);
  }
  add_report(d, attcert_prediction_json(p));
  attcert_prediction_free(p);
}

static void networks(digest *d, environment_calls *s) {
  predicted(d, s->random, s->hidden, ENVIRONMENT_DIM);
  decided(d, s->random, s->hidden, ENVIRONMENT_DIM);
}

/* A margin that products below the normal range decide. */
static void subnormal_network(digest *d, environment_calls *s) {
  if (s->model != NULL) predicted(d, s->model, s->model_hidden.data, (size_t)s->model_hidden.cols);
  if (s->model != NULL) decided(d, s->model, s->model_hidden.data, (size_t)s->model_hidden.cols);
}

static const struct {
  const char *name;
  void (*call)(digest *, environment_calls *);
} calls[] = {{"attcert_certify", certify_layer},
             {"attcert_direction", direction},
             {"attcert_operator_norm", operator_norm},
             {"options", options},
             {"products", products},
             {"results", results},
             {"files", loaded},
             {"models", models},
             {"a random network", networks},
             {"a network of subnormal products", subnormal_network}};

int environment_calls_count(void) {
  return sizeof calls / sizeof calls[0];
}

const char *environment_calls_name(int call) {
  return calls[call].name;
}

uint64_t environment_calls_digest(environment_calls *s, int call) {
  digest d = 14695981039346656037u;
  calls[call].call(&d, s);
  return d;
}

/* ---- what they work on ------------------------------------------------------------------------------------------- */

/* In half precision, subnormal numbers among them. */
static void write_weights(void) {
  static const char header[] = "{\"query.weight\":{\"dtype\":\"F16\",\"shape\":[2,4],\"data_offsets\":[0,16]},"
                               "\"key.weight\":{\"dtype\":\"F16\",\"shape\":[2,4],\"data_offsets\":[16,32]},"
                               "\"value.weight\":{\"dtype\":\"F16\",\"shape\":[2,4],\"data_offsets\":[32,48]}}     ";
  unsigned char file[8 + sizeof header - 1 + 48];
  const uint64_t size = sizeof header - 1;
  memcpy(file, &size, 8);
  memcpy(file + 8, header, sizeof header - 1);
  for (size_t i = 0; i < 48; i++)
    file[8 + sizeof header - 1 + i] = (unsigned char)(i % 2 == 0 ? 37 * i : 0x30 + i % 11);
  temp_folder_write(&temp_folder_shared, "w.safetensors", file, sizeof file);
}

static void open_model(environment_calls *s) {
  char path[600];
  const char *const data = getenv("ATTCERT_DATA");
  s->model = NULL;
  s->model_hidden = (attcert_matrix){0};
  snprintf(path, sizeof path, "%s/faults/ftz_model", data != NULL ? data : "");
  if (access(path, R_OK) != 0) return;
  assert_int_equal(attcert_model_open(&s->model, path, 0, NULL), ATTCERT_OK);
  snprintf(path, sizeof path, "%s/faults/ftz_model/h.npy", data);
  assert_int_equal(npy_read(&s->model_hidden, NULL, path, NULL), ATTCERT_OK);
  assert_int_equal(s->model_hidden.rows, ENVIRONMENT_TOKENS);
}

void environment_calls_init(environment_calls *s) {
  const layer_shape shape = {.n = 5, .dim = 4, .heads = 2, .head_dim = 2, .out_dim = 4, .biases = true};
  const int tokens[ENVIRONMENT_TOKENS] = {101, 2000, 102};
  random_source r = random_source_make(31, 0, 1);
  problem_case_init(&s->p, &shape, 31);
  s->p.c.layer.value_bias[0] = 0x1p-1060; /* what is flushed shows in f */
  for (int i = 0; i < 4; i++) s->p.c.layer.output_weight[i] = 0.0;
  s->p.c.layer.output_weight[0] = 0x1p-1040;
  s->p.c.layer.output_bias[0] = 0.0;
  assert_int_equal(attcert_matrix_init(&s->u, 5, 4, NULL), ATTCERT_OK);
  assert_int_equal(attcert_matrix_init(&s->v, 5, 4, NULL), ATTCERT_OK);
  random_fill_gaussian(s->u.data, 20, 1.0, &r);
  random_fill_gaussian(s->v.data, 20, 1.0, &r);
  assert_int_equal(attcert_model_open(&s->random, "random:bert:8,2,1", 7, NULL), ATTCERT_OK);
  assert_int_equal(attcert_model_hidden_states(s->hidden, s->random, tokens, ENVIRONMENT_TOKENS, NULL), ATTCERT_OK);
  open_model(s);
  temp_folder_path(s->input, &temp_folder_shared, "x.npy");
  temp_folder_path(s->weights, &temp_folder_shared, "w.safetensors");
  assert_int_equal(npy_write(s->input, &(attcert_matrix){5, 4, s->p.c.x.data}, NULL), ATTCERT_OK);
  write_weights();
}

void environment_calls_clear(environment_calls *s) {
  problem_case_clear(&s->p);
  attcert_matrix_clear(&s->model_hidden);
  attcert_matrix_clear(&s->u);
  attcert_matrix_clear(&s->v);
  attcert_model_close(s->model);
  attcert_model_close(s->random);
}
