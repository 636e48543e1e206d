#include "jacobian_oracle.h"

#include "arb_head.h"
#include "spectral_oracle.h"

/* One head with what every block of its Jacobian needs. */
typedef struct {
  arb_head head;
  arb_mat_t score_by_key;   /* n x d: row i is K^T q_i / sqrt(k), the derivative of s_ij by x_j */
  arb_mat_t score_by_query; /* n x d: row j is Q^T k_j / sqrt(k), the derivative of s_ij by x_i */
  arb_mat_t output;         /* out_dim x k: the columns of W_O that belong to the head */
} head_derivative;

/* W_O's columns h k ... h k + k - 1; without W_O the rows of the identity that place head h in the concatenation. */
static void set_output(arb_mat_t output, const attcert_layer *layer, int h) {
  int k = layer->head_dim, width = layer->heads * k;
  for (int o = 0; o < layer->out_dim; o++)
    for (int r = 0; r < k; r++) {
      double entry = layer->output_weight ? layer->output_weight[o * width + h * k + r] : (o == h * k + r);
      arb_set_d(arb_mat_entry(output, o, r), entry);
    }
}

static void derivative_init(head_derivative *d, const attcert_layer *layer, const attcert_matrix *x, int h,
                            slong precision) {
  arb_head_init(&d->head, layer, x, h, precision);
  arb_mat_init(d->score_by_key, d->head.n, d->head.dim);
  arb_mat_init(d->score_by_query, d->head.n, d->head.dim);
  arb_mat_init(d->output, layer->out_dim, d->head.head_dim);
  set_output(d->output, layer, h);
  arb_t root;
  arb_init(root);
  arb_sqrt_ui(root, (ulong)d->head.head_dim, precision);
  arb_mat_mul(d->score_by_key, d->head.q, d->head.key_weight, precision);
  arb_mat_scalar_div_arb(d->score_by_key, d->score_by_key, root, precision);
  arb_mat_mul(d->score_by_query, d->head.k, d->head.query_weight, precision);
  arb_mat_scalar_div_arb(d->score_by_query, d->score_by_query, root, precision);
  arb_clear(root);
}

static void derivative_clear(head_derivative *d) {
  arb_head_clear(&d->head);
  arb_mat_clear(d->score_by_key);
  arb_mat_clear(d->score_by_query);
  arb_mat_clear(d->output);
}

/* by_score (k x n) = [v_1 - v_1, ..., v_n - v_1] (diag(P_i) - P_i P_i^T): column j is the derivative of y_i by s_ij.
 * The weights' changes sum to 0, so the values may be taken relative to v_1; where they are all equal this is exactly
 * 0. */
static void output_by_score(arb_mat_t by_score, const arb_head *head, slong i, slong precision) {
  arb_mat_t softmax, values;
  arb_mat_init(softmax, head->n, head->n);
  arb_mat_init(values, head->head_dim, head->n);
  arb_srcptr p = arb_mat_entry(head->p, i, 0);
  for (slong m = 0; m < head->n; m++)
    for (slong j = 0; j < head->n; j++) {
      arb_ptr entry = arb_mat_entry(softmax, m, j);
      arb_mul(entry, p + m, p + j, precision);
      arb_neg(entry, entry);
      if (m == j) arb_add(entry, entry, p + j, precision);
    }
  for (slong m = 1; m < head->n; m++)
    for (slong r = 0; r < head->head_dim; r++)
      arb_sub(arb_mat_entry(values, r, m), arb_mat_entry(head->v, m, r), arb_mat_entry(head->v, 0, r), precision);
  arb_mat_mul(by_score, values, softmax, precision);
  arb_mat_clear(softmax);
  arb_mat_clear(values);
}

/* dy_i/dx_l (k x d) = P_il V + by_score_l (K^T q_i / sqrt(k))^T + delta_il sum_j by_score_j (Q^T k_j / sqrt(k))^T */
static void block(arb_mat_t out, const head_derivative *d, const arb_mat_t by_score, slong i, slong l,
                  slong precision) {
  arb_mat_scalar_mul_arb(out, d->head.value_weight, arb_mat_entry(d->head.p, i, l), precision);
  for (slong r = 0; r < d->head.head_dim; r++)
    for (slong c = 0; c < d->head.dim; c++)
      arb_addmul(arb_mat_entry(out, r, c), arb_mat_entry(by_score, r, l), arb_mat_entry(d->score_by_key, i, c),
                 precision);
  if (i != l) return;
  arb_mat_t diagonal;
  arb_mat_init(diagonal, d->head.head_dim, d->head.dim);
  arb_mat_mul(diagonal, by_score, d->score_by_query, precision);
  arb_mat_add(out, out, diagonal, precision);
  arb_mat_clear(diagonal);
}

/* jacobian's block (i, l) += W_O^h dy_i/dx_l */
static void add_block(arb_mat_t jacobian, const head_derivative *d, const arb_mat_t derivative, slong i, slong l,
                      slong precision) {
  arb_mat_t window, product;
  slong rows = arb_mat_nrows(d->output), cols = d->head.dim;
  arb_mat_window_init(window, jacobian, i * rows, l * cols, (i + 1) * rows, (l + 1) * cols);
  arb_mat_init(product, rows, cols);
  arb_mat_mul(product, d->output, derivative, precision);
  arb_mat_add(window, window, product, precision);
  arb_mat_clear(product);
  arb_mat_window_clear(window);
}

static void add_head(arb_mat_t jacobian, const head_derivative *d, slong precision) {
  arb_mat_t by_score, derivative;
  arb_mat_init(by_score, d->head.head_dim, d->head.n);
  arb_mat_init(derivative, d->head.head_dim, d->head.dim);
  for (slong i = 0; i < d->head.n; i++) {
    output_by_score(by_score, &d->head, i, precision);
    for (slong l = 0; l < d->head.n; l++) {
      block(derivative, d, by_score, i, l, precision);
      add_block(jacobian, d, derivative, i, l, precision);
    }
  }
  arb_mat_clear(by_score);
  arb_mat_clear(derivative);
}

void jacobian_oracle_matrix(arb_mat_t jacobian, const attcert_layer *layer, const attcert_matrix *x, slong precision) {
  arb_mat_zero(jacobian);
  for (int h = 0; h < layer->heads; h++) {
    head_derivative d;
    derivative_init(&d, layer, x, h, precision);
    add_head(jacobian, &d, precision);
    derivative_clear(&d);
  }
}

void norm_oracle_init(norm_oracle *norm, const attcert_layer *layer, const attcert_matrix *x, slong max_precision) {
  arf_init(norm->lower);
  arf_init(norm->upper);
  norm->tight = false;
  arb_mat_t jacobian;
  arb_mat_init(jacobian, (slong)x->rows * layer->out_dim, (slong)x->rows * layer->dim);
  for (slong precision = 256; precision <= max_precision && !norm->tight; precision *= 2) {
    norm->precision = precision;
    jacobian_oracle_matrix(jacobian, layer, x, precision);
    norm->tight = spectral_oracle(norm->lower, norm->upper, jacobian, precision);
  }
  arb_mat_clear(jacobian);
}

void norm_oracle_clear(norm_oracle *norm) {
  arf_clear(norm->lower);
  arf_clear(norm->upper);
}
