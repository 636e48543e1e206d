/* What reports about a whole network have in common. */
#ifndef ATTCERT_REPORT_ROBUST_ROBUST_PARTS_H
#define ATTCERT_REPORT_ROBUST_ROBUST_PARTS_H

#include "report/fact_writer.h"
#include "report/subject.h"
#include "robust/network.h"

/* "network" with its sides, "source": the model and the input. */
void robust_parts_subject(fact_writer *f, const report_subject *s, const robust_network *network);

/* "KEY": [lo, hi], rounded outward. */
void robust_parts_range_json(json_writer *w, const char *key, range x);

/* The same; LABEL lo <= WHAT <= hi. */
void robust_parts_range(fact_writer *f, const char *key, const char *label, const char *what, range x);

/* LEAD 1 (positive); a name (NULL: none) keeps to its line. */
void robust_parts_label(const fact_writer *f, const char *lead, int label, const char *name);

/* KEY and NAME_KEY; null: no single label, no name. */
void robust_parts_label_json(json_writer *w, const char *key, const char *name_key, int label, const char *name);

/* Seconds, how many evaluations they took (0: not told), and memory. */
void robust_parts_cost(fact_writer *f, double seconds, int evaluations);

#endif
