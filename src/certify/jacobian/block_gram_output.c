#include "certify/jacobian/block_gram_output.h"

#include "base/minimum.h"
#include "base/parallel.h"
#include "linalg/blas/blas_single.h"
#include "linalg/rounding/rounding.h"

#include <cblas.h>

/* Rows of a product that a thread takes at a time: with fewer, the other factor would be packed too often. Parts of a
 * block that are written at once. */
enum { STRIP = 256, PARTS = 16 };

/* Columns first ... first + count - 1 of a block, in rows `stride` apart. */
typedef struct {
  double *to;
  int first, count, stride;
} block_part;

/* The blocks of a column i, `rows` of them from its first row on. */
typedef struct {
  const gram_tile *r;
  int i, rows;
  int strips;          /* of rows of B */
  const double *heads; /* [i'][width][width]: the concatenated heads' blocks B */
  const double *block; /* of one row i': B */
  const double *right; /* [width][out]: B W'^T */
  int parts;
  block_part part[PARTS];
} gram_column;

static int width_of(const gram_tile *r) {
  return r->shared->m->heads * r->shared->m->head_dim;
}

static int strips_of(int rows) {
  return (rows + STRIP - 1) / STRIP;
}

/* One iteration is left to the threads of BLAS. */
static void share(parallel_body body, int count, int threads, gram_column *c) {
  if (count > 1) blas_single_begin();
  parallel_for(count, threads, body, c);
  if (count > 1) blas_single_end();
}

/* A strip of all B times W'^T; behind the strips, the norm of a B. */
static void multiply_right(void *context, int index) {
  const gram_column *const c = context;
  const gram_tile *const r = c->r;
  const factored_jacobian *const m = r->shared->m;
  const int width = width_of(r), first = index * STRIP;
  const size_t square = (size_t)width * (size_t)width;
  if (index >= c->strips) {
    const int local = index - c->strips;
    const size_t at = (size_t)(r->first + local) * (size_t)m->n + (size_t)c->i;
    r->shared->block_norm[at] = norm_upper(c->heads + (size_t)local * square, square);
    return;
  }
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, int_min(STRIP, c->rows * width - first), m->out_dim, width, 1.0,
              c->heads + (size_t)first * (size_t)width, width, m->output, width, 0.0,
              r->right + (size_t)first * (size_t)m->out_dim, m->out_dim);
}

/* A strip of a part: (B W'^T)^T W'^T. */
static void multiply_left(void *context, int index) {
  const gram_column *const c = context;
  const factored_jacobian *const m = c->r->shared->m;
  const int strips = strips_of(m->out_dim), first = index % strips * STRIP, width = width_of(c->r);
  const block_part *const p = &c->part[index / strips];
  cblas_dgemm(CblasRowMajor, CblasTrans, CblasTrans, int_min(STRIP, m->out_dim - first), p->count, width, 1.0,
              c->right + first, m->out_dim, m->output + (size_t)p->first * (size_t)width, width, 0.0,
              p->to + (size_t)first * (size_t)p->stride, p->stride);
}

/* A strip of a part: B^T, a few columns at a time, which put a line of the cache into a row that is touched once. */
static void transpose(void *context, int index) {
  enum { AT_ONCE = 8 };
  const gram_column *const c = context;
  const int width = width_of(c->r), strips = strips_of(width), first = index % strips * STRIP;
  const int end = int_min(first + STRIP, width);
  const block_part *const p = &c->part[index / strips];
  for (int begin = 0; begin < p->count; begin += AT_ONCE) {
    const double *const from = c->block + (size_t)(p->first + begin) * (size_t)width;
    const int columns = int_min(AT_ONCE, p->count - begin);
    for (int row = first; row < end; row++)
      for (int k = 0; k < columns; k++)
        p->to[(size_t)row * (size_t)p->stride + (size_t)(begin + k)] = from[(size_t)k * (size_t)width + (size_t)row];
  }
}

/* block := (block + block^T) / 2: an error in it then counts with its symmetric part. */
static void make_symmetric(double *block, size_t size, size_t stride) {
  for (size_t r = 0; r < size; r++) {
    for (size_t c = r + 1; c < size; c++)
      block[r * stride + c] = block[c * stride + r] = 0.5 * (block[r * stride + c] + block[c * stride + r]);
  }
}

/* The next parts of block (i', i), from column `first` on; returns where they end. */
static int place_parts(gram_column *c, int i2, int first) {
  const gram_blocks *const to = c->r->blocks;
  const int out = c->r->shared->m->out_dim;
  c->parts = 0;
  while (first < out && c->parts < PARTS) {
    block_part p = {.first = first, .count = out - first};
    p.to = to->place(to->context, i2, c->i, first, &p.count, &p.stride);
    first += p.count;
    if (p.to != NULL) c->part[c->parts++] = p;
  }
  return first;
}

static void store_block(gram_column *c, int local) {
  const gram_tile *const r = c->r;
  const factored_jacobian *const m = r->shared->m;
  const size_t width = (size_t)width_of(r), rows = (size_t)local * width;
  const int i2 = r->first + local, out = m->out_dim;
  c->block = c->heads + rows * width;
  if (m->output != NULL) c->right = r->right + rows * (size_t)out;
  for (int first = 0; first < out;) {
    first = place_parts(c, i2, first);
    share(m->output != NULL ? multiply_left : transpose, c->parts * strips_of(out), r->threads, c);
  }
  if (i2 == c->i) make_symmetric(c->part[0].to, (size_t)out, (size_t)c->part[0].stride);
  r->blocks->take(r->blocks->context, i2, c->i);
}

/* A column of the tile, of which the rows up to the diagonal. */
static void store_column(const gram_tile *r, int column) {
  const int i = r->column + column, rows = int_min(r->rows, i + 1 - r->first), width = width_of(r);
  gram_column c = {.r = r, .i = i, .rows = rows};
  c.heads = r->heads + (size_t)column * (size_t)r->rows * (size_t)width * (size_t)width;
  c.strips = r->shared->m->output != NULL ? strips_of(rows * width) : 0;
  share(multiply_right, c.strips + rows, r->threads, &c);
  for (int local = 0; local < rows; local++) store_block(&c, local);
}

void block_gram_output(const gram_tile *r) {
  const int before = r->first - r->column; /* columns whose diagonal is above the tile's rows */
  for (int column = before > 0 ? before : 0; column < r->columns; column++) store_column(r, column);
}
