/* The claim of every certificate, in words. It appears in every output. */
#ifndef ATTCERT_REPORT_CLAIM_H
#define ATTCERT_REPORT_CLAIM_H

#define REPORT_CLAIM                                                                                            \
  "the weights and inputs are exactly the stored floating-point numbers; the enclosure is of the mathematical " \
  "function "                                                                                                   \
  "in exact arithmetic, not of a floating-point implementation of it"

#endif
