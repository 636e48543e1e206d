#include "random_source.h"

#include <math.h>

uint64_t random_bits(random_source *r) {
  r->state += UINT64_C(0x9e3779b97f4a7c15);
  uint64_t z = r->state;
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

random_source random_source_make(uint64_t seed, uint64_t stream, uint64_t index) {
  random_source r = {seed};
  r.state = random_bits(&r) ^ stream;
  r.state = random_bits(&r) ^ index;
  r.state = random_bits(&r);
  return r;
}

static double unit_uniform(random_source *r) {
  return (double)(random_bits(r) >> 11) * 0x1p-53;
}

double random_uniform(random_source *r, double low, double high) {
  return low + (high - low) * unit_uniform(r);
}

int random_integer(random_source *r, int low, int high) {
  return low + (int)(random_bits(r) % (uint64_t)(high - low + 1));
}

bool random_chance(random_source *r, double probability) {
  return unit_uniform(r) < probability;
}

double random_gaussian(random_source *r) {
  double sum = -6;
  for (int i = 0; i < 12; i++) sum += unit_uniform(r);
  return sum;
}

double random_magnitude(random_source *r, int low, int high) {
  double mantissa = random_uniform(r, 1, 2);
  return ldexp(mantissa, random_integer(r, low, high));
}

void random_fill_gaussian(double *a, size_t count, double scale, random_source *r) {
  for (size_t i = 0; i < count; i++) a[i] = scale * random_gaussian(r);
}

void random_fill_integers(double *a, size_t count, int low, int high, random_source *r) {
  for (size_t i = 0; i < count; i++) a[i] = random_integer(r, low, high);
}
