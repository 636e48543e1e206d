/* Tokens in a ball, exactly, and what every kind of ball says of itself. */
#include "exact_region.h"
#include "interval/interval_convert.h"
#include "interval/interval_set.h"
#include "random_source.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* (3, 4) has length 5: inside the ball of radius 5, and outside that of the double before 5. */
static void tokens_on_the_sphere(void **state) {
  (void)state;
  double token[] = {3.0, 4.0};
  attcert_matrix x = {1, 2, token};
  assert_true(exact_region_holds(&x, NULL, &(ball_region){.radius = 5.0, .kind = BALL_TOKEN}));
  assert_false(exact_region_holds(&x, NULL, &(ball_region){.radius = nextafter(5.0, 0.0), .kind = BALL_TOKEN}));
  ball_region_enter(&x, NULL, &(ball_region){.radius = 5.0, .kind = BALL_TOKEN});
  assert_true(token[0] == 3.0 && token[1] == 4.0); /* nothing to do */
  token[1] = nextafter(4.0, 5.0);
  assert_false(exact_region_holds(&x, NULL, &(ball_region){.radius = 5.0, .kind = BALL_TOKEN}));
  ball_region_enter(&x, NULL, &(ball_region){.radius = 5.0, .kind = BALL_TOKEN});
  assert_true(exact_region_holds(&x, NULL, &(ball_region){.radius = 5.0, .kind = BALL_TOKEN}));
  assert_true(token[0] > 3.0 * (1 - 4e-16) && token[1] > 4.0 * (1 - 4e-16));
}

/* Entries at most 3: a distance that is a double counts as it is, the next one is outside, however it is reached. */
static void entries_on_the_faces(void **state) {
  (void)state;
  double token[] = {3.0, -2.5}, centre_data[] = {0x1p-54, 0.5}, copy[2] = {3.0, -2.5};
  attcert_matrix x = {1, 2, token};
  const attcert_matrix centre = {1, 2, centre_data};
  const ball_region box = {.radius = 3.0, .kind = BALL_ENTRY};
  assert_true(exact_region_holds(&x, NULL, &box) && exact_region_holds(&x, &centre, &box));
  ball_region_enter(&x, NULL, &box);
  ball_region_enter(&x, &centre, &box);
  assert_memory_equal(token, copy, sizeof copy);
  centre_data[0] = -0x1p-54; /* 3 + 2^-54 is 3 in double */
  assert_false(exact_region_holds(&x, &centre, &box));
  ball_region_project(&x, &centre, &box);
  assert_memory_equal(token, copy, sizeof copy);
  ball_region_enter(&x, &centre, &box);
  assert_true(exact_region_holds(&x, &centre, &box));
  assert_true(token[0] > 3.0 * (1 - 4e-16) && token[1] < -2.5 * (1 - 4e-16));
  token[0] = nextafter(3.0, 4.0);
  assert_false(exact_region_holds(&x, NULL, &box));
  ball_region_project(&x, NULL, &box);
  assert_true(token[0] == 3.0);
}

/* No distance, or one beyond the doubles: back to the centre, in every kind. */
static void not_a_number_returns(void **state) {
  (void)state;
  static const double bad[] = {NAN, INFINITY, -INFINITY};
  for (int trial = 0; trial < 3 * BALL_KINDS; trial++) {
    double data[4] = {1.0, 2.0, bad[trial / BALL_KINDS], 4.0}, centre_data[4] = {1.0, 2.0, 3.0, 4.0};
    attcert_matrix x = {2, 2, data};
    const attcert_matrix centre = {2, 2, centre_data};
    ball_region_enter(&x, &centre, &(ball_region){.radius = 1.0, .kind = (ball_kind_id)(trial % BALL_KINDS)});
    assert_memory_equal(data, centre_data, sizeof data);
  }
}

/* After projection a token may be outside by a rounding; then it is inside, and no further than a few roundings. */
static void projected_tokens_enter(void **state) {
  (void)state;
  enum { DIM = 7, TOKENS = 5 };
  const double radii[] = {1e-310, 1e-300, 0.1, 1.0, 3.0, 1e100, 1e300};
  double tokens[TOKENS * DIM];
  attcert_matrix x = {TOKENS, DIM, tokens};
  random_source r = random_source_make(3, 0, 0);
  int outside = 0;
  for (int trial = 0; trial < 700; trial++) {
    const double radius = radii[trial % 7];
    random_fill_gaussian(tokens, TOKENS * DIM, 2.0 * radius, &r);
    ball_region_project(&x, NULL, &(ball_region){.radius = radius, .kind = BALL_TOKEN});
    if (!exact_region_holds(&x, NULL, &(ball_region){.radius = radius, .kind = BALL_TOKEN})) outside++;
    double before[TOKENS * DIM];
    memcpy(before, tokens, sizeof tokens);
    ball_region_enter(&x, NULL, &(ball_region){.radius = radius, .kind = BALL_TOKEN});
    assert_true(exact_region_holds(&x, NULL, &(ball_region){.radius = radius, .kind = BALL_TOKEN}));
    for (int i = 0; i < TOKENS * DIM; i++)
      assert_true(fabs(tokens[i] - before[i]) <= 1e-15 * fabs(before[i]) + 0x1p-1070);
  }
  assert_true(outside > 0); /* else the second step would not have been tested */
}

static void tokens_inside_stay(void **state) {
  (void)state;
  double tokens[] = {0.5, 0.25, 0.0, 0.0}, copy[4];
  attcert_matrix x = {2, 2, tokens};
  memcpy(copy, tokens, sizeof tokens);
  ball_region_project(&x, NULL, &(ball_region){.radius = 1.0, .kind = BALL_TOKEN});
  ball_region_enter(&x, NULL, &(ball_region){.radius = 1.0, .kind = BALL_TOKEN});
  assert_memory_equal(copy, tokens, sizeof tokens);
}

/* Far outside, where the step has to grow; the smallest denormal in a ball of half its size can only become 0. */
static void far_outside(void **state) {
  (void)state;
  double tokens[] = {1e300, -1e300};
  attcert_matrix x = {1, 2, tokens};
  ball_region_enter(&x, NULL, &(ball_region){.radius = 1e-300, .kind = BALL_TOKEN});
  assert_true(exact_region_holds(&x, NULL, &(ball_region){.radius = 1e-300, .kind = BALL_TOKEN}));
}

/* Around a centre: every kind, some tokens alone; radii down to 0. */
static void around_a_centre(void **state) {
  (void)state;
  enum { N = 3, D = 4 };
  static const double radii[] = {0.0, 0x1p-1074, 1e-300, 1e-17, 0.1, 3.0, 1e300};
  static const bool some[N] = {true, false, true};
  double centre_data[N * D], data[N * D];
  random_source r = random_source_make(3, 1, 0);
  const attcert_matrix centre = {N, D, centre_data};
  attcert_matrix x = {N, D, data};
  for (int trial = 0; trial < 200; trial++) {
    const double radius = radii[trial % 7];
    const ball_region ball = {
        .radius = radius, .kind = (ball_kind_id)(trial % BALL_KINDS), .moves = trial % 3 < 1 ? some : NULL};
    random_fill_gaussian(centre_data, N * D, 1.0, &r);
    for (int k = 0; k < N * D; k++) data[k] = centre_data[k] + fmax(radius, 1e-3) * random_gaussian(&r);
    ball_region_project(&x, &centre, &ball);
    ball_region_enter(&x, &centre, &ball);
    assert_true(exact_region_holds(&x, &centre, &ball));
    for (int k = D; ball.moves != NULL && k < 2 * D; k++) assert_true(data[k] == centre_data[k]);
    double distance2 = 0.0, distance1 = 0.0;
    for (int k = 0; k < N * D; k++) distance2 += pow((data[k] - centre_data[k]) / fmax(radius, 1e-200), 2.0);
    for (int k = 0; k < N * D; k++) distance1 += fabs(data[k] - centre_data[k]) / fmax(radius, 1e-200);
    if (ball_region_kind(&ball)->norm == &ball_norm_sum) distance2 = distance1;
    if (radius >= 0.1 && radius < 1e200) assert_true(distance2 > 0.99); /* from outside: it stops at the sphere */
    if (radius == 0.0) assert_true(memcmp(data, centre_data, sizeof data) == 0);
    data[0] = centre_data[0] + 1.001 * fmax(radius, 1e-15 * fabs(centre_data[0]));
    if (isfinite(data[0]) && radius < 1e200) assert_false(exact_region_holds(&x, &centre, &ball));
  }
}

/* On the sphere or a face a slope loses what points outward, and nothing where it points inward or x is inside. */
static void tangents(void **state) {
  (void)state;
  double centre_data[4] = {1.0, 2.0, 3.0, 4.0}, data[4] = {1.0, 5.0, 3.0, 8.0}; /* offsets (0, 3), (0, 4) */
  static const bool second[2] = {false, true};
  const attcert_matrix centre = {2, 2, centre_data}, x = {2, 2, data};
  double slope[4] = {1.0, 3.0, 2.0, 4.0};
  ball_region_keep_tangent(slope, &x, &centre, &(ball_region){.radius = 5.0});
  assert_true(fabs(3.0 * slope[1] + 4.0 * slope[3]) < 1e-12 && slope[0] == 1.0 && slope[2] == 2.0);
  double inward[4] = {1.0, -3.0, 2.0, -4.0};
  ball_region_keep_tangent(inward, &x, &centre, &(ball_region){.radius = 5.0});
  assert_true(inward[1] == -3.0 && inward[3] == -4.0);
  double each[4] = {1.0, 3.0, 2.0, 4.0};
  ball_region_keep_tangent(each, &x, &centre, &(ball_region){.radius = 4.0, .kind = BALL_TOKEN});
  assert_true(each[1] == 3.0 && fabs(each[3]) < 1e-12 && each[2] == 2.0);
  double entries[4] = {1.0, 3.0, 2.0, 4.0}; /* on one face */
  ball_region_keep_tangent(entries, &x, &centre, &(ball_region){.radius = 4.0, .kind = BALL_ENTRY});
  assert_true(entries[0] == 1.0 && entries[1] == 3.0 && entries[2] == 2.0 && entries[3] == 0.0);
  ball_region_keep_tangent(inward, &x, &centre, &(ball_region){.radius = 3.0, .kind = BALL_ENTRY});
  assert_true(inward[0] == 1.0 && inward[1] == -3.0 && inward[2] == 2.0 && inward[3] == -4.0);
  double one[4] = {1.0, 3.0, 2.0, 4.0};
  ball_region_keep_tangent(one, &x, &centre, &(ball_region){.radius = 9.0, .kind = BALL_TOKEN, .moves = second});
  assert_true(one[0] == 0.0 && one[1] == 0.0 && one[2] == 2.0 && one[3] == 4.0);
  /* offsets 0, 3 and 0, 4: sign(e) s of the moving ones is (3 - t) + (4 - t), that of the others max(1 - t, 0), max(2 -
   * t, 0); their sum is 0 at t = 3.5 */
  double sum[4] = {1.0, 3.0, 2.0, 4.0}, inside[4] = {1.0, 3.0, 2.0, 4.0};
  ball_region_keep_tangent(sum, &x, &centre, &(ball_region){.radius = 7.0, .kind = BALL_SEQUENCE_SUM});
  assert_true(sum[0] == 0.0 && sum[2] == 0.0 && fabs(sum[1] + 0.5) < 1e-12 && fabs(sum[3] - 0.5) < 1e-12);
  ball_region_keep_tangent(inside, &x, &centre, &(ball_region){.radius = 7.1, .kind = BALL_SEQUENCE_SUM});
  assert_true(inside[0] == 1.0 && inside[1] == 3.0 && inside[2] == 2.0 && inside[3] == 4.0);
}

/* Sums of sizes: 0.1 + 0.2 is 0.3 but for a rounding that doubles show, 2^-53 + 1 is more than 1; and the projection of
 * (3, 1) to the sum 2 is (2, 0), of (3, 2) (1.5, 0.5). */
static void sums_on_the_faces(void **state) {
  (void)state;
  double token[] = {1.0, -0x1p-53}, other[] = {3.0, -1.0}, third[] = {3.0, -2.0};
  attcert_matrix x = {1, 2, token}, y = {1, 2, other}, z = {1, 2, third};
  const ball_region one = {.radius = 1.0, .kind = BALL_TOKEN_SUM}, two = {.radius = 2.0, .kind = BALL_SEQUENCE_SUM};
  assert_true(ball_norm_sum.length_upward(other, NULL, 2) == 4.0);
  assert_true(ball_norm_sum.length_upward(token, NULL, 2) == nextafter(1.0, 2.0));
  assert_false(exact_region_holds(&x, NULL, &one));
  ball_region_enter(&x, NULL, &one);
  assert_true(exact_region_holds(&x, NULL, &one) && token[0] > 1.0 - 4e-16);
  ball_region_project(&y, NULL, &two);
  assert_true(other[0] == 2.0 && other[1] == 0.0);
  ball_region_project(&z, NULL, &two);
  assert_true(third[0] == 1.5 && third[1] == -0.5);
}

/* Scales from 2^-300 to 2^300: a projection that is as long as the radius, the same for all. */
static void sums_of_any_scale(void **state) {
  (void)state;
  double data[6];
  attcert_matrix x = {2, 3, data};
  for (int e = -300; e <= 300; e += 100) {
    const ball_region ball = {.radius = ldexp(2.0, e), .kind = BALL_SEQUENCE_SUM};
    const double from[6] = {3.0, -1.0, 0.5, 0.25, 2.0, 0.0};
    for (int k = 0; k < 6; k++) data[k] = ldexp(from[k], e);
    ball_region_project(&x, NULL, &ball);
    assert_true(data[0] == ldexp(1.5, e) && data[4] == ldexp(0.5, e) && data[1] == 0.0 && data[5] == 0.0);
    assert_true(exact_region_holds(&x, NULL, &ball));
  }
}

/* Entries that do not move, and a box. */
static void entries_and_boxes(void **state) {
  (void)state;
  static const bool entries[4] = {true, false, true, true}, moves[2] = {true, false};
  double centre_data[4] = {1.0, 2.0, 3.0, 4.0}, data[4] = {1.5, 2.5, 3.5, 4.5}, slope[4] = {-1.0, 5.0, 2.0, 3.0};
  const attcert_matrix centre = {2, 2, centre_data};
  attcert_matrix x = {2, 2, data};
  const ball_region some = {.radius = 1.0, .kind = BALL_ENTRY, .moves = moves, .entries = entries};
  assert_false(exact_region_holds(&x, &centre, &some));
  ball_region_project(&x, &centre, &some);
  assert_true(data[0] == 1.5 && data[1] == 2.0 && data[2] == 3.0 && data[3] == 4.0);
  assert_true(ball_region_steepest(slope, 2, 2, &some));
  assert_true(slope[0] == -1.0 && slope[1] == 0.0 && slope[2] == 0.0 && slope[3] == 0.0);
  static const double least[4] = {0.0, 2.0, 2.5, -1.0}, most[4] = {1.0, 2.0, 3.0, 4.0};
  const ball_box box = {.least = least, .most = most};
  const ball_region boxed = {.radius = 1.0, .kind = BALL_ENTRY, .box = &box};
  double at[4] = {1.5, 2.5, 2.75, NAN}, corner[4] = {-1.0, 5.0, 2.0, 0.0};
  attcert_matrix y = {2, 2, at};
  assert_false(exact_region_holds(&y, NULL, &boxed));
  ball_region_enter(&y, NULL, &boxed);
  assert_true(at[0] == 1.0 && at[1] == 2.0 && at[2] == 2.75 && exact_region_holds(&y, NULL, &boxed));
  assert_true(ball_region_steepest(corner, 2, 2, &boxed));
  assert_true(corner[0] == -0.5 && corner[1] == 0.0 && corner[2] == 0.25 && corner[3] == 0.0);
}

/* ---- every row of the table -------------------------------------------------------------------------------------- */

static void kinds_have_names(void **state) {
  (void)state;
  char choice[64] = "", list[64] = "";
  ball_kind_id id;
  for (int k = 0; k < BALL_NAMES; k++) {
    const char *const name = ball_kinds[k].name;
    assert_true(ball_kind_read(&id, name, NULL) == ATTCERT_OK && (int)id == k);
    if (k > 0) strcat(choice, "|");
    if (k > 0) strcat(list, k == BALL_NAMES - 1 ? " or " : ", ");
    strcat(choice, name);
    strcat(list, name);
  }
  assert_string_equal(choice, BALL_KIND_CHOICE);
  assert_string_equal(list, BALL_KIND_LIST);
  assert_int_equal(ball_kind_read(&id, "tokens", NULL), ATTCERT_INPUT);
  assert_int_equal(ball_kind_read(&id, NULL, NULL), ATTCERT_INPUT);
}

static void norms_choose_kinds(void **state) {
  (void)state;
  static const struct {
    ball_kind_id named;
    const char *norm;
    ball_kind_id kind; /* BALL_KINDS: refused */
  } cases[] = {{BALL_SEQUENCE, NULL, BALL_SEQUENCE},    {BALL_ENTRY, NULL, BALL_ENTRY},
               {BALL_SEQUENCE, "2", BALL_SEQUENCE},     {BALL_TOKEN, "2", BALL_TOKEN},
               {BALL_SEQUENCE, "inf", BALL_ENTRY},      {BALL_TOKEN, "inf", BALL_ENTRY},
               {BALL_ENTRY, "inf", BALL_ENTRY},         {BALL_SEQUENCE, "1", BALL_SEQUENCE_SUM},
               {BALL_TOKEN, "1", BALL_TOKEN_SUM},       {BALL_ENTRY, "1", BALL_KINDS},
               {BALL_ENTRY, "2", BALL_KINDS},           {BALL_SEQUENCE, "3", BALL_KINDS},
               {BALL_SEQUENCE_SUM, "2", BALL_SEQUENCE}, {BALL_TOKEN_SUM, "inf", BALL_ENTRY}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    ball_kind_id id = cases[i].named;
    const bool refused = cases[i].kind == BALL_KINDS;
    assert_int_equal(ball_kind_take_norm(&id, cases[i].norm, NULL), refused ? ATTCERT_INPUT : ATTCERT_OK);
    assert_int_equal(id, refused ? cases[i].named : cases[i].kind);
  }
  for (int k = 0; k < BALL_KINDS; k++) { /* every kind has a name and a norm */
    ball_kind_id id;
    assert_int_equal(ball_kind_read(&id, ball_kinds[k].name, NULL), ATTCERT_OK);
    assert_int_equal(ball_kind_take_norm(&id, ball_kinds[k].norm->name, NULL), ATTCERT_OK);
    assert_int_equal(id, k);
  }
}

enum { WORDS = 4, WIDTH = 3, ENTRIES = WORDS * WIDTH };

static double inner(const double *a, const double *b) {
  double sum = 0.0;
  for (int k = 0; k < ENTRIES; k++) sum += a[k] * b[k];
  return sum;
}

/* Upper and lower end of the slope's dual norm. */
static void dual_norm(double ends[2], const double *slope, const ball_region *r) {
  interval exact[ENTRIES], norm;
  interval_scratch ws;
  interval_scratch_init(&ws, 128);
  interval_init(&norm, 128);
  for (int k = 0; k < ENTRIES; k++) {
    interval_init(&exact[k], 128);
    interval_set_d(&exact[k], slope[k]);
  }
  ball_region_dual_norm(&norm, exact, WORDS, WIDTH, r, &ws);
  ends[0] = interval_get_d_lower(&norm);
  ends[1] = interval_get_d_upper(&norm);
  for (int k = 0; k < ENTRIES; k++) interval_clear(&exact[k]);
  interval_clear(&norm);
  interval_scratch_clear(&ws);
}

static void region_of_a_trial(ball_region *region, bool *moves, int trial, random_source *r) {
  for (int i = 0; i < WORDS; i++) moves[i] = i == trial % WORDS || random_chance(r, 0.5);
  *region = (ball_region){
      .radius = 1.0, .kind = (ball_kind_id)(trial % BALL_KINDS), .moves = random_chance(r, 0.3) ? NULL : moves};
}

/* The steepest displacement is of the ball and reaches the dual norm; no other one goes beyond it. */
static void steepest_reaches_the_dual_norm(void **state) {
  (void)state;
  random_source r = random_source_make(3, 2, 0);
  double slope[ENTRIES], best[ENTRIES], other[ENTRIES], ends[2];
  attcert_matrix x = {WORDS, WIDTH, best}, y = {WORDS, WIDTH, other};
  for (int trial = 0; trial < 400; trial++) {
    bool moves[WORDS];
    ball_region region;
    region_of_a_trial(&region, moves, trial, &r);
    random_fill_gaussian(slope, ENTRIES, 1.0, &r);
    memcpy(best, slope, sizeof best);
    dual_norm(ends, slope, &region);
    assert_true(ends[1] - ends[0] <= 1e-15 * ends[1]);
    assert_true(ball_region_steepest(best, WORDS, WIDTH, &region));
    assert_true(fabs(inner(slope, best) - ends[1]) <= 1e-14 * ends[1]);
    ball_region_enter(&x, NULL, &region);
    assert_true(inner(slope, best) >= ends[0] * (1.0 - 1e-14)); /* it was inside but for roundings */
    random_fill_gaussian(other, ENTRIES, random_uniform(&r, 0.1, 3.0), &r);
    ball_region_project(&y, NULL, &region);
    ball_region_enter(&y, NULL, &region);
    assert_true(inner(slope, other) <= ends[1] * (1.0 + 1e-14));
  }
}

static void no_slope_has_no_steepest(void **state) {
  (void)state;
  static const bool second[2] = {false, true};
  for (int k = 0; k < BALL_KINDS; k++) {
    double slope[4] = {1.0, 2.0, 0.0, 0.0}, none[4] = {0.0};
    assert_false(
        ball_region_steepest(slope, 2, 2, &(ball_region){.radius = 1.0, .kind = (ball_kind_id)k, .moves = second}));
    assert_memory_equal(slope, none, sizeof none); /* the first token stays */
  }
}

/* Points of the region, its corners too, are in the hull, whose tokens are grouped as the region's. */
static void hull_holds_the_region(void **state) {
  (void)state;
  random_source r = random_source_make(3, 3, 0);
  double data[ENTRIES];
  attcert_matrix x = {WORDS, WIDTH, data};
  for (int trial = 0; trial < 400; trial++) {
    bool moves[WORDS];
    ball_region region;
    region_of_a_trial(&region, moves, trial, &r);
    region.radius = exp2(random_uniform(&r, -30.0, 30.0));
    const ball_region hull = ball_region_hull(&region, WORDS, WIDTH);
    assert_int_equal(hull.kind, ball_region_kind(&region)->each ? BALL_TOKEN : BALL_SEQUENCE);
    assert_true(hull.moves == region.moves);
    if (ball_region_kind(&region)->norm == &ball_norm_euclidean) assert_true(hull.radius == region.radius);
    random_fill_gaussian(data, ENTRIES, 1.0, &r);
    assert_true(ball_region_steepest(data, WORDS, WIDTH, &region));
    for (int k = 0; k < ENTRIES; k++) data[k] *= region.radius;
    ball_region_enter(&x, NULL, &region);
    assert_true(exact_region_holds(&x, NULL, &hull));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tokens_on_the_sphere),     cmocka_unit_test(entries_on_the_faces),
      cmocka_unit_test(not_a_number_returns),     cmocka_unit_test(projected_tokens_enter),
      cmocka_unit_test(tokens_inside_stay),       cmocka_unit_test(far_outside),
      cmocka_unit_test(around_a_centre),          cmocka_unit_test(tangents),
      cmocka_unit_test(kinds_have_names),         cmocka_unit_test(steepest_reaches_the_dual_norm),
      cmocka_unit_test(no_slope_has_no_steepest), cmocka_unit_test(hull_holds_the_region),
      cmocka_unit_test(sums_on_the_faces),        cmocka_unit_test(sums_of_any_scale),
      cmocka_unit_test(entries_and_boxes),        cmocka_unit_test(norms_choose_kinds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
