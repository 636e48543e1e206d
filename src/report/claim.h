/* The claim of every certificate, in words. It appears in every output. */
#ifndef ATTCERT_REPORT_CLAIM_H
#define ATTCERT_REPORT_CLAIM_H

#define REPORT_CLAIM_NUMBERS "the weights and inputs are exactly the stored floating-point numbers;"
#define REPORT_CLAIM_FUNCTION \
  "the enclosure is of the mathematical function in exact arithmetic, not of a floating-point implementation of it"
#define REPORT_CLAIM REPORT_CLAIM_NUMBERS " " REPORT_CLAIM_FUNCTION

#endif
