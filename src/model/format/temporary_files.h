/* The temporary files that exist now, so that a program which must end at once (a signal, no memory) leaves none
 * behind. The one global table of the library: whoever ends the process knows of no caller's structures. */
#ifndef ATTCERT_TEMPORARY_FILES_H
#define ATTCERT_TEMPORARY_FILES_H

/* name stays the caller's, and valid until it is forgotten. Beyond 64 files at a time nothing is remembered. */
void temporary_files_add(const char *name);
void temporary_files_forget(const char *name);

/* Removes them all; may be called from a signal handler. */
void temporary_files_remove(void);

#endif
