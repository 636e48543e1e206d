/* First-order forms of quantities that depend on a perturbation eps, ||eps||_2 <= r:
 *
 *   z_c = center_c + sum_k linear_ck eta_k + rho_c,   |rho_c| <= radius_c,
 *
 * eta the symbols (form/symbols.h), eps among them: for every eps of the ball there are eta and rho within their bounds
 * with which this holds for all entries and all forms of a run. The center is any double; what it misses, and the
 * rounding of `linear`, is part of the radius. A form is a matrix of rows (tokens) by cols entries; a row keeps the
 * columns of the symbols it depends on. */
#ifndef ATTCERT_ROBUST_FORM_FORM_H
#define ATTCERT_ROBUST_FORM_FORM_H

#include "robust/form/layout.h"
#include "robust/range/range.h"

/* How far a linear functional of the symbols goes, rounded upward. */
typedef struct {
  double input;     /* through the perturbation alone */
  double other;     /* through all other symbols */
  double sum;       /* the part of `other` through segments with a bound of their sum */
  double magnitude; /* of the sum of the absolute values of its terms: monotone in each, for bounds of roundings */
} form_support;

typedef struct {
  int token; /* its place in the sequence */
  form_layout layout;
  double *linear; /* [cols, columns of the layout] */
} form_row;

typedef struct {
  int rows, cols;
  form_row *row;
  double *center, *radius; /* [rows, cols] */
  form_support *support;   /* [rows, cols], of the linear part; form_measure */
  range *narrowed; /* [rows, cols], in which the entries are known to lie besides; NULL: nothing more is known */
  void *kept;      /* what the step that made it keeps for bounds of its functionals (step_lower.h), or NULL */
} form;

/* Zeros, rows of no symbols. Errors: ATTCERT_RESOURCE. form_clear is due in every case. */
attcert_status form_init(form *f, int rows, int cols, attcert_error *err);
void form_clear(form *f);

/* Gives row i its layout, which it takes over, and a linear part of zeros. */
attcert_status form_set_layout(form *f, int i, form_layout *layout, attcert_error *err);

/* All symbols of its rows. Errors: ATTCERT_RESOURCE. */
attcert_status form_unite_rows(form_layout *layout, const form *f, const form_symbols *symbols, attcert_error *err);

form_support form_support_of(const double *row, const form_layout *layout, const form_symbols *symbols);

/* A double >= |sum_k x_k eta_k| over one segment that is not the perturbation's. */
double form_segment_support(const double *x, const form_segment *segment);

/* Fills f->support. ATTCERT_UNDECIDED when a number is not finite or beyond 2^300, so that UNDERFLOW_ALLOWANCE covers
 * what underflows on the way to the next form. */
attcert_status form_measure(form *f, const form_symbols *symbols, attcert_error *err);

/* A double >= |z_c - center_c|. */
double form_spread(const form *f, int i, int c);

/* Contains z_c. */
range form_range(const form *f, int i, int c);

/* Bounds of the l2 norm of A eta for `rows` rows of A. support: of the rows. */
typedef struct {
  double input, other;
} form_norm;

attcert_status form_norm_of(form_norm *norm, const double *linear, int rows, const form_layout *layout,
                            const form_support *support, const form_symbols *symbols, attcert_error *err);

/* A ball that the symbols lie in, stretched: scaled (rows x columns) := A diag(s), each number rounded once, with
 * sum_k (eta_k / s_k)^2 <= *reach for some s, whose sizes suit these rows; columns of zeros apart. Infinite: none was
 * found. */
attcert_status form_ellipsoid(double *scaled, double *reach, const double *linear, int rows, const form_layout *layout,
                              const form_symbols *symbols, attcert_error *err);

#endif
