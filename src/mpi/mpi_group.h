/* The processes that mpirun started, as a process group. */
#ifndef ATTCERT_MPI_MPI_GROUP_H
#define ATTCERT_MPI_MPI_GROUP_H

#include "attcert.h"
#include "base/process_group.h"

/* Of MPI_COMM_WORLD, between MPI_Init and MPI_Finalize. A transfer that fails ends the program: MPI's default. */
attcert_process_group mpi_group(void);

#endif
