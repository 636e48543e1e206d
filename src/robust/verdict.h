/* What is known of a network's answer around an input: the largest radius that was certified, the smallest that was
 * refuted, by an input whose scores are enclosed. */
#ifndef ATTCERT_ROBUST_VERDICT_H
#define ATTCERT_ROBUST_VERDICT_H

#include "robust/ascent.h"
#include "robust/gradient.h"

/* What a question asks unless it says otherwise, and may ask; ulp: of the functions of an execution. */
enum { ROBUST_ATTACK = 40, ROBUST_MOST_ATTACK = 1000000, ROBUST_ULP = 4, ROBUST_MOST_ULP = 1024 };
#define ROBUST_RELATIVE 0.01

typedef struct {
  double radius;   /* the one asked about; 0: search */
  double relative; /* search until refuted, failed or certified radii are this close */
  int attack;      /* steps of ascent from each start; 0: refute nothing */
  uint64_t memory; /* bytes that the process may take for it; 0: what is free */
  uint64_t held;   /* of them by what goes on besides; 0: as much as it has held at most */
  int sharing;     /* runs at a time that share the rest; 0: this one alone */
  attcert_progress progress;
  void *progress_context;
} robust_question;

typedef struct {
  robust_gradient center;        /* margin and gradient at X */
  range executed;                /* the margin at X in every execution of the ball's format; not finite: unknown */
  double first_order;            /* margin / ||gradient||, an estimate; 0: the center is not known yet */
  double certified;              /* 0: none */
  double failed;                 /* the smallest radius that was tried in vain; infinite: none */
  double refuted;                /* infinite: none */
  attcert_matrix counterexample; /* of that radius; empty: none */
  range counterexample_margin;
  int counterexample_rival; /* the class that scores higher there */
  robust_margin bound;      /* at the certified radius; where there is none, at the smallest that failed */
  int evaluations;          /* of the bound */
  double seconds;
} robust_verdict;

/* The radius of the ball is not looked at; of a box it is 1, and certified, failed and refuted are either. The
 * gradient's norm is then how much the margin changes from the middle to a corner at most, to first order.
 * robust_verdict_clear is due in every case. Errors: ATTCERT_RESOURCE;
 * ATTCERT_CANCELLED: what was found until then stands in the verdict. */
attcert_status robust_verdict_reach(robust_verdict *verdict, const network_steps *network, const robust_ball *ball,
                                    const robust_question *question, attcert_error *err);

/* The bound on the ball as it is, of its label, by what was found (ball->found, which says whether it has to be
 * thorough) before anything is searched for, and nothing else: what an answer found before rests on. Of the question,
 * memory and progress count. robust_margin_clear is due in every case. Errors: as robust_margin_evaluate. */
attcert_status robust_verdict_verify(robust_margin *bound, const network_steps *network, const robust_ball *ball,
                                     const robust_question *question, attcert_error *err);

/* ATTCERT_OK where a radius was certified, ATTCERT_NEGATIVE where the radius asked about is refuted (searching: every
 * radius), else ATTCERT_UNDECIDED. */
attcert_status robust_verdict_status(const robust_verdict *verdict, bool searching);

/* What is left for forms of the question's memory (0: what is free), for each of the runs that share it, beside the
 * buffer of BLAS, less a tenth for what the allocator keeps: measured, no bound. Errors: ATTCERT_RESOURCE. */
attcert_status robust_verdict_memory(uint64_t *memory, const robust_question *question, attcert_error *err);

void robust_verdict_clear(robust_verdict *verdict);

#endif
