/* What signals do to a run. SIGHUP, SIGINT, SIGPIPE, SIGTERM and SIGXCPU remove the files that are being written and
 * end the process by the same signal, unless somebody waits for the first of them (signals_divert). SIGXFSZ is
 * ignored, so that the write beyond the limit fails and is reported. */
#ifndef ATTCERT_CLI_SIGNALS_H
#define ATTCERT_CLI_SIGNALS_H

/* Signals that are ignored, as below nohup, stay so. */
void signals_install(void);

/* The next signal that would end the process is written to the descriptor, as one byte, and the process goes on; the
 * second ends it. -1: no longer. */
void signals_divert(int descriptor);

#endif
