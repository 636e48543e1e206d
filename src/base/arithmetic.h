/* Whether doubles are what every bound assumes: each operation rounds once, to nearest, and subnormals are numbers. */
#ifndef ATTCERT_BASE_ARITHMETIC_H
#define ATTCERT_BASE_ARITHMETIC_H

/* NULL where the calling thread's arithmetic is IEEE 754's with the default rounding; otherwise what it is not, a
 * phrase such as "1 + 2^-54 to be 1". Threads that it starts inherit the control words. */
const char *arithmetic_expectation(void);

#endif
