/* By which changes an input that flips the answer differs from the one asked about. */
#ifndef ATTCERT_REPORT_ROBUST_ROBUST_MOVED_H
#define ATTCERT_REPORT_ROBUST_ROBUST_MOVED_H

#include "report/fact_writer.h"
#include "report/robust/robust_facts.h"

/* "moved": each token that differs, with how far it is from where it was, in l2 norm to a few roundings; as text the
 * farthest ones. Only where there is a counterexample. */
void robust_moved_write(fact_writer *f, const robust_facts *r);

#endif
