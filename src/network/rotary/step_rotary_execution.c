/* What executing a rotary embedding adds. Frequencies, angles, cosines and sines are computed in float32, whatever the
 * format is (or more exactly), then stored in it. With angles off by alpha = rho |a| + tiny, f the functions' error and
 * v that of storing,
 *
 *   cos a is off by  kappa = alpha + ((1 + f) (1 + v) - 1) min(1, |cos a| + alpha),  and so is sin a.
 *
 * An amplitude A is computed in float64, with an error below a unit of float32, rounded to float32 and multiplied there
 * before the cosine is stored: alpha and 1 become A alpha and A, and three roundings of float32 join f and v.
 *
 * Both products of an entry are computed, and stored or not, and so their sum. */
#include "interval/interval_convert.h"
#include "linalg/rounding/upward.h"
#include "network/rotary/step_rotary.h"

enum { EXACT_POSITIONS = 1 << 24 /* integers that float32 has */, AMPLITUDE_BITS = 64 };

/* Bounds of what cos and sin are off, and of their sizes as executed. */
typedef struct {
  double cosine_off, sine_off, cosine, sine;
} executed_turn;

/* What cosines and sines are multiplied by: an upper bound, and what multiplying adds to their relative errors and to
 * what underflows. */
typedef struct {
  double most, relative, tiny;
} executed_amplitude;

static executed_amplitude execute_amplitude(const rotary_rule *rule, const step_format *single) {
  interval amplitude;
  interval_scratch ws;
  interval_init(&amplitude, AMPLITUDE_BITS);
  interval_scratch_init(&ws, AMPLITUDE_BITS);
  const bool multiplied = rotary_rule_amplitude(&amplitude, rule, &ws);
  const double most = interval_get_d_upper(&amplitude);
  interval_clear(&amplitude);
  interval_scratch_clear(&ws);
  if (!multiplied) return (executed_amplitude){.most = 1.0};
  if (!step_format_holds(single, most)) return (executed_amplitude){.most = INFINITY, .relative = INFINITY};
  const double tiny = upward_mul(2.0 * single->compute.tiny, upward_add(most, 1.0));
  return (executed_amplitude){most, step_format_gamma(single, 3.0), tiny};
}

/* Of a size that has the amplitude in it. */
static double function_off(double size, double alpha, const executed_amplitude *by, const step_format *single,
                           const step_format *format) {
  const double functions = upward_compound(step_format_function(single), step_format_roundings(format, 0.0, 1.0));
  const double relative = by->relative > 0.0 ? upward_compound(functions, by->relative) : functions;
  const double moved = upward_mul(by->most, alpha), met = upward_add(size, moved);
  const double tiny = upward_add3(single->compute.tiny, step_format_tiny(format), by->tiny);
  return upward_add3(moved, upward_mul(relative, met < by->most ? met : by->most), tiny);
}

static executed_turn execute_turn(const rotary_turn *turn, const rotary_rule *rule, int m, int position,
                                  const executed_amplitude *by, const step_format *format) {
  const step_format single = step_format_of(float_format_named("float32"), format->ulp);
  const double moved = upward_mul(rule->error(rule, m, &single), turn->angle);
  const double below = upward_mul(position + 2.0, single.compute.tiny);
  const double alpha = position <= EXACT_POSITIONS ? upward_add(moved, below) : INFINITY;
  const double cosine = upward_add(fabs(turn->cosine), turn->cosine_miss);
  const double sine = upward_add(fabs(turn->sine), turn->sine_miss);
  const double cosine_off = function_off(cosine, alpha, by, &single, format);
  const double sine_off = function_off(sine, alpha, by, &single, format);
  return (executed_turn){cosine_off, sine_off, upward_add(cosine, cosine_off), upward_add(sine, sine_off)};
}

/* Entry `at`, x, and its partner's, y. */
static void execute_entry(form *out, const form *in, int i, int at, int partner, const executed_turn *turn,
                          const step_format *format) {
  const double x = step_execution_size(in, i, at), y = step_execution_size(in, i, partner);
  const double tiny = step_format_tiny(format), products = step_format_roundings(format, 1.0, 1.0);
  const double terms = upward_add(upward_mul(turn->cosine, x), upward_mul(turn->sine, y));
  const double turned = upward_add(upward_mul(turn->cosine_off, x), upward_mul(turn->sine_off, y));
  const double summands = upward_add3(turned, upward_mul(products, terms), 2.0 * tiny);
  const double met = upward_add3(terms, upward_mul(products, terms), 2.0 * tiny);
  const double sum = step_execution_rounded(&format->compute, step_execution_size(out, i, at), summands);
  step_execution_add(out, i, at, sum, step_execution_keep(met, met, format), format);
}

attcert_status step_rotary_execution(form *out, const step *s, const form *const *in, const form_symbols *symbols,
                                     const step_format *format, attcert_error *err) {
  const rotary_heads *const of = s->of;
  const int pairs = rotary_heads_pairs(of);
  const step_format single = step_format_of(float_format_named("float32"), format->ulp);
  const executed_amplitude by = execute_amplitude(&of->rule, &single);
  (void)symbols;
  (void)err;
  for (int i = 0; i < out->rows; i++) {
    const int position = rotary_heads_position(of, i);
    for (int m = 0; m < pairs; m++) {
      const executed_turn turn = execute_turn(&rotary_heads_turns(of, i)[m], &of->rule, m, position, &by, format);
      for (int h = 0; h < of->heads; h++) {
        const rotary_pair p = rotary_heads_pair(of, h, m);
        execute_entry(out, in[0], i, p.first, p.second, &turn, format);
        execute_entry(out, in[0], i, p.second, p.first, &turn, format);
      }
    }
  }
  return ATTCERT_OK;
}
