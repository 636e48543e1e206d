/* The contracts of GMP that the proofs trust (spec/gmp_model/gmp.h), and those of MPFR's functions with integers
 * (spec/mpfr_model/mpfr_integer.h), against the libraries: each function is called on random operands, and every clause
 * of its contract, as it is written there, is evaluated on the outcome. Integers: zero, small ones, equal, opposite and
 * neighbouring ones, all bits set, up to 300 bits; results that are operands; every rounding mode.
 *   ATTCERT_CONTRACT_CASES=N   calls of each function
 *   ATTCERT_SEED=S             which */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "acsl.h"
#include "random_mpz.h"
#include "test_setting.h"

enum { DEFAULT_CASES = 2000, OPERANDS = 4, MOST_BITS = 300, MOST_SHIFT = 400, BITS = 2500 };

/* What a call gets: its operands in the order of the parameters, and at most one of each other kind. */
typedef struct {
  mpz_t integer[OPERANDS];
  mpfr_t number[OPERANDS];
  bool initialised[OPERANDS];  /* which integers are */
  int chosen[ACSL_PARAMETERS]; /* which operand each parameter is */
  mpfr_rnd_t mode;
  unsigned long natural;
  long exponent;
} call;

/* One caller a function of the models; the result as a long. */
typedef struct {
  const char *name;
  long (*call)(call *c);
} caller;

#define Z(i) (c->integer[c->chosen[i]])
#define F(i) (c->number[c->chosen[i]])
#define CALL(f, expression)       \
  static long call_##f(call *c) { \
    return (expression);          \
  }
#define CALL_VOID(f, statement)   \
  static long call_##f(call *c) { \
    statement;                    \
    return 0;                     \
  }

CALL_VOID(mpz_set_ui, mpz_set_ui(Z(0), c->natural))
CALL_VOID(mpz_neg, mpz_neg(Z(0), Z(1)))
CALL_VOID(mpz_add, mpz_add(Z(0), Z(1), Z(2)))
CALL_VOID(mpz_sub, mpz_sub(Z(0), Z(1), Z(2)))
CALL_VOID(mpz_mul_2exp, mpz_mul_2exp(Z(0), Z(1), c->natural % MOST_SHIFT))
CALL_VOID(mpz_fdiv_q_2exp, mpz_fdiv_q_2exp(Z(0), Z(1), c->natural % MOST_SHIFT))
CALL_VOID(mpz_fdiv_qr, mpz_fdiv_qr(Z(0), Z(1), Z(2), Z(3)))
CALL_VOID(mpz_sqrtrem, mpz_sqrtrem(Z(0), Z(1), Z(2)))
CALL(mpz_sgn, mpz_sgn(Z(0)))
CALL(mpz_sizeinbase, (long)mpz_sizeinbase(Z(0), 2))
CALL(mpfr_set_z, mpfr_set_z(F(0), Z(1), c->mode))
CALL(mpfr_set_z_2exp, mpfr_set_z_2exp(F(0), Z(1), c->exponent, c->mode))
CALL(mpfr_get_z, mpfr_get_z(Z(0), F(1), c->mode))

static long call_mpz_init(call *c) {
  mpz_clear(Z(0));
  mpz_init(Z(0));
  c->initialised[c->chosen[0]] = true;
  return 0;
}

/* Nothing can be asked of what has ended: the next case makes it anew. */
static long call_mpz_clear(call *c) {
  mpz_clear(Z(0));
  mpz_init(Z(0));
  c->initialised[c->chosen[0]] = false;
  return 0;
}

#define CALLER(f) \
  { .name = #f, .call = call_##f }
static const caller CALLERS[] = {
    CALLER(mpz_init), CALLER(mpz_clear),      CALLER(mpz_set_ui),      CALLER(mpz_neg),         CALLER(mpz_add),
    CALLER(mpz_sub),  CALLER(mpz_mul_2exp),   CALLER(mpz_fdiv_q_2exp), CALLER(mpz_fdiv_qr),     CALLER(mpz_sqrtrem),
    CALLER(mpz_sgn),  CALLER(mpz_sizeinbase), CALLER(mpfr_set_z),      CALLER(mpfr_set_z_2exp), CALLER(mpfr_get_z),
};

static const caller *find_caller(const char *name) {
  for (size_t i = 0; i < sizeof CALLERS / sizeof CALLERS[0]; i++) {
    if (strcmp(CALLERS[i].name, name) == 0) return &CALLERS[i];
  }
  fail_msg("no caller for %s: add one", name);
  return NULL;
}

/* ---- random operands --------------------------------------------------------------------------------------------- */

static void choose_integer(mpz_ptr x, const call *c, int made, random_source *r) {
  const int kind = random_integer(r, 0, 9);
  if (kind <= 2 && made > 0) {
    mpz_set(x, c->integer[random_integer(r, 0, made - 1)]);
    if (random_chance(r, 0.3)) mpz_neg(x, x);
    if (random_chance(r, 0.3)) mpz_add_ui(x, x, 1);
    if (random_chance(r, 0.3)) mpz_mul(x, x, x); /* a square, or next to one */
  } else if (kind <= 4) {
    mpz_set_si(x, random_integer(r, -8, 8));
  } else {
    random_mpz(x, (size_t)random_integer(r, 1, MOST_BITS), r);
  }
}

/* A multiple of 2^-70 to 2^30, so that halves are met and numbers below 1. */
static void choose_number(mpfr_ptr x, random_source *r) {
  mpz_t integer;
  mpz_init(integer);
  random_mpz(integer, (size_t)random_integer(r, 1, MOST_BITS), r);
  mpfr_set_prec(x, random_chance(r, 0.5) ? 64 : random_integer(r, 1, MOST_BITS));
  mpfr_set_z_2exp(x, integer, random_chance(r, 0.3) ? -1 : random_integer(r, -70, 30), MPFR_RNDN);
  if (random_chance(r, 0.1)) mpfr_set_nan(x);
  if (random_chance(r, 0.1)) mpfr_set_inf(x, 1);
  mpz_clear(integer);
}

static void choose_call(call *c, const acsl_function *f, random_source *r) {
  for (int i = 0; i < OPERANDS; i++) {
    choose_integer(c->integer[i], c, i, r);
    choose_number(c->number[i], r);
    c->initialised[i] = true;
  }
  int count = 0;
  for (int i = 0; i < f->parameters; i++) {
    if (strstr(f->type[i], "ptr") == NULL) continue;
    c->chosen[count] = count > 0 && random_chance(r, 0.3) ? c->chosen[random_integer(r, 0, count - 1)] : count;
    count++;
  }
  c->mode = (mpfr_rnd_t)random_integer(r, MPFR_RNDN, MPFR_RNDA);
  c->natural = random_chance(r, 0.3) ? random_bits(r) : (unsigned long)random_integer(r, 0, 140);
  c->exponent = random_chance(r, 0.1) ? (long)random_bits(r) : random_integer(r, -300, 300);
}

/* ---- one function ------------------------------------------------------------------------------------------------ */

static void set_arguments(acsl_value *value, const call *c, const acsl_function *f) {
  int count = 0;
  for (int i = 0; i < f->parameters; i++) {
    const char *const type = f->type[i];
    acsl_value *const v = &value[i];
    v->type = ACSL_REAL;
    if (strstr(type, "ptr") != NULL) {
      v->type = strncmp(type, "mpz", 3) == 0 ? ACSL_INTEGER : ACSL_NUMBER;
      v->number = c->chosen[count++];
    } else if (strcmp(type, "mpfr_rnd_t") == 0) {
      arb_set_si(v->real, c->mode);
    } else if (strcmp(type, "unsigned long") == 0) {
      arb_set_ui(v->real, c->natural);
    } else if (strcmp(type, "mp_bitcnt_t") == 0) {
      arb_set_ui(v->real, c->natural % MOST_SHIFT);
    } else if (strcmp(type, "mpfr_exp_t") == 0) {
      arb_set_si(v->real, c->exponent);
    } else {
      assert_string_equal(type, "int");
      arb_set_si(v->real, 2); /* the base */
    }
  }
}

static void copy_operands(call *to, const call *from) {
  for (int i = 0; i < OPERANDS; i++) {
    mpz_set(to->integer[i], from->integer[i]);
    mpfr_set_prec(to->number[i], mpfr_get_prec(from->number[i]));
    mpfr_set(to->number[i], from->number[i], MPFR_RNDN);
    to->initialised[i] = from->initialised[i];
  }
}

static bool allowed(acsl_state *state, acsl_function *f, const acsl_value *value) {
  for (int i = 0; i < f->requirements; i++) {
    if (!acsl_holds(state, f, &f->requirement[i], value, NULL)) return false;
  }
  return true;
}

static void print_call(const call *before, const call *c, const acsl_function *f) {
  int count = 0;
  fprintf(stderr, "%s, mode %s, natural %lu, exponent %ld\n", f->name, mpfr_print_rnd_mode(c->mode), c->natural,
          c->exponent);
  for (int i = 0; i < f->parameters; i++) {
    if (strstr(f->type[i], "ptr") == NULL) continue;
    const int n = c->chosen[count++];
    mpfr_fprintf(stderr, "  %s = %Zd or %Ra, then %Zd or %Ra\n", f->parameter[i], before->integer[n], before->number[n],
                 c->integer[n], c->number[n]);
  }
}

static void operands_init(call *c) {
  for (int i = 0; i < OPERANDS; i++) {
    mpz_init(c->integer[i]);
    mpfr_init2(c->number[i], 64);
  }
}

static void operands_clear(call *c) {
  for (int i = 0; i < OPERANDS; i++) {
    mpz_clear(c->integer[i]);
    mpfr_clear(c->number[i]);
  }
}

/* Calls f `cases` times; the number of calls that its preconditions allow. */
static long try_function(const acsl_model *model, acsl_function *f, uint64_t cases, uint64_t seed) {
  const caller *const how = find_caller(f->name);
  call before, c;
  acsl_value value[ACSL_PARAMETERS], result;
  long calls = 0;
  operands_init(&before);
  operands_init(&c);
  acsl_value_init(&result);
  for (int i = 0; i < ACSL_PARAMETERS; i++) acsl_value_init(&value[i]);
  static const bool owned[OPERANDS] = {true, true, true, true}; /* every number of MPFR here has its digits */
  acsl_state state = {.model = model,
                      .before = (const mpfr_t *)before.number,
                      .after = (const mpfr_t *)c.number,
                      .owned = owned,
                      .numbers = OPERANDS,
                      .integer_before = (const mpz_t *)before.integer,
                      .integer_after = (const mpz_t *)c.integer,
                      .initialised_before = before.initialised,
                      .initialised_after = c.initialised,
                      .integers = OPERANDS,
                      .bits = BITS};
  for (uint64_t i = 0; i < cases; i++) {
    random_source r = random_source_make(seed, (uint64_t)(how - CALLERS), i);
    choose_call(&c, f, &r);
    copy_operands(&before, &c);
    set_arguments(value, &c, f);
    if (!allowed(&state, f, value)) continue;
    calls++;
    result.type = ACSL_REAL;
    arb_set_si(result.real, how->call(&c));
    for (int k = 0; k < f->clauses; k++) {
      const long undecided = state.undecided;
      if (acsl_holds(&state, f, &f->ensured[k], value, &result) && state.undecided == undecided) continue;
      print_call(&before, &c, f);
      fail_msg("%s: clause '%s' is %s of this call (case %llu)", f->name, f->ensured[k].label,
               state.undecided > undecided ? "undecided" : "false", (unsigned long long)i);
    }
  }
  for (int i = 0; i < ACSL_PARAMETERS; i++) acsl_value_clear(&value[i]);
  acsl_value_clear(&result);
  operands_clear(&before);
  operands_clear(&c);
  return calls;
}

static void test_every_clause_holds(void **unused) {
  (void)unused;
  static const char *const FILES[] = {"spec/interval/mpfr.acsl", "spec/integer/mpz.acsl", "spec/gmp_model/gmp.h",
                                      "spec/mpfr_model/mpfr_integer.h"};
  const uint64_t cases = test_setting("ATTCERT_CONTRACT_CASES", DEFAULT_CASES), seed = test_setting("ATTCERT_SEED", 1);
  acsl_model *const model = acsl_model_read(FILES, sizeof FILES / sizeof FILES[0]);
  long calls = 0, clauses = 0;
  assert_int_equal(model->functions, sizeof CALLERS / sizeof CALLERS[0]);
  for (int i = 0; i < model->functions; i++) {
    acsl_function *const f = &model->function[i];
    calls += try_function(model, f, cases, seed);
    clauses += f->clauses;
    for (int k = 0; k < f->clauses; k++) {
      if (f->ensured[k].applied == 0)
        fail_msg("%s: the premises of clause '%s' never held in %llu calls", f->name, f->ensured[k].label,
                 (unsigned long long)cases);
    }
  }
  printf("%d functions, %ld clauses, %ld calls\n", model->functions, clauses, calls);
  acsl_model_free(model);
  flint_cleanup();
  mpfr_free_cache();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_clause_holds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
