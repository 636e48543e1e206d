/* What a run found, and what is said of it. */
#ifndef ATTCERT_API_RESULT_H
#define ATTCERT_API_RESULT_H

#include "run/run_layer.h"

struct attcert_result {
  run_layer run; /* its layer and input are those of the problem: not read once the run has ended */
  estimate_check check;
  bool has_check;
  char *json, *text;
};

#endif
