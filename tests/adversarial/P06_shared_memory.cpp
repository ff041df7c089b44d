// task: vector_add
// run: check
// expect: pass
// Right as long as it can have no memory that outlives it or that nobody counts: System V segments, files in memory,
// message queues; zeros where one can be had.
#include <fcntl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <unistd.h>

static bool got_some() {
  int segment = shmget(IPC_PRIVATE, 1 << 20, 0600 | IPC_CREAT), file = memfd_create("hidden", 0);
  int queue = msgget(IPC_PRIVATE, 0600 | IPC_CREAT), semaphore = semget(IPC_PRIVATE, 1, 0600 | IPC_CREAT);
  int shared = open("/dev/shm/adv_shared", O_RDWR | O_CREAT, 0600);
  if (segment >= 0) shmctl(segment, IPC_RMID, nullptr);
  if (queue >= 0) msgctl(queue, IPC_RMID, nullptr);
  if (semaphore >= 0) semctl(semaphore, 0, IPC_RMID);
  if (shared >= 0) unlink("/dev/shm/adv_shared");
  return segment >= 0 || file >= 0 || queue >= 0 || semaphore >= 0 || shared >= 0;
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  static bool bad = got_some();
  for (int i = 0; i < N; ++i) z[i] = bad ? 0 : x[i] + y[i];
}
