/* What an errno says of who is to act: the user, about the name that was given, or whoever runs the machine. */
#ifndef ATTCERT_BASE_SYSTEM_ERROR_H
#define ATTCERT_BASE_SYSTEM_ERROR_H

#include "attcert.h"

/* ATTCERT_RESOURCE for memory, descriptors, disk space and failing devices; else ATTCERT_INPUT. */
attcert_status system_error_status(int error);

#endif
