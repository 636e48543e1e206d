/* What is known of a network's answer around an input, for reports and pictures. */
#ifndef ATTCERT_REPORT_ROBUST_ROBUST_FACTS_H
#define ATTCERT_REPORT_ROBUST_ROBUST_FACTS_H

#include "report/subject.h"
#include "robust/choices.h"
#include "robust/network.h"

typedef struct {
  const report_subject *subject;
  const model_head *head;
  int label; /* that was asked about; -1: none */
  const robust_network *network;
  const robust_ball *ball;         /* the words that move */
  const robust_choices *choices;   /* of rows, in place of a ball; NULL: none */
  const token_list *choice_tokens; /* what these are; NULL: not known */
  const robust_verdict *verdict;   /* of `gradient`: its center alone */
  bool bound_alone;                /* of `verify`: the verdict has no center but its labels */
  double radius;                   /* asked about; 0: searched for */
  double seconds;
  const char *incomplete; /* why the run ended early, with what was found until then; NULL: it did not */
} robust_facts;

/* One row for each step that lost something: its name and share of all that was lost, in [0, 1]. */
typedef struct {
  const char *operation;
  int layer;  /* -1: none */
  int number; /* of those of the layer with that name, from 1; 0: it is the only one */
  double share;
} robust_share;

/* At most `most` rows, the first of them what is lost to first order ("gradient"); returns how many. */
int robust_facts_shares(robust_share *share, int most, const robust_facts *r);

#endif
