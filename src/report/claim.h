/* The claim of every certificate, in words. It appears in every output. */
#ifndef ATTCERT_REPORT_CLAIM_H
#define ATTCERT_REPORT_CLAIM_H

#include "attcert.h"
#include "report/fact_writer.h"

#define REPORT_CLAIM_NUMBERS "the weights and inputs are exactly the stored floating-point numbers;"
#define REPORT_CLAIM_FUNCTION \
  "the enclosure is of the mathematical function in exact arithmetic, not of a floating-point implementation of it"

/* What the ends of a certificate claim: as JSON "claim", and "probability" where the upper end comes from random
 * starts; as text, the last lines of a report. */
void claim_write(fact_writer *f, const attcert_certificate *c);
void claim_tell(const fact_writer *f, const attcert_certificate *c);

#endif
