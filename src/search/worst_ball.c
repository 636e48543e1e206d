#include "search/worst_ball.h"

#include "theory/token_ball.h"

#include <math.h>
#include <string.h>

static double *token_at(const attcert_matrix *x, int i) {
  return x->data + (size_t)i * (size_t)x->cols;
}

static bool moves(const worst_ball *ball, int i) {
  return ball->moves == NULL || ball->moves[i];
}

/* Coordinate c of what token i is away from its centre. */
static double offset(const attcert_matrix *x, const worst_ball *ball, int i, int c) {
  const double coordinate = token_at(x, i)[c];
  return ball->centre == NULL ? coordinate : coordinate - token_at(ball->centre, i)[c];
}

/* Token i := centre + (token - centre) / divisor * factor. */
static void scale_offset(attcert_matrix *x, const worst_ball *ball, int i, double divisor, double factor) {
  for (int c = 0; c < x->cols; c++) {
    const double scaled = offset(x, ball, i, c) / divisor * factor;
    token_at(x, i)[c] = ball->centre == NULL ? scaled : token_at(ball->centre, i)[c] + scaled;
  }
}

/* The tokens [first, last) that one radius binds, as they come: all of them, or one. */
static int group_end(const attcert_matrix *x, const worst_ball *ball, int first) {
  return ball->together ? x->rows : first + 1;
}

/* The length of the offsets of tokens first .. last - 1, in double without overflow or underflow on the way. */
static double distance(const attcert_matrix *x, const worst_ball *ball, int first, int last) {
  double scale = 0.0, sum = 0.0;
  for (int i = first; i < last; i++) {
    for (int c = 0; c < x->cols; c++) scale = fmax(scale, fabs(offset(x, ball, i, c)));
  }
  if (!(scale > 0.0)) return scale;
  for (int i = first; i < last; i++) {
    for (int c = 0; c < x->cols; c++) {
      const double part = offset(x, ball, i, c) / scale;
      sum += part * part;
    }
  }
  return scale * sqrt(sum);
}

static void return_to_centre(attcert_matrix *x, const worst_ball *ball, int i) {
  const size_t bytes = (size_t)x->cols * sizeof(double);
  if (ball->centre != NULL)
    memcpy(token_at(x, i), token_at(ball->centre, i), bytes);
  else
    memset(token_at(x, i), 0, bytes);
}

void worst_ball_project(attcert_matrix *x, const worst_ball *ball) {
  for (int i = 0; i < x->rows; i++) {
    if (!moves(ball, i)) return_to_centre(x, ball, i);
  }
  for (int first = 0; first < x->rows; first = group_end(x, ball, first)) {
    const int last = group_end(x, ball, first);
    const double length = distance(x, ball, first, last);
    /* Two factors: radius / length may be below the normal doubles when neither of them is. */
    for (int i = first; length > ball->radius && i < last; i++) scale_offset(x, ball, i, length, ball->radius);
  }
}

/* The same for the tokens that one radius binds, on its sphere; `length` is their distance over the radius. */
static void remove_outward(double *slope, const attcert_matrix *x, const worst_ball *ball, int first, int last,
                           double length) {
  const size_t d = (size_t)x->cols;
  double outward = 0.0; /* offsets / radius: no overflow */
  for (int i = first; i < last; i++) {
    for (int c = 0; c < x->cols; c++)
      outward += slope[(size_t)i * d + (size_t)c] * (offset(x, ball, i, c) / ball->radius);
  }
  for (int i = first; outward > 0.0 && i < last; i++) {
    for (int c = 0; c < x->cols; c++)
      slope[(size_t)i * d + (size_t)c] -= outward / (length * length) * (offset(x, ball, i, c) / ball->radius);
  }
}

void worst_ball_keep_tangent(double *slope, const attcert_matrix *x, const worst_ball *ball) {
  const size_t d = (size_t)x->cols;
  for (int i = 0; i < x->rows; i++) {
    if (!moves(ball, i)) memset(slope + (size_t)i * d, 0, d * sizeof(double));
  }
  for (int first = 0; first < x->rows; first = group_end(x, ball, first)) {
    const int last = group_end(x, ball, first);
    const double length = distance(x, ball, first, last) / ball->radius;
    if (length >= 1.0 - 1e-9) remove_outward(slope, x, ball, first, last, length);
  }
}

/* A double >= the length of the offsets of tokens first .. last - 1, which lie one after the other like one token's. */
static double distance_upward(const attcert_matrix *x, const worst_ball *ball, int first, int last) {
  const attcert_matrix tokens = {1, (last - first) * x->cols, token_at(x, first)};
  return token_ball_radius(&tokens, ball->centre != NULL ? token_at(ball->centre, first) : NULL);
}

static bool token_stays(const attcert_matrix *x, const worst_ball *ball, int i) {
  return moves(ball, i) || distance_upward(x, ball, i, i + 1) == 0.0;
}

bool worst_ball_holds(const attcert_matrix *x, const worst_ball *ball) {
  bool holds = true;
  for (int i = 0; i < x->rows; i++) holds = holds && token_stays(x, ball, i);
  for (int first = 0; first < x->rows; first = group_end(x, ball, first))
    holds = holds && distance_upward(x, ball, first, group_end(x, ball, first)) <= ball->radius;
  return holds;
}

void worst_ball_enter(attcert_matrix *x, const worst_ball *ball) {
  for (int i = 0; i < x->rows; i++) {
    if (!token_stays(x, ball, i)) return_to_centre(x, ball, i);
  }
  for (int first = 0; first < x->rows; first = group_end(x, ball, first)) {
    const int last = group_end(x, ball, first);
    /* The step doubles up to 1, for tokens far outside and for denormal numbers, which small factors round back. */
    for (double step = 0x1p-53; !(distance_upward(x, ball, first, last) <= ball->radius); step *= 2.0) {
      for (int i = first; i < last; i++) {
        if (step < 1.0)
          scale_offset(x, ball, i, 1.0, 1.0 - step);
        else
          return_to_centre(x, ball, i);
      }
    }
  }
}
