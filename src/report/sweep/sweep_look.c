#include "report/sweep/sweep_look.h"

#include <math.h>
#include <string.h>
#include <utf8proc.h>

bool sweep_plot_format_of(sweep_plot_format *format, const char *path) {
  static const char *const endings[] = {[SWEEP_PLOT_SVG] = ".svg", [SWEEP_PLOT_PNG] = ".png"};
  const size_t length = strlen(path);
  for (int i = 0; i < 2; i++) {
    *format = (sweep_plot_format)i;
    if (length > 4 && strcmp(path + length - 4, endings[i]) == 0) return true;
  }
  return false;
}

static const char *const terminals[] = {
    [SWEEP_PLOT_SVG] = "svg background '#ffffff' font 'Helvetica,Arial,sans-serif,15'",
    [SWEEP_PLOT_PNG] = "pngcairo font 'sans,14'",
};

/* text as a string literal of gnuplot: between single quotes nothing but the quote itself is special. */
static void put_quoted(FILE *out, const char *text) {
  fputc('\'', out);
  for (; *text != '\0'; text++) {
    if (*text == '\'') fputc('\'', out);
    fputc((unsigned char)*text < ' ' || *text == 0x7f ? '?' : *text, out);
  }
  fputc('\'', out);
}

/* An SVG file is UTF-8, and a name that is not would spoil it. */
static const char *printable(const char *name) {
  const char *const slash = strrchr(name, '/');
  const char *const base = slash != NULL && slash[1] != '\0' ? slash + 1 : name;
  const utf8proc_uint8_t *rest = (const utf8proc_uint8_t *)base;
  while (*rest != '\0') {
    utf8proc_int32_t code;
    const utf8proc_ssize_t bytes = utf8proc_iterate(rest, -1, &code);
    if (bytes <= 0) return "?";
    rest += bytes;
  }
  return base;
}

void sweep_look_names(FILE *out, const char *name, const char *text, const char *input) {
  char title[512];
  snprintf(title, sizeof title, "%.200s, %.80s, %.200s", printable(name), text, printable(input));
  fputs("set title ", out);
  put_quoted(out, title);
  fputs(" noenhanced\n", out);
}

void sweep_look_title(FILE *out, const report_subject *s) {
  char text[80], head[32] = "";
  if (s->head != REPORT_WHOLE_LAYER) snprintf(head, sizeof head, ", head %d", s->head);
  snprintf(text, sizeof text, "layer %d%s, mask %s", s->model_layer, head, subject_mask_name(s->mask));
  sweep_look_names(out, s->name, text, s->input);
}

void sweep_look_tics(FILE *out, char axis, double low, double high) {
  const char *separator = "";
  fprintf(out, "set %ctics (", axis);
  for (int power = (int)floor(log10(low)); power <= (int)ceil(log10(high)); power++) {
    for (int i = 0; i < 3; i++) {
      static const int steps[] = {1, 2, 5};
      fprintf(out, "%s%de%d", separator, steps[i], power);
      separator = ", ";
    }
  }
  fputs(")\n", out);
}

void sweep_look_axes(FILE *out, double first, double last, double low, double high) {
  fprintf(out, "set logscale xy\nset xrange [%.17g:%.17g]\nset yrange [%.17g:%.17g]\n", first / 1.08, last * 1.08,
          low / 1.2, high * 1.2);
  if (high / low < 1000)
    sweep_look_tics(out, 'y', low, high);
  else
    fputs("set format y '10^{%L}'\n", out);
}

void sweep_look_terminal(FILE *out, sweep_plot_format format, int height) {
  fprintf(out, "set encoding utf8\nset terminal %s size 800,%d\n", terminals[format], height);
  fputs("set grid xtics ytics lt 1 dt 1 lw 1 lc rgb '#cccccc'\nset border lw 1.5\nset errorbars small\n", out);
}

void sweep_look_style(FILE *out, sweep_plot_format format) {
  sweep_look_terminal(out, format, 600);
  fputs("set bmargin at screen 0.27\n", out);
  fputs("set key at screen 0.5,0.14 center top horizontal maxcols 4 Left reverse samplen 2.5 spacing 1.3 width -2 font "
        "',13'\n",
        out);
}
