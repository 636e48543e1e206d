/* The Jacobian as a file for programs that read plain numbers: its entries in double, column by column, without a
 * header; its shape on standard output.
 *
 *   write_jacobian FILE THREADS MODEL LAYER HEADS MASK X.npy */
#include "arguments.h"
#include "given_layer.h"
#include "jacobian_columns.h"
#include "model/format/atomic_file.h"

#include <math.h>

enum { FILE_WORD = 1, THREADS, LAYER_WORD, WORDS = LAYER_WORD + GIVEN_LAYER_WORDS };

/* The power of two between J and J~ is multiplied in: exact, unless an entry underflows. */
static attcert_status write_columns(const char *path, const jacobian_columns *a, long exponent, attcert_error *err) {
  const size_t count = (size_t)a->rows * (size_t)a->columns;
  atomic_file file;
  for (size_t i = 0; i < count; i++) a->values[i] = ldexp(a->values[i], (int)exponent);
  const attcert_status status = atomic_file_open(&file, path, err);
  if (status != ATTCERT_OK) return status;
  fwrite(a->values, sizeof(double), count, file.stream);
  return atomic_file_commit(&file, err);
}

static attcert_status run(given_layer *g, char **word, attcert_error *err) {
  factored_jacobian m;
  jacobian_columns a = {0};
  int threads = 0;
  attcert_status status = argument_int(&threads, "THREADS", word[THREADS], 1, err);
  if (status == ATTCERT_OK) status = given_layer_open(g, word + LAYER_WORD, threads, err);
  if (status != ATTCERT_OK) return status;
  status = given_layer_factors(&m, g, err);
  if (status == ATTCERT_OK) status = jacobian_columns_init(&a, &m, err);
  if (status == ATTCERT_OK) status = write_columns(word[FILE_WORD], &a, m.exponent, err);
  if (status == ATTCERT_OK) printf("%d %d\n", a.rows, a.columns);
  jacobian_columns_clear(&a);
  factored_jacobian_clear(&m);
  return status;
}

int main(int argc, char **argv) {
  attcert_error err = {0};
  given_layer g = {0};
  const attcert_status status = argc == WORDS
                                    ? run(&g, argv, &err)
                                    : attcert_fail(&err, ATTCERT_INPUT, "expected FILE THREADS " GIVEN_LAYER_USAGE);
  given_layer_clear(&g);
  return program_end("write_jacobian", status, &err);
}
