/* T14 over all starts: by the calls of src/randomized/randomized_upper.c, an end is excluded where every recurrence
 * excludes it, each by a bound of its own start's component. No program calls this function: it shows what the
 * contract makes up. */
#include "randomized/randomized_bound.h"

/*@ requires readable: \valid_read(r + (0 .. starts - 1)) && \valid_read(threshold + (0 .. starts - 1)) &&
      (\forall integer s; 0 <= s < starts ==> readable_recurrence(r[s]));
    terminates \true;
    assigns mpfr_lives;
    ensures excludes: \result ==> \forall integer s, rvec alpha, beta, rho, nu; 0 <= s < starts ==>
      finite_double(threshold[s]) ==> is_recurrence(r[s], alpha, beta, rho, nu) ==>
      excludes_eigenvalue(r[s].steps, alpha, beta, rho, nu, lam, threshold[s]); */
bool randomized_theorem(const randomized_recurrence *r, const double *threshold, int starts, double lam) {
  /*@ loop invariant range: 0 <= s && (0 <= starts ==> s <= starts);
      loop invariant excludes: \forall integer t, rvec alpha, beta, rho, nu; 0 <= t < s ==>
        finite_double(threshold[t]) ==> is_recurrence(r[t], alpha, beta, rho, nu) ==>
        excludes_eigenvalue(r[t].steps, alpha, beta, rho, nu, lam, threshold[t]);
      loop assigns s, mpfr_lives;
      loop variant starts - s; */
  for (int s = 0; s < starts; s++)
    if (!randomized_bound_excludes(&r[s], lam, threshold[s])) return false;
  return true;
}
