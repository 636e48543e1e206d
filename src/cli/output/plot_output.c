#include "cli/output/plot_output.h"

#include <stdio.h>
#include <unistd.h>

#include "cli/output/output.h"

attcert_status plot_output_probe(const char *path, attcert_error *err) {
  sweep_plot_format format;
  if (path == NULL) return ATTCERT_OK;
  if (!sweep_plot_format_of(&format, path))
    return attcert_fail(err, ATTCERT_INPUT, "--plot: expected a name that ends in .svg or .png, got '%s'", path);
  const attcert_status status = output_probe(path, err);
  return status == ATTCERT_OK ? sweep_gnuplot_probe(err) : status;
}

attcert_status plot_output_write(const char *path, sweep_gnuplot_script *put, const void *picture, attcert_error *err) {
  output out;
  sweep_plot_format format;
  if (path == NULL) return ATTCERT_OK;
  sweep_plot_format_of(&format, path);
  attcert_status status = output_open(&out, path, err);
  if (status != ATTCERT_OK) return status;
  /* gnuplot writes to a descriptor, and the stream is in memory */
  const int copy = dup(out.file.descriptor);
  FILE *const image = copy >= 0 ? fdopen(copy, "w") : NULL;
  if (image == NULL && copy >= 0) close(copy);
  if (image != NULL) status = sweep_gnuplot_draw(image, put, format, picture, err);
  if (image == NULL || (fclose(image) != 0 && status == ATTCERT_OK))
    status = attcert_fail(err, ATTCERT_RESOURCE, "%s: cannot write the picture", path);
  return output_close(&out, status, err);
}
