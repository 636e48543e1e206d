/* The contract of the rule which keys a row attends to, in a header of its own that no file of the kernel includes. */
#include "kernel/row/attended_keys.h"
