/* attcert-mpi: `certify` and `bounds` by all the processes that mpirun starts. The dense engine's matrix and work are
 * shared, the rest is done by each. Process 0 alone prints and writes; all end with its exit status. */
#include "cli/commands.h"
#include "cli/program.h"
#include "mpi/mpi_group.h"

#include <mpi.h>
#include <stdio.h>

static const cli_command *const commands[] = {&command_certify, &command_bounds};

int main(int argc, char **argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  const attcert_process_group group = mpi_group();
  if (group.rank != 0 && freopen("/dev/null", "w", stdout) == NULL) MPI_Abort(MPI_COMM_WORLD, ATTCERT_RESOURCE);
  int status = program_run(argc, argv, commands, sizeof commands / sizeof commands[0], &group);
  MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return status;
}
