/* The contracts of MPFR that the proofs trust (spec/mpfr_model/mpfr.h and mpfr_digits.h), against MPFR itself: each
 * function is called on
 * random operands, and every clause of its contract, as it is written there, is evaluated on the outcome. Operands:
 * NaN, infinities, zeros of both signs, small integers, equal and opposite numbers, exponents up to the ends of MPFR's
 * range; precisions 1 to 200, all different; every rounding mode; results that are operands; 1 to 60 digits of numbers
 * between 1e-330 and 1e330. Which numbers have digits is read off the memory that MPFR asks for.
 *   ATTCERT_CONTRACT_CASES=N   calls of each function
 *   ATTCERT_SEED=S             which */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acsl.h"
#include "random_source.h"
#include "test_setting.h"

enum { DEFAULT_CASES = 2000, NUMBERS = 4, MOST_PRECISION = 200, BITS = 2500 };

/* What a call gets: its numbers in the order of the parameters, and at most one of each other kind. */
typedef struct {
  mpfr_t number[NUMBERS];
  int chosen[ACSL_PARAMETERS]; /* which number each parameter is */
  mpfr_rnd_t mode;
  long integer;
  unsigned long natural;
  double floating;
  int base;   /* of digits */
  char *text; /* what a function returned */
  mpfr_exp_t exponent;
  bool fresh; /* text is memory that was nobody's */
} call;

/* ---- memory ------------------------------------------------------------------------------------------------------ */

/* The blocks of memory that GMP and MPFR hold. */
static struct {
  void **block;
  size_t count, room;
} held;

static size_t place_of(const void *block) {
  size_t i = 0;
  while (i < held.count && held.block[i] != block) i++;
  return i;
}

static void *allocate(size_t size) {
  if (held.count == held.room) {
    held.room = 2 * held.room + 64;
    held.block = realloc(held.block, held.room * sizeof *held.block);
  }
  void *const block = malloc(size);
  if (held.block == NULL || block == NULL) abort();
  return held.block[held.count++] = block;
}

static void release(void *block, size_t size) {
  (void)size;
  const size_t i = place_of(block);
  if (i == held.count) abort(); /* released twice, or never allocated */
  held.block[i] = held.block[--held.count];
  free(block);
}

static void *reallocate(void *block, size_t old_size, size_t size) {
  void *const other = allocate(size);
  memcpy(other, block, old_size < size ? old_size : size);
  release(block, old_size);
  return other;
}

/* A list of them, which the caller frees; NULL ends it. */
static void **held_blocks(void) {
  void **const list = calloc(held.count + 1, sizeof *list);
  if (list == NULL) abort();
  memcpy(list, held.block, held.count * sizeof *list);
  return list;
}

/* ---- calls ------------------------------------------------------------------------------------------------------- */

#define N(i) (c->number[c->chosen[i]])

/* One caller a function of the model; the result as a long, or in c->floating for those that return a double. */
#define UNARY(f)                   \
  static long call_##f(call *c) {  \
    return f(N(0), N(1), c->mode); \
  }
#define BINARY(f)                        \
  static long call_##f(call *c) {        \
    return f(N(0), N(1), N(2), c->mode); \
  }
#define QUESTION(f)               \
  static long call_##f(call *c) { \
    return f(N(0));               \
  }
#define RELATION(f)               \
  static long call_##f(call *c) { \
    return f(N(0), N(1));         \
  }

UNARY(mpfr_set)
UNARY(mpfr_neg)
UNARY(mpfr_abs)
UNARY(mpfr_sqr)
UNARY(mpfr_sqrt)
UNARY(mpfr_exp)
UNARY(mpfr_log)
BINARY(mpfr_add)
BINARY(mpfr_sub)
BINARY(mpfr_mul)
BINARY(mpfr_div)
BINARY(mpfr_min)
BINARY(mpfr_max)
QUESTION(mpfr_nan_p)
QUESTION(mpfr_inf_p)
QUESTION(mpfr_number_p)
QUESTION(mpfr_zero_p)
QUESTION(mpfr_sgn)
QUESTION(mpfr_get_prec)
RELATION(mpfr_less_p)
RELATION(mpfr_lessequal_p)
RELATION(mpfr_greater_p)
RELATION(mpfr_cmpabs)

static long call_mpfr_init2(call *c) {
  mpfr_clear(N(0));
  mpfr_init2(N(0), c->integer);
  return 0;
}

/* try_function makes the number anew. */
static long call_mpfr_clear(call *c) {
  mpfr_clear(N(0));
  return 0;
}

static long call_mpfr_set_si(call *c) {
  return mpfr_set_si(N(0), c->integer, c->mode);
}

static long call_mpfr_set_ui(call *c) {
  return mpfr_set_ui(N(0), c->natural, c->mode);
}

static long call_mpfr_set_d(call *c) {
  return mpfr_set_d(N(0), c->floating, c->mode);
}

static long call_mpfr_set_zero(call *c) {
  mpfr_set_zero(N(0), (int)c->integer);
  return 0;
}

static long call_mpfr_set_inf(call *c) {
  mpfr_set_inf(N(0), (int)c->integer);
  return 0;
}

static long call_mpfr_set_nan(call *c) {
  mpfr_set_nan(N(0));
  return 0;
}

static long call_mpfr_get_exp(call *c) {
  return mpfr_get_exp(N(0));
}

static long call_mpfr_set_exp(call *c) {
  return mpfr_set_exp(N(0), c->integer);
}

static long call_mpfr_get_str(call *c) {
  void **const before = held_blocks();
  c->text = mpfr_get_str(NULL, &c->exponent, c->base, c->natural, N(0), c->mode);
  c->fresh = c->text != NULL;
  for (size_t i = 0; before[i] != NULL; i++) c->fresh = c->fresh && before[i] != c->text;
  free(before);
  return 0;
}

static long call_mpfr_free_str(call *c) {
  mpfr_free_str(mpfr_get_str(NULL, &c->exponent, 10, 1, c->number[0], MPFR_RNDN));
  return 0;
}

static long call_mpfr_swap(call *c) {
  mpfr_swap(N(0), N(1));
  return 0;
}

static long call_mpfr_mul_2si(call *c) {
  return mpfr_mul_2si(N(0), N(1), c->integer, c->mode);
}

static long call_mpfr_div_2ui(call *c) {
  return mpfr_div_2ui(N(0), N(1), c->natural, c->mode);
}

static long call_mpfr_div_2si(call *c) {
  return mpfr_div_2si(N(0), N(1), c->integer, c->mode);
}

static long call_mpfr_add_d(call *c) {
  return mpfr_add_d(N(0), N(1), c->floating, c->mode);
}

static long call_mpfr_sub_d(call *c) {
  return mpfr_sub_d(N(0), N(1), c->floating, c->mode);
}

static long call_mpfr_d_sub(call *c) {
  return mpfr_d_sub(N(0), c->floating, N(1), c->mode);
}

static long call_mpfr_ui_sub(call *c) {
  return mpfr_ui_sub(N(0), c->natural, N(1), c->mode);
}

static long call_mpfr_cmp_d(call *c) {
  return mpfr_cmp_d(N(0), c->floating);
}

static long call_mpfr_get_d(call *c) {
  c->floating = mpfr_get_d(N(0), c->mode);
  return 0;
}

typedef struct {
  const char *name;
  long (*call)(call *c);
  bool moderate; /* exponents small enough for Arb, or for an exact sum with a machine number */
  bool returns_double;
  bool returns_text;
} caller;

#define CALLER(f) \
  { .name = #f, .call = call_##f }
static const caller CALLERS[] = {
    CALLER(mpfr_init2),
    CALLER(mpfr_clear),
    CALLER(mpfr_get_prec),
    CALLER(mpfr_set),
    CALLER(mpfr_set_si),
    CALLER(mpfr_set_ui),
    CALLER(mpfr_set_d),
    CALLER(mpfr_set_zero),
    CALLER(mpfr_set_inf),
    CALLER(mpfr_set_nan),
    CALLER(mpfr_swap),
    CALLER(mpfr_neg),
    CALLER(mpfr_abs),
    CALLER(mpfr_add),
    CALLER(mpfr_sub),
    CALLER(mpfr_mul),
    CALLER(mpfr_sqr),
    CALLER(mpfr_div),
    CALLER(mpfr_sqrt),
    {.name = "mpfr_exp", .call = call_mpfr_exp, .moderate = true},
    CALLER(mpfr_log),
    CALLER(mpfr_mul_2si),
    CALLER(mpfr_div_2ui),
    CALLER(mpfr_div_2si),
    CALLER(mpfr_add_d),
    CALLER(mpfr_sub_d),
    CALLER(mpfr_d_sub),
    {.name = "mpfr_ui_sub", .call = call_mpfr_ui_sub, .moderate = true},
    CALLER(mpfr_min),
    CALLER(mpfr_max),
    CALLER(mpfr_nan_p),
    CALLER(mpfr_inf_p),
    CALLER(mpfr_number_p),
    CALLER(mpfr_zero_p),
    CALLER(mpfr_sgn),
    CALLER(mpfr_less_p),
    CALLER(mpfr_lessequal_p),
    CALLER(mpfr_greater_p),
    CALLER(mpfr_cmpabs),
    CALLER(mpfr_cmp_d),
    CALLER(mpfr_get_exp),
    CALLER(mpfr_set_exp),
    CALLER(mpfr_free_str),
    {.name = "mpfr_get_str", .call = call_mpfr_get_str, .moderate = true, .returns_text = true},
    {.name = "mpfr_get_d", .call = call_mpfr_get_d, .returns_double = true}};

static const caller *find_caller(const char *name) {
  for (size_t i = 0; i < sizeof CALLERS / sizeof CALLERS[0]; i++) {
    if (strcmp(CALLERS[i].name, name) == 0) return &CALLERS[i];
  }
  fail_msg("no caller for %s: add one", name);
  return NULL;
}

/* ---- random operands --------------------------------------------------------------------------------------------- */

/* A number m 2^e with |e| <= spread around base, or a special value, or a copy of another number. */
static void choose_number(mpfr_t x, const call *c, int made, mpfr_exp_t base, int spread, gmp_randstate_t bits,
                          random_source *r) {
  const int kind = random_integer(r, 0, 19);
  const int sign = random_chance(r, 0.5) ? 1 : -1;
  if (kind == 0) {
    mpfr_set_nan(x);
  } else if (kind <= 2) {
    mpfr_set_inf(x, sign);
  } else if (kind <= 4) {
    mpfr_set_zero(x, sign);
  } else if (kind <= 7 && made > 0) {
    mpfr_set(x, c->number[random_integer(r, 0, made - 1)], MPFR_RNDN); /* equal, or next to it */
    if (random_chance(r, 0.5)) mpfr_neg(x, x, MPFR_RNDN);
    if (mpfr_regular_p(x) && random_chance(r, 0.3)) mpfr_nextabove(x);
  } else if (kind <= 9 && base == 0) {
    mpfr_set_si(x, random_integer(r, -8, 8), MPFR_RNDN);
  } else {
    mpfr_urandomb(x, bits);
    if (mpfr_zero_p(x)) mpfr_set_ui(x, 1, MPFR_RNDN);
    mpfr_set_exp(x, base + random_integer(r, -spread, spread));
    if (sign < 0) mpfr_neg(x, x, MPFR_RNDN);
  }
}

static mpfr_exp_t choose_base(const caller *f, const acsl_function *contract, int spread, random_source *r) {
  bool machine_number = false;
  for (int i = 0; i < contract->parameters; i++) machine_number |= strcmp(contract->type[i], "double") == 0;
  if (f->moderate || machine_number || random_chance(r, 0.8)) return 0;
  return random_chance(r, 0.5) ? mpfr_get_emax() - spread - 1 : mpfr_get_emin() + spread + 1;
}

static double choose_double(random_source *r) {
  static const double SPECIAL[] = {0.0,     -0.0,     1.0,      -1.0,      0x1p-1074, -0x1p-1022,
                                   DBL_MAX, -DBL_MAX, INFINITY, -INFINITY, NAN};
  if (random_chance(r, 0.3)) return SPECIAL[random_integer(r, 0, sizeof SPECIAL / sizeof SPECIAL[0] - 1)];
  const double x = random_magnitude(r, -60, 60);
  return random_chance(r, 0.5) ? x : -x;
}

/* Short ones, those around the machine's formats, and any. */
static mpfr_prec_t choose_precision(random_source *r) {
  static const mpfr_prec_t MACHINE[] = {24, 52, 53, 54, 62, 63, 64, 65};
  const int kind = random_integer(r, 0, 4);
  return kind == 0   ? random_integer(r, 1, 4)
         : kind == 1 ? MACHINE[random_integer(r, 0, sizeof MACHINE / sizeof MACHINE[0] - 1)]
                     : random_integer(r, 1, MOST_PRECISION);
}

/* Digits in bases that clauses are about, mostly; numbers from 1 to 2 among others. */
static void choose_digits(call *c, random_source *r) {
  const int kind = random_integer(r, 0, 9);
  c->base = kind < 5 ? 10 : kind < 9 ? 16 : random_integer(r, 2, 36);
  c->natural = (unsigned long)random_integer(r, 1, 60);
  if (mpfr_regular_p(c->number[0]) && random_chance(r, 0.3)) mpfr_set_exp(c->number[0], 1);
}

static void choose_call(call *c, const caller *f, const acsl_function *contract, gmp_randstate_t bits,
                        random_source *r) {
  const int spread = random_chance(r, 0.5) ? 10 : f->returns_text ? 1100 : f->moderate ? 80 : 500;
  const mpfr_exp_t base = choose_base(f, contract, spread, r);
  int count = 0;
  for (int i = 0; i < NUMBERS; i++) {
    mpfr_set_prec(c->number[i], choose_precision(r));
    choose_number(c->number[i], c, i, base, spread, bits, r);
  }
  for (int i = 0; i < contract->parameters; i++) {
    if (strncmp(contract->type[i], "mpfr_", 5) != 0 || strstr(contract->type[i], "ptr") == NULL) continue;
    c->chosen[count] = count > 0 && random_chance(r, 0.3) ? c->chosen[random_integer(r, 0, count - 1)] : count;
    count++;
  }
  c->mode = (mpfr_rnd_t)random_integer(r, MPFR_RNDN, MPFR_RNDA);
  const bool long_range = random_chance(r, 0.3);
  c->integer = long_range ? (long)random_bits(r) : random_integer(r, -70, 70);
  c->natural = long_range ? random_bits(r) : (unsigned long)random_integer(r, 0, 140);
  if (strcmp(f->name, "mpfr_init2") == 0) c->integer = random_integer(r, 1, MOST_PRECISION);
  c->floating = choose_double(r);
  if (f->returns_text) choose_digits(c, r);
}

/* ---- whose digits are where -------------------------------------------------------------------------------------- */

/* owned[i]: the digits of number i are in a block that is held, behind the word in which MPFR keeps their count, and
 * that no other number has. */
static void find_owned(bool *owned, const mpfr_t *number) {
  for (int i = 0; i < NUMBERS; i++) {
    const mp_limb_t *const digits = mpfr_custom_get_significand(number[i]);
    owned[i] = digits != NULL && place_of(digits - 1) < held.count;
    for (int j = 0; j < NUMBERS; j++)
      owned[i] = owned[i] && (i == j || digits != mpfr_custom_get_significand(number[j]));
  }
}

/* ---- one function ------------------------------------------------------------------------------------------------ */

static void set_arguments(acsl_value *value, const call *c, const acsl_function *f) {
  int count = 0;
  for (int i = 0; i < f->parameters; i++) {
    const char *const type = f->type[i];
    acsl_value *const v = &value[i];
    v->type = ACSL_REAL;
    if (strcmp(type, "mpfr_ptr") == 0 || strcmp(type, "mpfr_srcptr") == 0) {
      v->type = ACSL_NUMBER;
      v->number = c->chosen[count++];
    } else if (strcmp(type, "mpfr_rnd_t") == 0) {
      arb_set_si(v->real, c->mode);
    } else if (strcmp(type, "double") == 0) {
      v->type = ACSL_DOUBLE;
      v->floating = c->floating;
    } else if (strcmp(type, "char *") == 0) {
      v->type = ACSL_TEXT;
      v->text = NULL;
    } else if (strcmp(type, "mpfr_exp_t *") == 0) {
      v->type = ACSL_PLACE;
      v->place = &c->exponent;
    } else if (strcmp(f->parameter[i], "base") == 0) {
      arb_set_si(v->real, c->base);
    } else if (strcmp(type, "int") == 0) {
      arb_set_si(v->real, (int)c->integer);
    } else if (strcmp(type, "unsigned long") == 0 || strcmp(type, "size_t") == 0) {
      arb_set_ui(v->real, c->natural);
    } else {
      arb_set_si(v->real, c->integer);
    }
  }
}

static void print_call(const call *c, const acsl_function *f, const mpfr_t *before) {
  int count = 0;
  fprintf(stderr, "%s, mode %s, integer %ld, natural %lu, double %a\n", f->name, mpfr_print_rnd_mode(c->mode),
          c->integer, c->natural, c->floating);
  if (c->text != NULL) fprintf(stderr, "  base %d: %s, exponent %ld\n", c->base, c->text, (long)c->exponent);
  for (int i = 0; i < f->parameters; i++) {
    if (strstr(f->type[i], "ptr") == NULL) continue;
    const int n = c->chosen[count++];
    mpfr_fprintf(stderr, "  %s = %Ra (%ld bits), then %Ra\n", f->parameter[i], before[n], mpfr_get_prec(before[n]),
                 c->number[n]);
  }
}

static bool allowed(acsl_state *state, acsl_function *f, const acsl_value *value) {
  for (int i = 0; i < f->requirements; i++) {
    if (!acsl_holds(state, f, &f->requirement[i], value, NULL)) return false;
  }
  return true;
}

static void copy_numbers(mpfr_t *to, const mpfr_t *from) {
  for (int i = 0; i < NUMBERS; i++) {
    mpfr_set_prec(to[i], mpfr_get_prec(from[i]));
    mpfr_set(to[i], from[i], MPFR_RNDN);
  }
}

/* Calls f `cases` times; the number of calls that its preconditions allow. */
static long try_function(const acsl_model *model, acsl_function *f, uint64_t cases, uint64_t seed) {
  const caller *const how = find_caller(f->name);
  call c;
  mpfr_t before[NUMBERS];
  acsl_value value[ACSL_PARAMETERS], result;
  gmp_randstate_t bits;
  long calls = 0;
  gmp_randinit_default(bits);
  gmp_randseed_ui(bits, seed);
  acsl_value_init(&result);
  for (int i = 0; i < NUMBERS; i++) {
    mpfr_init2(c.number[i], 53);
    mpfr_init2(before[i], 53);
  }
  for (int i = 0; i < ACSL_PARAMETERS; i++) acsl_value_init(&value[i]);
  bool owned[NUMBERS];
  acsl_state state = {.model = model,
                      .before = (const mpfr_t *)before,
                      .after = (const mpfr_t *)c.number,
                      .owned = owned,
                      .numbers = NUMBERS,
                      .bits = BITS};
  for (uint64_t i = 0; i < cases; i++) {
    random_source r = random_source_make(seed, (uint64_t)f->name[5] << 8 | (uint64_t)f->name[6], i);
    choose_call(&c, how, f, bits, &r);
    copy_numbers(before, (const mpfr_t *)c.number);
    set_arguments(value, &c, f);
    find_owned(owned, (const mpfr_t *)c.number);
    if (!allowed(&state, f, value)) continue;
    calls++;
    c.text = NULL;
    c.fresh = false;
    const long returned = how->call(&c);
    find_owned(owned, (const mpfr_t *)c.number);
    result.type = how->returns_double ? ACSL_DOUBLE : how->returns_text ? ACSL_TEXT : ACSL_REAL;
    result.text = c.text;
    state.fresh = c.fresh;
    result.floating = c.floating;
    arb_set_si(result.real, returned);
    for (int k = 0; k < f->clauses; k++) {
      const long undecided = state.undecided;
      if (acsl_holds(&state, f, &f->ensured[k], value, &result) && state.undecided == undecided) continue;
      print_call(&c, f, (const mpfr_t *)before);
      fail_msg("%s: clause '%s' is %s of this call (case %llu)", f->name, f->ensured[k].label,
               state.undecided > undecided ? "undecided" : "false", (unsigned long long)i);
    }
    if (c.text != NULL) mpfr_free_str(c.text);
    for (int k = 0; k < NUMBERS; k++) {
      if (owned[k]) continue;
      if (!f->changes_lives) fail_msg("%s leaves number %d without digits of its own", f->name, k);
      mpfr_init2(c.number[k], MPFR_PREC_MIN);
    }
  }
  for (int i = 0; i < ACSL_PARAMETERS; i++) acsl_value_clear(&value[i]);
  for (int i = 0; i < NUMBERS; i++) mpfr_clears(c.number[i], before[i], (mpfr_ptr)NULL);
  acsl_value_clear(&result);
  gmp_randclear(bits);
  return calls;
}

static void test_every_clause_holds(void **unused) {
  (void)unused;
  static const char *const FILES[] = {"spec/interval/mpfr.acsl",     "spec/mpfr_model/mpfr.h",
                                      "spec/format/digit_text.acsl", "spec/format/digit_string.acsl",
                                      "spec/format/hex_string.acsl", "spec/mpfr_model/mpfr_digits.h"};
  const uint64_t cases = test_setting("ATTCERT_CONTRACT_CASES", DEFAULT_CASES), seed = test_setting("ATTCERT_SEED", 1);
  acsl_model *const model = acsl_model_read(FILES, sizeof FILES / sizeof FILES[0]);
  long calls = 0, clauses = 0;
  assert_true(model->functions > 30);
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
  mp_set_memory_functions(allocate, reallocate, release);
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_clause_holds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
