#include "network/rotary/rotary_rule.h"

#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"

/* slope log(factor) / 10 + 1 */
static void enclose_amplitude_of_factor(interval *amplitude, const rotary_scaling *of, interval_scratch *ws) {
  interval t;
  interval_init(&t, mpfr_get_prec(amplitude->lo));
  interval_set_d(amplitude, of->factor);
  interval_log(amplitude, amplitude);
  interval_set_d(&t, of->slope > 0.0 ? of->slope : 1.0);
  interval_mul(amplitude, amplitude, &t, ws);
  interval_set_si(&t, 10);
  interval_div(amplitude, amplitude, &t, ws);
  interval_set_si(&t, 1);
  interval_add(amplitude, amplitude, &t);
  interval_clear(&t);
}

/* sqrt(log extent / log length) */
static void enclose_amplitude_of_extent(interval *amplitude, const rotary_scaling *of, interval_scratch *ws) {
  interval t;
  interval_init(&t, mpfr_get_prec(amplitude->lo));
  interval_set_d(amplitude, of->extent);
  interval_log(amplitude, amplitude);
  interval_set_d(&t, of->length);
  interval_log(&t, &t);
  interval_div(amplitude, amplitude, &t, ws);
  interval_sqrt(amplitude, amplitude);
  interval_clear(&t);
}

bool rotary_rule_amplitude(interval *amplitude, const rotary_rule *rule, interval_scratch *ws) {
  const rotary_scaling *const scaling = &rule->scaling;
  const bool divided = scaling->divisor != NULL;
  interval_set_si(amplitude, 1);
  if (!rotary_rule_is_amplified(rule)) return false;
  if (scaling->amplitude > 0.0)
    interval_set_d(amplitude, scaling->amplitude);
  else if (!divided)
    enclose_amplitude_of_factor(amplitude, scaling, ws);
  else if (scaling->extent > scaling->length)
    enclose_amplitude_of_extent(amplitude, scaling, ws);
  return true;
}
