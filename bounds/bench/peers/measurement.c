/* See measurement.h. */
#include "measurement.h"

#include "base/clock.h"
#include "base/memory.h"
#include "report/json_writer.h"

#include <cblas.h>
#include <math.h>

void measurement_begin(measurement *m, int asked) {
  *m = (measurement){.asked = asked, .norm = NAN, .precision = 53, .proved = NAN, .flops_a_second = NAN};
}

bool measurement_due(const measurement *m) {
  return m->runs < m->asked;
}

void measurement_start(measurement *m) {
  m->started = clock_seconds();
}

void measurement_stop(measurement *m) {
  m->seconds[m->runs++] = clock_seconds() - m->started;
}

void measurement_write(FILE *out, const measurement *m, const char *peer) {
  json_writer w;
  json_writer_begin(&w, out);
  json_write_object(&w, NULL);
  json_write_string(&w, "program", peer);
  json_write_array(&w, "seconds");
  for (int i = 0; i < m->runs; i++) json_write_double(&w, NULL, m->seconds[i], MPFR_RNDN);
  json_write_close(&w);
  json_write_double(&w, "norm", m->norm, MPFR_RNDN);
  json_write_double(&w, "rounding", m->rounding, MPFR_RNDU);
  json_write_double(&w, "proved", m->proved, MPFR_RNDU);
  json_write_double(&w, "flops_a_second", m->flops_a_second, MPFR_RNDN);
  json_write_integer(&w, "precision_bits", (uint64_t)m->precision);
  json_write_integer(&w, "iterations", (uint64_t)m->iterations);
  json_write_integer(&w, "most_iterations", (uint64_t)m->most_iterations);
  json_write_bool(&w, "converged", m->converged);
  json_write_integer(&w, "peak_memory_bytes", memory_peak());
  json_write_string(&w, "blas", openblas_get_config());
  json_write_integer(&w, "blas_threads", (uint64_t)openblas_get_num_threads());
  json_write_close(&w);
  json_writer_end(&w);
}
