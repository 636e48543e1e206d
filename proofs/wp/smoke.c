/* Are the axioms of spec/ consistent? Every axiomatised symbol stands in one equation with a number about which nothing is
 * known. If the provers found it, the axioms and lemmas would contradict each other; it must stay unproved. */
#include "lemmas.c"

/*@ axiomatic Unknown { logic real unknown(real x); } */

/*@ check lemma smoke: \forall rvec v; \forall real x, z, c; \forall integer i, j;
      prod(x, z) + quo(x, z) + rexp(x) + rexp_shifted(x, c) + rlog(x) + rroot(x) + row(i, j) + entry(v, i) +
      power_of_two(i) == unknown(0.0); */
