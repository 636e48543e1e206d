/* Symmetric matrices whose eigenvalues are known, exactly in double: H D H with the reflection H = I - (2 / m) v v^T, v
 * = +-1 on the first m entries and 0 beyond, m the largest power of two up to n. D has multiples of 2^-20 of magnitude
 * at most 8, so that for n up to 2,000 every entry is a number of less than 53 bits. */
#ifndef ATTCERT_TESTS_SUPPORT_KNOWN_SPECTRUM_H
#define ATTCERT_TESTS_SUPPORT_KNOWN_SPECTRUM_H

/* Eigenvalue i of n; the largest must be KNOWN_LARGEST. */
typedef double spectrum(int i, int n);

enum { KNOWN_LARGEST = 7 };

/* One eigenvalue 7, the rest 1. */
spectrum spectrum_single;
/* Half of them 7. */
spectrum spectrum_repeated;
/* 7 - 2^-20 (i mod 5), and every third 0. */
spectrum spectrum_clustered;
/* 7 once, the rest -7: an indefinite matrix whose norm is as large below. */
spectrum spectrum_indefinite;
/* 7 once, the rest 0. */
spectrum spectrum_rank_one;

enum { KNOWN_SPECTRA = 5 };
extern spectrum *const KNOWN_SPECTRUM[KNOWN_SPECTRA];

/* g: n x n, row-major, full. */
void known_spectrum_matrix(double *g, int n, spectrum *eigenvalue);

/* ||G||_inf, exactly. */
double known_spectrum_row_sum(const double *g, int n);

#endif
