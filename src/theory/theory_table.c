#include "theory/theory_table.h"

static const struct {
  const char *id, *title;
  bool lower;
} theorem[THEORY_COUNT] = {
    [THEORY_T1] = {"T1", "sqrt(n) bound [Castin et al., Theorem 3.3]", false},
    [THEORY_T2] = {"T2", "mean-field bound [Castin et al.]", false},
    [THEORY_T3] = {"T3", "lower bound on the ball [Castin et al.]", true},
    [THEORY_T4] = {"T4", "unified bound", false},
    [THEORY_T5] = {"T5", "mean-field bound under the mask, by Hardy's inequality", false},
    [THEORY_T6] = {"T6", "pointwise bound", false},
    [THEORY_T7] = {"T7", "bound by the spread of the weights [Yudin et al.]", false},
    [THEORY_T9] = {"T9", "sharp unified bound", false},
    [THEORY_T10] = {"T10", "lower bound for the worst A of this norm", true},
};

void theory_table_init(theory_table *table) {
  for (int i = 0; i < THEORY_COUNT; i++) {
    table->bound[i] = (theory_bound){.id = theorem[i].id, .title = theorem[i].title, .lower = theorem[i].lower};
    mpfr_init2(table->bound[i].value, 53);
  }
}

void theory_table_clear(theory_table *table) {
  for (int i = 0; i < THEORY_COUNT; i++) mpfr_clear(table->bound[i].value);
}
