/* See signals.h. The handler calls async-signal-safe functions alone. */
#include "cli/signals.h"

#include "base/unfinished_files.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_int diverted = -1; /* the descriptor for the next signal */

/* The signal is blocked while its handler runs: raised again, it ends the process when the handler returns. */
static void on_signal(int number) {
  const int error = errno, descriptor = atomic_exchange(&diverted, -1);
  const unsigned char byte = (unsigned char)number;
  if (descriptor < 0 || write(descriptor, &byte, 1) != 1) {
    unfinished_files_remove();
    signal(number, SIG_DFL);
    raise(number);
  }
  errno = error;
}

void signals_install(void) {
  static const int ending[] = {SIGHUP, SIGINT, SIGPIPE, SIGTERM, SIGXCPU};
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, present;
  sigfillset(&action.sa_mask);
  for (size_t i = 0; i < sizeof ending / sizeof ending[0]; i++) {
    if (sigaction(ending[i], NULL, &present) == 0 && present.sa_handler != SIG_IGN) sigaction(ending[i], &action, NULL);
  }
  signal(SIGXFSZ, SIG_IGN);
}

void signals_divert(int descriptor) {
  atomic_store(&diverted, descriptor);
}
