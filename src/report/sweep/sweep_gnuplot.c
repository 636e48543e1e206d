#include "report/sweep/sweep_gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ; /* POSIX leaves the declaration to the program */

/* The exit status of `gnuplot ARGUMENT` on these descriptors; -1 and errno when it did not run to its end. */
static int run_gnuplot(const char *argument, int in, int out, int error) {
  char name[] = "gnuplot", option[32];
  char *const arguments[] = {name, option, NULL};
  posix_spawn_file_actions_t actions;
  pid_t child;
  int status;
  snprintf(option, sizeof option, "%s", argument);
  if ((errno = posix_spawn_file_actions_init(&actions)) != 0) return -1;
  int failure = posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  if (failure == 0) failure = posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  if (failure == 0) failure = posix_spawn_file_actions_adddup2(&actions, error, STDERR_FILENO);
  if (failure == 0) failure = posix_spawnp(&child, name, &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  errno = failure;
  if (failure != 0) return -1;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  errno = EINTR; /* what a signal that ended it amounts to */
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

attcert_status sweep_gnuplot_probe(attcert_error *err) {
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nowhere < 0) return attcert_fail(err, ATTCERT_RESOURCE, "/dev/null: %s", strerror(errno));
  const int status = run_gnuplot("--version", nowhere, nowhere, nowhere);
  close(nowhere);
  if (status == 0) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "--plot: gnuplot does not run, expected it installed (package gnuplot-nox)");
}

static FILE *temporary_file(attcert_error *err) {
  FILE *const file = tmpfile();
  if (file == NULL) attcert_fail(err, ATTCERT_RESOURCE, "gnuplot: no temporary file: %s", strerror(errno));
  return file;
}

/* The first line in the file that is not empty. */
static void first_line(char *line, int size, FILE *messages) {
  rewind(messages);
  do {
    if (fgets(line, size, messages) == NULL) {
      snprintf(line, (size_t)size, "no message");
      return;
    }
    line[strcspn(line, "\n")] = '\0';
  } while (line[strspn(line, " \t")] == '\0');
}

/* The commands in the file script draw into image. */
static attcert_status run_script(FILE *script, FILE *image, attcert_error *err) {
  char line[256];
  FILE *const messages = temporary_file(err);
  if (messages == NULL) return ATTCERT_RESOURCE;
  const bool written = fflush(script) == 0 && fflush(image) == 0 && lseek(fileno(script), 0, SEEK_SET) == 0;
  /* -d: whatever the user's own start-up files set, the picture is the same */
  const int status = written ? run_gnuplot("-d", fileno(script), fileno(image), fileno(messages)) : -1;
  attcert_status result = ATTCERT_OK;
  if (status < 0) {
    result = attcert_fail(err, ATTCERT_RESOURCE, "gnuplot: cannot run it: %s", strerror(errno));
  } else if (status > 0) {
    first_line(line, sizeof line, messages);
    result = attcert_fail(err, ATTCERT_RESOURCE, "gnuplot: exit status %d: %s", status, line);
  }
  fclose(messages);
  return result;
}

attcert_status sweep_gnuplot_draw(FILE *image, sweep_gnuplot_script *put, sweep_plot_format format, const void *picture,
                                  attcert_error *err) {
  FILE *const script = temporary_file(err);
  if (script == NULL) return ATTCERT_RESOURCE;
  attcert_status status = put(script, format, picture, err);
  if (status == ATTCERT_OK) status = run_script(script, image, err);
  fclose(script);
  return status;
}
