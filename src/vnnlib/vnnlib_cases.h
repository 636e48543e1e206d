/* Questions whose inputs are bounded within a disjunction: one question a box and a case, of which one suffices. */
#ifndef ATTCERT_VNNLIB_VNNLIB_CASES_H
#define ATTCERT_VNNLIB_VNNLIB_CASES_H

#include "vnnlib/vnnlib_answer.h"

/* As vnnlib_answer_find, of any question. sat: as one of them is; unsat: all are, or hold for no input. */
attcert_status vnnlib_cases_answer(vnnlib_answer *answer, const char *network, const vnnlib_question *question,
                                   const vnnlib_options *options, attcert_error *err);

#endif
