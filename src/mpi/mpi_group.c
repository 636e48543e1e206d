#include "mpi/mpi_group.h"

#include <mpi.h>

/* What MPI counts in an int goes in pieces. */
enum { PIECE = 1 << 28 };

static int piece(size_t left) {
  return left < PIECE ? (int)left : PIECE;
}

static void broadcast(void *context, void *data, size_t bytes, int root) {
  (void)context;
  for (size_t at = 0; at < bytes; at += PIECE)
    MPI_Bcast((char *)data + at, piece(bytes - at), MPI_BYTE, root, MPI_COMM_WORLD);
}

/* MPI_Allreduce may add in another order on every process; one that adds and tells the others gives the same bits. */
static void sum(void *context, double *x, size_t count) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (size_t at = 0; at < count; at += PIECE)
    MPI_Reduce(rank == 0 ? MPI_IN_PLACE : x + at, x + at, piece(count - at), MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  broadcast(context, x, count * sizeof *x, 0);
}

attcert_process_group mpi_group(void) {
  attcert_process_group group = {.broadcast = broadcast, .sum = sum};
  MPI_Comm_rank(MPI_COMM_WORLD, &group.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &group.size);
  return group;
}
