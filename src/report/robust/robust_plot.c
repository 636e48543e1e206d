#include "report/robust/robust_plot.h"

#include "base/arrays.h"
#include "report/number_text.h"
#include "report/robust/robust_facts.h"

#include <stdlib.h>
#include <string.h>

enum { BAR_HEIGHT = 26, FRAME_HEIGHT = 140 }; /* in pixels */

/* Smaller ones would be lines of no width. */
static int keep_visible(robust_share *share, int count) {
  int kept = 0;
  for (int i = 0; i < count; i++) {
    if (share[i].share >= 5e-4) share[kept++] = share[i];
  }
  return kept;
}

static void put_title(FILE *out, const robust_facts *r) {
  char text[64], number[NUMBER_TEXT_SIZE];
  const robust_verdict *const v = r->verdict;
  if (v->certified > 0.0)
    snprintf(text, sizeof text, "certified radius %s", number_text_double(number, v->certified, 6, MPFR_RNDD));
  else
    snprintf(text, sizeof text, "no radius certified");
  sweep_look_names(out, r->subject->name, text, r->subject->input);
}

/* As people write it. */
static const char *written(const char *operation) {
  static const char *const names[][2] = {
      {"layernorm", "LayerNorm"}, {"rmsnorm", "RMSNorm"}, {"batchnorm", "BatchNorm"}};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strcmp(operation, names[i][0]) == 0) return names[i][1];
  return operation;
}

/* "layer 1 attention", "layer 1 LayerNorm 2". */
static void put_names(FILE *out, const robust_share *share, int count) {
  fputs("set ytics (", out);
  for (int i = 0; i < count; i++) {
    fputs(i > 0 ? ", '" : "'", out);
    if (share[i].layer >= 0) fprintf(out, "layer %d ", share[i].layer);
    fputs(written(share[i].operation), out);
    if (share[i].number > 0) fprintf(out, " %d", share[i].number);
    fprintf(out, "' %d", i);
  }
  fputs(") nomirror\n", out);
}

/* One row a bar: its place, its length, what stands behind it. */
static void put_bars(FILE *out, const robust_share *share, int count) {
  double longest = 0.0;
  fputs("$share << END\n", out);
  for (int i = 0; i < count; i++) {
    const double percent = 100.0 * share[i].share;
    fprintf(out, "%d %.17g \"%.1f %%\"\n", i, percent, percent);
    if (percent > longest) longest = percent;
  }
  fputs("END\n", out);
  fprintf(out, "set xrange [0:%.17g]\nset yrange [%d.5:-0.5]\n", 1.18 * longest, count - 1);
  put_names(out, share, count);
  fputs("plot $share using 2:1:(0):2:($1 - 0.38):($1 + 0.38) with boxxyerror fs solid 1 lw 0 lc rgb '#0072B2' notitle, "
        "$share using 2:1:3 with labels left offset 0.6,0 notitle\n",
        out);
}

attcert_status robust_plot(FILE *script, sweep_plot_format format, const void *report, attcert_error *err) {
  const robust_facts *const r = report;
  const int most = r->network->steps.count + 3; /* the gradient, each step, roundings, merging */
  robust_share *const share = array_new((size_t)most, sizeof *share, err, "the shares of %d operations", most);
  if (share == NULL) return ATTCERT_RESOURCE;
  const int count = keep_visible(share, robust_facts_shares(share, most, r));
  sweep_look_terminal(script, format, FRAME_HEIGHT + BAR_HEIGHT * (count > 8 ? count : 8));
  put_title(script, r);
  fputs(
      "set xlabel 'share of what the bound takes off the margin (%)'\nset tics scale 0\nset grid noytics\nunset key\n",
      script);
  if (count > 0)
    put_bars(script, share, count);
  else
    fputs("set xrange [0:100]\nset yrange [0:1]\nunset ytics\nset label 'no bound was found' at graph 0.5,0.5 center\n"
          "plot NaN notitle\n",
          script);
  free(share);
  return ATTCERT_OK;
}
