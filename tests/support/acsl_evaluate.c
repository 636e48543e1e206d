/* Terms and predicates of ACSL on the numbers before and after a call. Reals are Arb balls: exact for sums and
 * products, as the operands' exponents are chosen within `bits` of each other, and proven enclosures for the rest, so
 * that a comparison is decided or counted as undecided. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acsl_expression.h"

typedef struct {
  acsl_state *state;
  const char (*name)[ACSL_NAME];
  const acsl_value *value;
  int count;
  const acsl_value *result;
  bool before; /* which memory */
} scope;

static void evaluate(acsl_value *r, const acsl_expression *e, const scope *s);

void acsl_value_init(acsl_value *v) {
  *v = (acsl_value){.type = ACSL_TRUTH};
  arb_init(v->real);
}

void acsl_value_clear(acsl_value *v) {
  arb_clear(v->real);
}

static void set_truth(acsl_value *r, bool truth) {
  r->type = ACSL_TRUTH;
  r->truth = truth;
}

static void copy_value(acsl_value *r, const acsl_value *v) {
  r->type = v->type;
  r->truth = v->truth;
  r->floating = v->floating;
  r->number = v->number;
  r->text = v->text;
  r->place = v->place;
  r->reciprocal = v->reciprocal;
  arb_set(r->real, v->real);
}

static _Noreturn void not_understood(const char *name) {
  fprintf(stderr, "acsl: '%s' is not understood\n", name);
  exit(1);
}

static mpfr_srcptr number_at(const acsl_value *v, const scope *s) {
  if (v->type != ACSL_NUMBER) not_understood("a number was expected");
  return s->before ? s->state->before[v->number] : s->state->after[v->number];
}

static mpz_srcptr integer_at(const acsl_value *v, const scope *s) {
  if (v->type != ACSL_INTEGER) not_understood("an integer of GMP was expected");
  return s->before ? s->state->integer_before[v->number] : s->state->integer_after[v->number];
}

/* A double that is no real number has no value: every comparison of it is undecided. */
static void make_real(acsl_value *v) {
  if (v->type == ACSL_DOUBLE) {
    if (isfinite(v->floating))
      arb_set_d(v->real, v->floating);
    else
      arb_indeterminate(v->real);
    v->type = ACSL_REAL;
  }
  if (v->type != ACSL_REAL) not_understood("a real number was expected");
  if (v->reciprocal) not_understood("a power of ten outside a product");
}

static bool truth_of(const acsl_expression *e, const scope *s) {
  acsl_value v;
  acsl_value_init(&v);
  evaluate(&v, e, s);
  if (v.type != ACSL_TRUTH) not_understood("a predicate was expected");
  acsl_value_clear(&v);
  return v.truth;
}

static void real_of(acsl_value *r, const acsl_expression *e, const scope *s) {
  evaluate(r, e, s);
  make_real(r);
}

/* An index or a bound. */
static long integer_of(const acsl_expression *e, const scope *s) {
  acsl_value v;
  fmpz_t exact;
  acsl_value_init(&v);
  fmpz_init(exact);
  real_of(&v, e, s);
  if (!arb_get_unique_fmpz(exact, v.real) || !fmpz_fits_si(exact)) not_understood("an integer was expected");
  const long integer = fmpz_get_si(exact);
  fmpz_clear(exact);
  acsl_value_clear(&v);
  return integer;
}

/* ---- texts ------------------------------------------------------------------------------------------------------- */

static const char *text_of(const acsl_expression *e, const scope *s) {
  acsl_value v;
  acsl_value_init(&v);
  evaluate(&v, e, s);
  if (v.type != ACSL_TEXT || v.text == NULL) not_understood("a text was expected");
  acsl_value_clear(&v);
  return v.text;
}

/* Of a character that the text does not have, nothing can be said. */
static void evaluate_character(acsl_value *r, const acsl_expression *e, const scope *s) {
  const char *const text = text_of(e->child[0], s);
  const long place = integer_of(e->child[1], s);
  if (place < 0 || (size_t)place > strlen(text)) not_understood("a character beyond the end of a text");
  r->type = ACSL_REAL;
  arb_set_si(r->real, text[place]);
}

static bool holds_for_all(const acsl_expression *e, const scope *s) {
  const char(*const name)[ACSL_NAME] = s->name;
  const long end = integer_of(e->child[1], s);
  char names[ACSL_PARAMETERS + 1][ACSL_NAME];
  acsl_value values[ACSL_PARAMETERS + 1];
  bool holds = true;
  for (int i = 0; i < s->count; i++) {
    memcpy(names[i], name[i], ACSL_NAME);
    values[i] = s->value[i]; /* for reading only */
  }
  memcpy(names[s->count], e->name, ACSL_NAME);
  acsl_value_init(&values[s->count]);
  values[s->count].type = ACSL_REAL;
  scope inner = *s;
  inner.name = (const char(*)[ACSL_NAME])names;
  inner.value = values;
  inner.count = s->count + 1;
  for (long i = integer_of(e->child[0], s); i < end && holds; i++) {
    arb_set_si(values[s->count].real, i);
    holds = truth_of(e->child[2], &inner);
  }
  acsl_value_clear(&values[s->count]);
  return holds;
}

/* \valid_read(text + (0 .. n)): the text is that long, its NUL counted. */
static bool text_reaches(const acsl_expression *e, const scope *s) {
  const long last = integer_of(e->child[1]->child[0], s);
  return last < 0 || (size_t)last <= strlen(text_of(e->child[0], s));
}

/* ---- comparisons ------------------------------------------------------------------------------------------------- */

static bool compare_reals(const char *operator, const arb_t a, const arb_t b, acsl_state *state) {
  const bool less = arb_lt(a, b), greater = arb_gt(a, b), equal = arb_is_exact(a) && arb_equal(a, b);
  const bool at_most = arb_le(a, b), at_least = arb_ge(a, b);
  const bool known = strcmp(operator, "<=") == 0   ? at_most || greater
                     : strcmp(operator, ">=") == 0 ? at_least || less
                     : strcmp(operator, "<") == 0  ? less || at_least
                     : strcmp(operator, ">") == 0  ? greater || at_most
                                                   : less || greater || equal;
  if (!known) state->undecided++;
  return strcmp(operator, "<=") == 0   ? at_most
         : strcmp(operator, ">=") == 0 ? at_least
         : strcmp(operator, "<") == 0  ? less
         : strcmp(operator, ">") == 0  ? greater
         : strcmp(operator, "==") == 0 ? equal
                                       : !equal;
}

static bool same_number(mpfr_srcptr a, mpfr_srcptr b) {
  return mpfr_get_prec(a) == mpfr_get_prec(b) && (mpfr_nan_p(a) ? mpfr_nan_p(b) != 0 : mpfr_equal_p(a, b) != 0);
}

/* *a == *b and *a == \old(*b): the whole number, precision included. */
static mpfr_srcptr dereferenced(const acsl_expression *e, const scope *s) {
  scope inner = *s;
  if (e->kind == ACSL_OLD) {
    inner.before = true;
    e = e->child[0];
  }
  if (e->kind != ACSL_DEREFERENCE) not_understood("a comparison with *");
  acsl_value v;
  acsl_value_init(&v);
  evaluate(&v, e->child[0], &inner);
  mpfr_srcptr x = number_at(&v, &inner);
  acsl_value_clear(&v);
  return x;
}

static void evaluate_comparison(acsl_value *r, const acsl_expression *e, const scope *s) {
  if (e->child[0]->kind == ACSL_DEREFERENCE && e->child[1]->kind != ACSL_CONSTANT) {
    set_truth(r, same_number(dereferenced(e->child[0], s), dereferenced(e->child[1], s)));
    return;
  }
  acsl_value a, b;
  acsl_value_init(&a);
  acsl_value_init(&b);
  evaluate(&a, e->child[0], s);
  evaluate(&b, e->child[1], s);
  if ((a.type == ACSL_NUMBER || a.type == ACSL_INTEGER) && a.type == b.type) {
    set_truth(r, (a.number == b.number) == (strcmp(e->name, "==") == 0));
  } else if (a.type == ACSL_TEXT && a.type == b.type) {
    set_truth(r, (a.text == b.text) == (strcmp(e->name, "==") == 0));
  } else {
    make_real(&a);
    make_real(&b);
    set_truth(r, compare_reals(e->name, a.real, b.real, s->state));
  }
  acsl_value_clear(&a);
  acsl_value_clear(&b);
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

static void evaluate_variable(acsl_value *r, const acsl_expression *e, const scope *s) {
  static const struct {
    const char *name;
    mpfr_rnd_t mode;
  } MODE[] = {{"MPFR_RNDN", MPFR_RNDN},
              {"MPFR_RNDZ", MPFR_RNDZ},
              {"MPFR_RNDU", MPFR_RNDU},
              {"MPFR_RNDD", MPFR_RNDD},
              {"MPFR_RNDA", MPFR_RNDA}};
  for (int i = 0; i < s->count; i++) {
    if (strcmp(s->name[i], e->name) == 0) {
      copy_value(r, &s->value[i]);
      return;
    }
  }
  for (size_t i = 0; i < sizeof MODE / sizeof MODE[0]; i++) {
    if (strcmp(MODE[i].name, e->name) == 0) {
      r->type = ACSL_REAL;
      arb_set_si(r->real, MODE[i].mode);
      return;
    }
  }
  if (strcmp(e->name, "\\null") == 0) {
    r->type = ACSL_TEXT;
    r->text = NULL;
    return;
  }
  if (strcmp(e->name, "\\true") != 0) not_understood(e->name);
  set_truth(r, true);
}

static void integer_value(acsl_value *r, mpz_srcptr x) {
  fmpz_t integer;
  fmpz_init(integer);
  fmpz_set_mpz(integer, x);
  r->type = ACSL_REAL;
  arb_set_fmpz(r->real, integer);
  fmpz_clear(integer);
}

static void evaluate_field(acsl_value *r, const acsl_expression *e, const scope *s) {
  evaluate(r, e->child[0], s);
  if (r->type == ACSL_INTEGER && strcmp(e->name, "model_value") == 0) {
    integer_value(r, integer_at(r, s));
    return;
  }
  mpfr_srcptr x = number_at(r, s);
  r->type = ACSL_REAL;
  if (strcmp(e->name, "model_precision") == 0) {
    arb_set_si(r->real, mpfr_get_prec(x));
  } else if (strcmp(e->name, "model_kind") == 0) {
    arb_set_si(r->real, mpfr_nan_p(x) ? 3 : !mpfr_inf_p(x) ? 0 : mpfr_sgn(x) > 0 ? 1 : 2);
  } else if (strcmp(e->name, "model_value") == 0) {
    if (mpfr_number_p(x)) {
      arf_set_mpfr(arb_midref(r->real), x);
      mag_zero(arb_radref(r->real));
    } else {
      arb_indeterminate(r->real);
    }
  } else {
    not_understood(e->name);
  }
}

/* ---- the functions that the specification gives by axioms -------------------------------------------------------- */

static void two_to(arb_t r, const arb_t exponent) {
  fmpz_t e;
  fmpz_init(e);
  if (!arb_get_unique_fmpz(e, exponent)) not_understood("power_of_two of no integer");
  arb_one(r);
  arb_mul_2exp_fmpz(r, r, e);
  fmpz_clear(e);
}

/* 10^e; for e < 0 its reciprocal, which is exact. */
static void ten_to(acsl_value *r, const arb_t exponent, slong bits) {
  fmpz_t e;
  fmpz_init(e);
  if (!arb_get_unique_fmpz(e, exponent)) not_understood("power_of_ten of no integer");
  r->type = ACSL_REAL;
  r->reciprocal = fmpz_sgn(e) < 0;
  fmpz_abs(e, e);
  arb_set_ui(r->real, 10);
  arb_pow_fmpz(r->real, r->real, e, bits);
  fmpz_clear(e);
}

/* The e with 2^(e - 1) <= x < 2^e. */
static void exponent_of(arb_t r, const arb_t x) {
  fmpz_t e;
  fmpz_init(e);
  if (!arb_is_exact(x) || !arb_is_positive(x)) not_understood("binary_exponent of no positive number");
  arf_abs_bound_lt_2exp_fmpz(e, arb_midref(x));
  arb_set_fmpz(r, e);
  fmpz_clear(e);
}

static bool is_double_class(const char *name) {
  return strstr(name, "_double") != NULL;
}

static bool double_class(const char *name, double x) {
  if (strcmp(name, "finite_double") == 0) return isfinite(x);
  if (strcmp(name, "nan_double") == 0) return isnan(x);
  if (strcmp(name, "plus_infinity_double") == 0) return isinf(x) && x > 0;
  if (strcmp(name, "minus_infinity_double") == 0) return isinf(x) && x < 0;
  not_understood(name);
}

/* False when name is none of them. a and b hold the arguments; the result is left in a. */
static bool real_function(const char *name, arb_t a, const arb_t b, slong bits) {
  if (strcmp(name, "prod") == 0)
    arb_mul(a, a, b, bits);
  else if (strcmp(name, "quo") == 0)
    arb_div(a, a, b, bits);
  else if (strcmp(name, "rexp") == 0)
    arb_exp(a, a, bits);
  else if (strcmp(name, "rlog") == 0)
    arb_log(a, a, bits);
  else if (strcmp(name, "rroot") == 0)
    arb_sqrt(a, a, bits);
  else if (strcmp(name, "\\abs") == 0)
    arb_abs(a, a);
  else if (strcmp(name, "power_of_two") == 0)
    two_to(a, a);
  else if (strcmp(name, "binary_exponent") == 0)
    exponent_of(a, a);
  else
    return false;
  return true;
}

/* Memory clauses: every number of a call is allocated; two arguments are separate when they are different numbers. */
static bool memory_predicate(const acsl_expression *e, const scope *s) {
  if (e->child[0]->kind == ACSL_PLUS && e->child[0]->child[1]->kind == ACSL_RANGE) return text_reaches(e->child[0], s);
  if (strcmp(e->name, "\\separated") != 0) return true; /* \valid, \valid_read */
  for (int i = 0; i < e->children; i++) {
    for (int j = 0; j < i; j++) {
      acsl_value a, b;
      acsl_value_init(&a);
      acsl_value_init(&b);
      evaluate(&a, e->child[i], s);
      evaluate(&b, e->child[j], s);
      const bool same = a.number == b.number;
      acsl_value_clear(&a);
      acsl_value_clear(&b);
      if (same) return false;
    }
  }
  return true;
}

/* initialised(x), owned(x): every number has digits of its own or none. other_lives{Pre, Post}(x): all others still
 * have theirs, as every number had before the call. */
static bool life_predicate(const acsl_expression *e, const scope *s) {
  acsl_value x;
  acsl_value_init(&x);
  evaluate(&x, e->child[0], s);
  if (x.type != ACSL_NUMBER) not_understood("a number was expected");
  bool holds = s->state->owned[x.number];
  if (strcmp(e->name, "other_lives") == 0) {
    holds = true;
    for (int i = 0; i < s->state->numbers; i++) holds = holds && (i == x.number || s->state->owned[i]);
  }
  acsl_value_clear(&x);
  return holds;
}

/* mpz_initialised(x); other_mpz_lives{Pre, Post}(x): of all integers but x. */
static bool mpz_life_predicate(const acsl_expression *e, const scope *s) {
  const bool *const before = s->state->initialised_before, *const after = s->state->initialised_after;
  acsl_value x;
  acsl_value_init(&x);
  evaluate(&x, e->child[0], s);
  integer_at(&x, s);
  bool holds = s->before || e->before ? before[x.number] : after[x.number];
  if (strcmp(e->name, "other_mpz_lives") == 0) {
    holds = true;
    for (int i = 0; i < s->state->integers; i++) holds = holds && (i == x.number || before[i] == after[i]);
  }
  acsl_value_clear(&x);
  return holds;
}

static const acsl_definition *find_definition(const acsl_model *model, const char *name) {
  for (int i = 0; i < model->definitions; i++) {
    if (strcmp(model->definition[i].name, name) == 0) return &model->definition[i];
  }
  not_understood(name);
}

static void evaluate_call(acsl_value *r, const acsl_expression *e, const scope *s) {
  if (strcmp(e->name, "\\valid") == 0 || strcmp(e->name, "\\valid_read") == 0 || strcmp(e->name, "\\separated") == 0) {
    set_truth(r, memory_predicate(e, s));
    return;
  }
  if (strcmp(e->name, "initialised") == 0 || strcmp(e->name, "owned") == 0 || strcmp(e->name, "other_lives") == 0) {
    set_truth(r, life_predicate(e, s));
    return;
  }
  if (strcmp(e->name, "mpz_initialised") == 0 || strcmp(e->name, "other_mpz_lives") == 0) {
    set_truth(r, mpz_life_predicate(e, s));
    return;
  }
  acsl_value argument[ACSL_PARAMETERS];
  for (int i = 0; i < ACSL_PARAMETERS; i++) acsl_value_init(&argument[i]);
  for (int i = 0; i < e->children; i++) evaluate(&argument[i], e->child[i], s);
  if (strcmp(e->name, "power_of_ten") == 0) {
    ten_to(r, argument[0].real, s->state->bits);
  } else if (strcmp(e->name, "prod") == 0 && argument[1].reciprocal) {
    r->type = ACSL_REAL;
    arb_div(r->real, argument[0].real, argument[1].real, s->state->bits); /* exact where that has binary digits */
  } else if (is_double_class(e->name) && argument[0].type == ACSL_DOUBLE) {
    set_truth(r, double_class(e->name, argument[0].floating));
  } else {
    for (int i = 0; i < e->children; i++) {
      if (argument[i].type == ACSL_DOUBLE) make_real(&argument[i]);
    }
    if (real_function(e->name, argument[0].real, argument[1].real, s->state->bits)) {
      r->type = ACSL_REAL;
      arb_swap(r->real, argument[0].real);
    } else {
      const acsl_definition *const d = find_definition(s->state->model, e->name);
      if (d->parameters != e->children) not_understood(e->name);
      const scope inner = {s->state, d->parameter, argument, d->parameters, NULL, s->before || e->before};
      evaluate(r, d->body, &inner);
    }
  }
  for (int i = 0; i < ACSL_PARAMETERS; i++) acsl_value_clear(&argument[i]);
}

/* ---- everything -------------------------------------------------------------------------------------------------- */

static void evaluate_arithmetic(acsl_value *r, const acsl_expression *e, const scope *s) {
  acsl_value b;
  acsl_value_init(&b);
  real_of(r, e->child[0], s);
  if (e->children == 2) real_of(&b, e->child[1], s);
  switch (e->kind) {
  case ACSL_MINUS:
    arb_neg(r->real, r->real);
    break;
  case ACSL_PLUS:
    arb_add(r->real, r->real, b.real, s->state->bits);
    break;
  case ACSL_DIFFERENCE:
    arb_sub(r->real, r->real, b.real, s->state->bits);
    break;
  case ACSL_TIMES:
    arb_mul(r->real, r->real, b.real, s->state->bits);
    break;
  default:
    arb_div(r->real, r->real, b.real, s->state->bits);
    break;
  }
  acsl_value_clear(&b);
}

static void evaluate_old(acsl_value *r, const acsl_expression *e, const scope *s) {
  scope inner = *s;
  inner.before = true;
  evaluate(r, e->child[0], &inner);
}

static void evaluate(acsl_value *r, const acsl_expression *e, const scope *s) {
  switch (e->kind) {
  case ACSL_CONSTANT:
    r->type = ACSL_REAL;
    arb_set_d(r->real, e->constant);
    break;
  case ACSL_VARIABLE:
    evaluate_variable(r, e, s);
    break;
  case ACSL_RESULT:
    copy_value(r, s->result);
    break;
  case ACSL_CALL:
    evaluate_call(r, e, s);
    break;
  case ACSL_FIELD:
    evaluate_field(r, e, s);
    break;
  case ACSL_OLD:
    evaluate_old(r, e, s);
    break;
  case ACSL_NOT:
    set_truth(r, !truth_of(e->child[0], s));
    break;
  case ACSL_COMPARISON:
    evaluate_comparison(r, e, s);
    break;
  case ACSL_AND:
    set_truth(r, truth_of(e->child[0], s) && truth_of(e->child[1], s));
    break;
  case ACSL_OR:
    set_truth(r, truth_of(e->child[0], s) || truth_of(e->child[1], s));
    break;
  case ACSL_IMPLIES:
    set_truth(r, !truth_of(e->child[0], s) || truth_of(e->child[1], s));
    break;
  case ACSL_EQUIVALENT:
    set_truth(r, truth_of(e->child[0], s) == truth_of(e->child[1], s));
    break;
  case ACSL_CONDITIONAL:
    evaluate(r, e->child[truth_of(e->child[0], s) ? 1 : 2], s);
    break;
  case ACSL_DEREFERENCE:
    evaluate(r, e->child[0], s);
    if (r->type != ACSL_PLACE) not_understood("* of a number outside a comparison");
    r->type = ACSL_REAL;
    arb_set_si(r->real, *r->place);
    break;
  case ACSL_CHARACTER:
    evaluate_character(r, e, s);
    break;
  case ACSL_FOR_ALL:
    set_truth(r, holds_for_all(e, s));
    break;
  case ACSL_FRESH:
    set_truth(r, s->state->fresh);
    break;
  case ACSL_RANGE:
    not_understood("a range outside \\valid");
  default:
    evaluate_arithmetic(r, e, s);
    break;
  }
}

bool acsl_holds(acsl_state *state, const acsl_function *f, acsl_clause *clause, const acsl_value *arguments,
                const acsl_value *result) {
  const scope s = {state, f->parameter, arguments, f->parameters, result, false};
  const acsl_expression *e = clause->body;
  clause->decided++;
  for (; e->kind == ACSL_IMPLIES; e = e->child[1]) {
    if (!truth_of(e->child[0], &s)) return true;
  }
  clause->applied++;
  return truth_of(e, &s);
}
