/* The inputs that a verdict is about where they are no ball: a box, or combinations of words. */
#ifndef ATTCERT_REPORT_ROBUST_ROBUST_INPUTS_H
#define ATTCERT_REPORT_ROBUST_ROBUST_INPUTS_H

#include "report/fact_writer.h"
#include "report/robust/robust_facts.h"

/* Whether a radius is told. */
bool robust_inputs_are_ball(const robust_facts *r);

/* "ball", "norm" and what else says which inputs are meant. */
void robust_inputs_write(fact_writer *f, const robust_facts *r);

/* "words 1, 2: good, film; 7 entries". */
void robust_inputs_words(const fact_writer *f, const robust_facts *r);

/* Of no ball: whether these inputs are certified, and how that was found. */
void robust_inputs_verdict(fact_writer *f, const robust_facts *r);

/* "the box", "the words": as in "an input of ..". */
const char *robust_inputs_name(const robust_facts *r);

/* For which inputs the answer is claimed to be the same. */
void robust_inputs_claim(char *to, size_t size, const robust_facts *r);

#endif
