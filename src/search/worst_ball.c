#include "search/worst_ball.h"

#include "linalg/euclidean_norm.h"
#include "theory/token_ball.h"

static double *token_at(const attcert_matrix *x, int i) {
  return x->data + (size_t)i * (size_t)x->cols;
}

void worst_ball_project(attcert_matrix *x, double radius) {
  for (int i = 0; i < x->rows; i++) {
    double *const token = token_at(x, i);
    const double norm = euclidean_norm(token, x->cols);
    /* Two factors: radius / norm may be below the normal doubles when neither of them is. */
    for (int c = 0; norm > radius && c < x->cols; c++) token[c] = token[c] / norm * radius;
  }
}

static bool token_is_inside(double *token, int dim, double radius) {
  const attcert_matrix one = {1, dim, token};
  return token_ball_radius(&one, NULL) <= radius;
}

bool worst_ball_holds(const attcert_matrix *x, double radius) {
  return token_ball_radius(x, NULL) <= radius;
}

void worst_ball_enter(attcert_matrix *x, double radius) {
  for (int i = 0; i < x->rows; i++) {
    /* The step doubles up to 1, for tokens far outside and for denormal numbers, which small factors round back. */
    for (double step = 0x1p-53; !token_is_inside(token_at(x, i), x->cols, radius); step *= 2.0) {
      for (int c = 0; c < x->cols; c++) token_at(x, i)[c] *= step < 1.0 ? 1.0 - step : 0.0;
    }
  }
}
