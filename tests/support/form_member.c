#include "form_member.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { BITS = 400 };

/* A multiple of 2^-bits between -1 and 1. */
static double coarse(int bits, random_source *r) {
  return ldexp(trunc(ldexp(random_uniform(r, -1.0, 1.0), bits)), -bits);
}

void form_member_init(form_member *m, double radius, double bound) {
  const double bounds[MEMBER_WIDTH] = {bound, bound, bound};
  *m = (form_member){.symbols = {0}};
  for (int k = 0; k < MEMBER_SEGMENTS; k++) {
    const bool input = k < MEMBER_INPUTS;
    const form_segment segment = {.width = MEMBER_WIDTH,
                                  .radius = input ? radius : INFINITY,
                                  .bound = input ? NULL : (double *)bounds,
                                  .input = input,
                                  .origin = -1};
    int id;
    assert_int_equal(form_symbols_add(&id, &m->symbols, &segment, NULL), ATTCERT_OK);
    assert_int_equal(id, k);
  }
}

void form_member_clear(form_member *m) {
  form_symbols_clear(&m->symbols);
}

void form_member_form(form *f, const form_member *m, int rows, int cols, double size, double miss, random_source *r) {
  assert_int_equal(form_init(f, rows, cols, NULL), ATTCERT_OK);
  for (int i = 0; i < rows; i++) {
    form_layout layout = {0};
    int id[MEMBER_SEGMENTS], count = 0;
    for (int k = 0; k < MEMBER_SEGMENTS; k++) {
      if (random_chance(r, 0.7)) id[count++] = k;
    }
    assert_int_equal(form_layout_set(&layout, id, count, &m->symbols, NULL), ATTCERT_OK);
    assert_int_equal(form_set_layout(f, i, &layout, NULL), ATTCERT_OK);
    f->row[i].token = i;
    const int columns = form_layout_columns(&f->row[i].layout);
    for (int k = 0; k < cols * columns; k++) f->row[i].linear[k] = size * coarse(8, r);
    for (int c = 0; c < cols; c++) {
      f->center[i * cols + c] = random_chance(r, 0.2) ? 0.0 : 4.0 * size * coarse(16, r);
      f->radius[i * cols + c] = random_chance(r, 0.5) ? 0.0 : miss * fabs(coarse(4, r));
    }
  }
  assert_int_equal(form_measure(f, &m->symbols, NULL), ATTCERT_OK);
}

void form_member_draw(form_member *m, random_source *r) {
  const double radius = m->symbols.segment[0].radius;
  const bool corner = random_chance(r, 0.8);
  double squares = 0.0;
  for (int k = 0; k < MEMBER_SEGMENTS; k++) {
    for (int a = 0; a < MEMBER_WIDTH; a++) {
      const bool input = k < MEMBER_INPUTS;
      const double bound = input ? 1.0 : m->symbols.segment[k].bound[a];
      m->eta[k][a] =
          input ? random_gaussian(r) : bound * (corner ? (random_chance(r, 0.5) ? 1.0 : -1.0) : coarse(8, r));
      if (input) squares += m->eta[k][a] * m->eta[k][a];
    }
  }
  const double part = (1.0 - 0x1p-40) * (corner ? 1.0 : random_uniform(r, 0.0, 1.0)) / sqrt(squares);
  for (int k = 0; k < MEMBER_INPUTS; k++) {
    for (int a = 0; a < MEMBER_WIDTH; a++) m->eta[k][a] = radius * ldexp(trunc(ldexp(part * m->eta[k][a], 20)), -20);
  }
}

void form_member_point(double *x, const form_member *m, const form *f, random_source *r) {
  for (int at = 0; at < f->rows * f->cols; at++) {
    const form_row *const row = &f->row[at / f->cols];
    const double *const line = row->linear + at % f->cols * form_layout_columns(&row->layout);
    x[at] = f->center[at] + (random_chance(r, 0.5) ? f->radius[at] : -f->radius[at]);
    for (int k = 0; k < row->layout.count; k++) {
      for (int a = 0; a < MEMBER_WIDTH; a++) x[at] += line[row->layout.start[k] + a] * m->eta[row->layout.id[k]][a];
    }
  }
}

/* Entry c of row i. */
static double used_by_entry(const form_member *m, const form *out, int i, int c, const arb_t y, const char *name) {
  const form_row *const row = &out->row[i];
  const double *const line = row->linear + c * form_layout_columns(&row->layout);
  double limit = out->radius[i * out->cols + c];
  arb_t rest, t, u;
  arb_init(rest);
  arb_init(t);
  arb_init(u);
  arb_set_d(t, out->center[i * out->cols + c]);
  arb_sub(rest, y, t, BITS);
  for (int k = 0; k < row->layout.count; k++) {
    const form_segment *const segment = &m->symbols.segment[row->layout.id[k]];
    for (int a = 0; a < segment->width; a++) {
      const double factor = line[row->layout.start[k] + a];
      if (row->layout.id[k] >= MEMBER_SEGMENTS) {
        limit += fabs(factor) * segment->bound[a];
        continue;
      }
      arb_set_d(t, factor);
      arb_set_d(u, m->eta[row->layout.id[k]][a]);
      arb_submul(rest, t, u, BITS);
    }
  }
  limit *= 1.0 + 0x1p-40;
  arb_abs(rest, rest);
  arb_set_d(t, limit);
  if (arb_gt(rest, t)) fail_msg("%s: entry (%d, %d) is beyond its bound %g", name, i, c, limit);
  const double off = arf_get_d(arb_midref(rest), ARF_RND_NEAR);
  arb_clear(rest);
  arb_clear(t);
  arb_clear(u);
  return limit > 0.0 ? off / limit : 0.0;
}

double form_member_used(const form_member *m, const form *out, const arb_mat_t y, const char *name) {
  double used = 0.0;
  for (int i = 0; i < out->rows; i++) {
    for (int c = 0; c < out->cols; c++) used = fmax(used, used_by_entry(m, out, i, c, arb_mat_entry(y, i, c), name));
  }
  return used;
}
