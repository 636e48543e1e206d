/* Wall-clock time that never goes back. */
#ifndef ATTCERT_CLOCK_H
#define ATTCERT_CLOCK_H

/* Seconds since some moment before this process began. */
double clock_seconds(void);

#endif
