/* One peer of attcert at one layer: its measurement as JSON on standard output.
 *
 *   peers gemm_rate RUNS SIDE
 *   peers PEER RUNS THREADS MODEL LAYER HEADS MASK X.npy [NUMBER]
 *
 * PEER: a name of the tables below. NUMBER: of arb_certificate, the bound to prove; of power_iteration_absolute, the
 * change that stops it. THREADS: of what is not BLAS, which has OPENBLAS_NUM_THREADS. RUNS: how many times it is
 * measured. */
#include "peers.h"
#include "arguments.h"

#include <string.h>

typedef attcert_status (*layer_peer)(measurement *result, const given_layer *g, attcert_error *err);
typedef attcert_status (*number_peer)(measurement *result, const given_layer *g, double number, attcert_error *err);

static const struct {
  const char *name;
  layer_peer measure;
} layer_peers[] = {{"lapack_eigenvalue", lapack_eigenvalue},
                   {"lapack_singular_values", lapack_singular_values},
                   {"power_iteration_published", power_iteration_published},
                   {"power_iteration_relative", power_iteration_relative}};

/* Those that want one more word: a positive number, by its name. */
static const struct {
  const char *name, *number;
  number_peer measure;
} number_peers[] = {{"arb_certificate", "UPPER", arb_certificate},
                    {"power_iteration_absolute", "CHANGE", power_iteration_absolute}};

enum { PEER = 1, RUNS, SIDE, GEMM_WORDS, THREADS = SIDE, LAYER_WORD, NUMBER = LAYER_WORD + GIVEN_LAYER_WORDS };

static const char USAGE[] = "expected gemm_rate RUNS SIDE, or PEER RUNS THREADS " GIVEN_LAYER_USAGE
                            ", after that UPPER for arb_certificate or CHANGE for power_iteration_absolute";

/* word has NUMBER words, or one more for a peer that wants it. */
static attcert_status measure_peer(measurement *result, int argc, char **word, const given_layer *g,
                                   attcert_error *err) {
  for (size_t i = 0; i < sizeof layer_peers / sizeof layer_peers[0]; i++) {
    if (argc == NUMBER && strcmp(layer_peers[i].name, word[PEER]) == 0) return layer_peers[i].measure(result, g, err);
  }
  for (size_t i = 0; i < sizeof number_peers / sizeof number_peers[0]; i++) {
    if (argc != NUMBER + 1 || strcmp(number_peers[i].name, word[PEER]) != 0) continue;
    double number = 0.0;
    const attcert_status status = argument_positive(&number, number_peers[i].number, word[NUMBER], err);
    return status == ATTCERT_OK ? number_peers[i].measure(result, g, number, err) : status;
  }
  return attcert_fail(err, ATTCERT_INPUT, USAGE);
}

static attcert_status measure_gemm(measurement *result, char **word, attcert_error *err) {
  int side = 0;
  const attcert_status status = argument_int(&side, "SIDE", word[SIDE], 1, err);
  return status == ATTCERT_OK ? gemm_rate(result, side, err) : status;
}

static attcert_status measure_layer(measurement *result, int argc, char **word, attcert_error *err) {
  given_layer g = {0};
  int threads = 0;
  if (argc < NUMBER) return attcert_fail(err, ATTCERT_INPUT, USAGE);
  attcert_status status = argument_int(&threads, "THREADS", word[THREADS], 1, err);
  if (status == ATTCERT_OK) status = given_layer_open(&g, word + LAYER_WORD, threads, err);
  if (status == ATTCERT_OK) status = measure_peer(result, argc, word, &g, err);
  given_layer_clear(&g);
  return status;
}

static attcert_status measure(measurement *result, int argc, char **word, attcert_error *err) {
  int runs = 0;
  if (argc < GEMM_WORDS) return attcert_fail(err, ATTCERT_INPUT, USAGE);
  attcert_status status = argument_int(&runs, "RUNS", word[RUNS], 1, err);
  if (status == ATTCERT_OK && runs > MEASUREMENT_RUNS)
    status = attcert_fail(err, ATTCERT_INPUT, "RUNS: expected at most %d, got '%d'", MEASUREMENT_RUNS, runs);
  if (status != ATTCERT_OK) return status;
  measurement_begin(result, runs);
  if (argc == GEMM_WORDS && strcmp(word[PEER], "gemm_rate") == 0) return measure_gemm(result, word, err);
  return measure_layer(result, argc, word, err);
}

int main(int argc, char **argv) {
  attcert_error err = {0};
  measurement result;
  const attcert_status status = measure(&result, argc, argv, &err);
  if (status == ATTCERT_OK) measurement_write(stdout, &result, argv[PEER]);
  return program_end("peers", status, &err);
}
