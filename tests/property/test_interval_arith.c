/* Interval arithmetic against exact rational arithmetic (GMP), over random and hostile operands, precisions that
 * differ between the operands, the result and the scratch, narrowed exponent ranges, and every aliasing of result and
 * operands:
 *   containment   for sampled x in a, y in b, z in c, the exact x op y is in the result;
 *   emptiness     an empty operand gives the empty interval;
 *   constness     operands that are not the result keep their value;
 *   tightness     on bounded operands the result is the tightest (where it rounds twice: counted only).
 *
 *   ATTCERT_INTERVAL_CASES=N   cases of each operation
 *   ATTCERT_SEED=S             which; a failure prints its operation, seed and index, and the operands in hex */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#include "exact_interval.h"
#include "interval/interval_arith.h"
#include "interval/interval_query.h"
#include "random_interval.h"
#include "test_setting.h"

enum { OPERANDS = 3, DEFAULT_CASES = 20000 };

/* ---- the operations ---------------------------------------------------------------------------------------------- */

typedef struct {
  const char *name;
  int operands;
  bool (*exact)(mpq_t r, const exact_sample x[OPERANDS], const int pick[OPERANDS]); /* false: not defined there */
  void (*unary)(interval *r, const interval *a);                                    /* one of these five */
  void (*unary_scratch)(interval *r, const interval *a, interval_scratch *ws);
  void (*binary)(interval *r, const interval *a, const interval *b);
  void (*binary_scratch)(interval *r, const interval *a, const interval *b, interval_scratch *ws);
  void (*ternary_scratch)(interval *r, const interval *a, const interval *b, const interval *c, interval_scratch *ws);
} operation;

static void apply(const operation *op, interval *r, const interval *const x[OPERANDS], interval_scratch *ws) {
  if (op->unary) op->unary(r, x[0]);
  if (op->unary_scratch) op->unary_scratch(r, x[0], ws);
  if (op->binary) op->binary(r, x[0], x[1]);
  if (op->binary_scratch) op->binary_scratch(r, x[0], x[1], ws);
  if (op->ternary_scratch) op->ternary_scratch(r, x[0], x[1], x[2], ws);
}

#define X(I) x[I].value[pick[I]]
#define EXACT(NAME) static bool NAME(mpq_t r, const exact_sample x[OPERANDS], const int pick[OPERANDS])

EXACT(exact_neg) {
  mpq_neg(r, X(0));
  return true;
}
EXACT(exact_sqr) {
  mpq_mul(r, X(0), X(0));
  return true;
}
EXACT(exact_scale_up) {
  mpq_mul_2exp(r, X(0), 37);
  return true;
}
EXACT(exact_scale_down) {
  mpq_div_2exp(r, X(0), 1500);
  return true;
}
EXACT(exact_add) {
  mpq_add(r, X(0), X(1));
  return true;
}
EXACT(exact_sub) {
  mpq_sub(r, X(0), X(1));
  return true;
}
EXACT(exact_mul) {
  mpq_mul(r, X(0), X(1));
  return true;
}
EXACT(exact_div) {
  if (mpq_sgn(X(1)) == 0) return false;
  mpq_div(r, X(0), X(1));
  return true;
}
EXACT(exact_min) {
  mpq_set(r, mpq_cmp(X(0), X(1)) <= 0 ? X(0) : X(1));
  return true;
}
EXACT(exact_max) {
  mpq_set(r, mpq_cmp(X(0), X(1)) >= 0 ? X(0) : X(1));
  return true;
}
EXACT(exact_fma) {
  mpq_mul(r, X(0), X(1));
  mpq_add(r, r, X(2));
  return true;
}

static void scale_up(interval *r, const interval *a) {
  interval_scale_2exp(r, a, 37);
}
static void scale_down(interval *r, const interval *a) {
  interval_scale_2exp(r, a, -1500);
}

static const operation OPERATION[] = {
    {"neg", 1, exact_neg, .unary = interval_neg},
    {"sqr", 1, exact_sqr, .unary_scratch = interval_sqr},
    {"scale_2exp up", 1, exact_scale_up, .unary = scale_up},
    {"scale_2exp down", 1, exact_scale_down, .unary = scale_down},
    {"add", 2, exact_add, .binary = interval_add},
    {"sub", 2, exact_sub, .binary = interval_sub},
    {"mul", 2, exact_mul, .binary_scratch = interval_mul},
    {"div", 2, exact_div, .binary_scratch = interval_div},
    {"min", 2, exact_min, .binary = interval_min},
    {"max", 2, exact_max, .binary = interval_max},
    {"fma", 3, exact_fma, .ternary_scratch = interval_fma},
};
enum { OPERATIONS = sizeof OPERATION / sizeof OPERATION[0] };

/* ---- one case ---------------------------------------------------------------------------------------------------- */

typedef struct {
  interval operand[OPERANDS], before[OPERANDS], fresh; /* before: copies of the operands */
  interval *result;                                    /* fresh, or an operand */
  const interval *argument[OPERANDS];                  /* operands, possibly the same one twice */
  interval_scratch ws;
} arithmetic_case;

/* Bit i of `aliasing` makes argument i the result; bit 3 makes the second argument the first. */
static void case_init(arithmetic_case *c, random_source *s) {
  const unsigned aliasing = random_chance(s, 0.5) ? 0 : (unsigned)random_integer(s, 0, 15);
  for (int i = 0; i < OPERANDS; i++) {
    interval_init(&c->operand[i], random_precision(s));
    random_interval(&c->operand[i], s);
    c->argument[i] = &c->operand[i];
  }
  interval_init(&c->fresh, random_precision(s));
  random_interval(&c->fresh, s); /* to be overwritten */
  interval_scratch_init(&c->ws, random_chance(s, 0.5) ? 2400 : random_precision(s));
  c->result = &c->fresh;
  if (aliasing & 8) c->argument[1] = c->argument[0];
  for (int i = 0; i < OPERANDS; i++) {
    if (aliasing & (1U << i)) c->result = &c->operand[c->argument[i] - c->operand];
  }
  for (int i = 0; i < OPERANDS; i++) {
    interval_init(&c->before[i], mpfr_get_prec(c->argument[i]->lo));
    mpfr_set(c->before[i].lo, c->argument[i]->lo, MPFR_RNDN);
    mpfr_set(c->before[i].hi, c->argument[i]->hi, MPFR_RNDN);
  }
}

static void case_clear(arithmetic_case *c) {
  for (int i = 0; i < OPERANDS; i++) {
    interval_clear(&c->operand[i]);
    interval_clear(&c->before[i]);
  }
  interval_clear(&c->fresh);
  interval_scratch_clear(&c->ws);
}

static bool same_number(mpfr_srcptr x, mpfr_srcptr y) {
  return mpfr_equal_p(x, y) || (mpfr_nan_p(x) && mpfr_nan_p(y));
}

static bool operands_kept(const arithmetic_case *c, int operands) {
  for (int i = 0; i < operands; i++) {
    if (c->argument[i] == c->result) continue;
    if (!same_number(c->argument[i]->lo, c->before[i].lo)) return false;
    if (!same_number(c->argument[i]->hi, c->before[i].hi)) return false;
  }
  return true;
}

/* ---- the oracle -------------------------------------------------------------------------------------------------- */

typedef struct {
  exact_sample sample[OPERANDS];
  exact_range range; /* of the exact results */
  mpq_t value;
  bool everywhere; /* the operation was defined at all of them */
} oracle;

typedef struct {
  long judged, tightest; /* of the bounded cases */
  long values;           /* exact results compared */
} tally;

static void oracle_init(oracle *o) {
  for (int i = 0; i < OPERANDS; i++) exact_sample_init(&o->sample[i]);
  exact_range_init(&o->range);
  mpq_init(o->value);
}

static void oracle_clear(oracle *o) {
  for (int i = 0; i < OPERANDS; i++) exact_sample_clear(&o->sample[i]);
  exact_range_clear(&o->range);
  mpq_clear(o->value);
}

/* Evaluates the operation exactly at every combination of samples; false when a value is not in the result. */
static bool values_contained(oracle *o, const operation *op, const interval *result, tally *t) {
  int pick[OPERANDS], size[OPERANDS];
  for (int i = 0; i < OPERANDS; i++) size[i] = i < op->operands ? o->sample[i].count : 1;
  exact_range_reset(&o->range);
  o->everywhere = true;
  for (pick[0] = 0; pick[0] < size[0]; pick[0]++) {
    for (pick[1] = 0; pick[1] < size[1]; pick[1]++) {
      for (pick[2] = 0; pick[2] < size[2]; pick[2]++) {
        if (!op->exact(o->value, o->sample, pick)) {
          o->everywhere = false;
          continue;
        }
        t->values++;
        if (!exact_in(result, o->value)) return false;
        exact_range_add(&o->range, o->value);
      }
    }
  }
  return true;
}

/* The extremes lie at ends of the operands or at 0, where each operation is monotone in between; so do they for x / y
 * unless 0 is strictly inside b, where it has no extremes. */
static bool extremes_known(const oracle *o, const operation *op) {
  for (int i = 0; i < op->operands; i++) {
    if (!o->sample[i].ends) return false;
  }
  return o->everywhere && !o->range.empty;
}

static const char *verdict(oracle *o, const operation *op, const arithmetic_case *c, tally *t) {
  bool empty = false;
  for (int i = 0; i < op->operands; i++) empty = empty || o->sample[i].count == 0;
  if (!operands_kept(c, op->operands)) return "an operand has changed";
  if (empty) return interval_is_empty(c->result) ? NULL : "not empty";
  if (!values_contained(o, op, c->result, t)) return "not contained";
  if (!extremes_known(o, op)) return NULL;
  const bool tightest = exact_is_tightest(c->result, &o->range);
  t->judged++;
  t->tightest += tightest;
  const bool rounds_once = op->ternary_scratch == NULL && mpfr_get_prec(c->ws.t) >= mpfr_get_prec(c->result->lo);
  return rounds_once && !tightest ? "not tightest" : NULL;
}

/* ---- the test ---------------------------------------------------------------------------------------------------- */

static void report_failure(const char *what, const operation *op, uint64_t seed, uint64_t index,
                           const arithmetic_case *c) {
  fprintf(stderr, "%s: %s; ATTCERT_SEED=%llu, index %llu, exponents %ld .. %ld, scratch %ld bits\n", op->name, what,
          (unsigned long long)seed, (unsigned long long)index, (long)mpfr_get_emin(), (long)mpfr_get_emax(),
          (long)mpfr_get_prec(c->ws.t));
  for (int i = 0; i < op->operands; i++) print_interval("operand", &c->before[i]);
  for (int i = 0; i < op->operands; i++) {
    if (c->argument[i] == c->result) fprintf(stderr, "  the result is operand %d\n", i);
  }
  print_interval("result", c->result);
}

static bool run_case(oracle *o, const operation *op, uint64_t seed, uint64_t index, tally *t) {
  random_source s = random_source_make(seed, (uint64_t)(op - OPERATION), index);
  const exponent_range usual = random_exponent_range(&s);
  arithmetic_case c;
  case_init(&c, &s);
  for (int i = 0; i < op->operands; i++) exact_sample_draw(&o->sample[i], &c.before[i], &s);
  apply(op, c.result, c.argument, &c.ws);
  const char *const wrong = verdict(o, op, &c, t);
  if (wrong != NULL) report_failure(wrong, op, seed, index, &c);
  case_clear(&c);
  set_exponent_range(usual);
  return wrong == NULL;
}

static void test_operation(void **state) {
  const operation *const op = *state;
  const uint64_t cases = test_setting("ATTCERT_INTERVAL_CASES", DEFAULT_CASES), seed = test_setting("ATTCERT_SEED", 1);
  oracle o;
  tally t = {0};
  uint64_t failures = 0;
  oracle_init(&o);
  for (uint64_t i = 0; i < cases && failures < 5; i++) failures += !run_case(&o, op, seed, i, &t);
  oracle_clear(&o);
  print_message("%-16s %llu cases, %ld exact values, tightest %ld of %ld\n", op->name, (unsigned long long)cases,
                t.values, t.tightest, t.judged);
  assert_int_equal(failures, 0);
}

int main(void) {
  struct CMUnitTest test[OPERATIONS];
  for (int i = 0; i < OPERATIONS; i++) {
    test[i] = (struct CMUnitTest){OPERATION[i].name, test_operation, NULL, NULL, (void *)(uintptr_t)&OPERATION[i]};
  }
  return cmocka_run_group_tests(test, NULL, NULL);
}
