#ifndef ATTCERT_PROOFS_EVA_ANY_VECTOR_H
#define ATTCERT_PROOFS_EVA_ANY_VECTOR_H

/* a_0 .. a_{n-1}: any doubles in [-radius, radius]. */
void any_vector(double *a, int n, double radius);

#endif
