/* See measurement.h. */
#include "measurement.h"

#include "report/json_writer.h"

#include <cblas.h>
#include <math.h>
#include <sys/resource.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void measurement_begin(measurement *m, int asked) {
  *m = (measurement){.asked = asked, .norm = NAN, .precision = 53, .proved = NAN, .flops_a_second = NAN};
}

bool measurement_due(const measurement *m) {
  return m->runs < m->asked;
}

void measurement_start(measurement *m) {
  m->started = now();
}

void measurement_stop(measurement *m) {
  m->seconds[m->runs++] = now() - m->started;
}

static uint64_t peak_memory(void) {
  struct rusage usage;
  return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_maxrss * 1024 : 0;
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
  json_write_bool(&w, "converged", m->converged);
  json_write_integer(&w, "peak_memory_bytes", peak_memory());
  json_write_string(&w, "blas", openblas_get_config());
  json_write_integer(&w, "blas_threads", (uint64_t)openblas_get_num_threads());
  json_write_close(&w);
  json_writer_end(&w);
}
