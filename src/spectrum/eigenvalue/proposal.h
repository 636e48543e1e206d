/* What LAPACK proposes for an eigenbasis, and one step of its improvement. Nothing here is claimed to be near the
 * truth: spectrum_similarity_enclose takes any basis. */
#ifndef ATTCERT_SPECTRUM_EIGENVALUE_PROPOSAL_H
#define ATTCERT_SPECTRUM_EIGENVALUE_PROPOSAL_H

#include "spectrum/eigenvalue/similarity.h"

/* Basis and pairs of s, from the eigenvectors (dgeev, which balances) of the midpoints of M, whose entries are at most
 * about 1, each moved by at most `perturbation`: that separates eigenvalues whose eigenvectors fall together. *found is
 * false when LAPACK finds none. Errors: ATTCERT_RESOURCE. */
attcert_status spectrum_proposal(bool *found, spectrum_similarity *s, double perturbation, attcert_error *err);

/* With T^-1 S T = Lambda + E, Lambda diagonal, rows i and j are of one group where |E_ij| or |E_ji| is not small beside
 * |lambda_j - lambda_i|. X := X (I + T F T^-1) with F_ij = E_ij / (lambda_j - lambda_i) for i and j of different groups
 * and 0 in a group: to first order that takes E's entries between groups away, (I + F)^-1 (Lambda + E) (I + F) =
 * Lambda + O(E F) there. *size := max |F_ij|. Errors: ATTCERT_RESOURCE. */
attcert_status spectrum_proposal_refine(double *size, spectrum_similarity *s, attcert_error *err);

#endif
