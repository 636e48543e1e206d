/* Wall-clock time that never goes back. */
#ifndef ATTCERT_BASE_CLOCK_H
#define ATTCERT_BASE_CLOCK_H

/* Seconds since some moment before this process began. */
double clock_seconds(void);

#endif
