#include "seccomp.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace explog {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t machine = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t machine = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t machine = 0;
#endif

// Numbers that older headers lack are the same on all machines.
constexpr int io_uring_setup = 425, io_uring_enter = 426, io_uring_register = 427, open_tree = 428,
              move_mount = 429, fsopen = 430, fsconfig = 431, fsmount = 432, fspick = 433, pidfd_open = 434,
              pidfd_getfd = 438, process_madvise = 440, mount_setattr = 442, memfd_secret = 447,
              process_mrelease = 448, set_mempolicy_home_node = 450, fchmodat2 = 452, clone3 = 435,
              pipe_size = 1031,  // F_SETPIPE_SZ
    open_lock = 37, open_lock_wait = 38, to_owner = 8, which_signal = 10, to_owner_ex = 15, lease = 1024;

constexpr int refused[] = {
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_kcmp,
    pidfd_open,
    pidfd_getfd,
    process_madvise,
    process_mrelease,
    SYS_perf_event_open,
    SYS_bpf,
    SYS_userfaultfd,
    SYS_fanotify_init,
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    SYS_shmget,
    SYS_shmat,
    SYS_shmctl,
    SYS_semget,
    SYS_semctl,
    SYS_semop,
    SYS_msgget,
    SYS_msgsnd,
    SYS_msgrcv,
    SYS_msgctl,
    SYS_mq_open,
    io_uring_setup,
    io_uring_enter,
    io_uring_register,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_unshare,
    SYS_setns,
    open_tree,
    move_mount,
    fsopen,
    fsconfig,
    fsmount,
    fspick,
    mount_setattr,
    SYS_swapon,
    SYS_swapoff,
    SYS_reboot,
    SYS_kexec_load,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_acct,
    SYS_quotactl,
    SYS_personality,
    SYS_vhangup,
    SYS_syslog,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_clock_adjtime,
    SYS_adjtimex,
    SYS_migrate_pages,
    SYS_move_pages,
    set_mempolicy_home_node,
    SYS_ioprio_set,
#ifdef SYS_iopl
    SYS_iopl,
    SYS_ioperm,
    SYS_modify_ldt,
#endif
};

// What holds memory that nobody counts, outlives the process, locks files that it may only read, or puts a thread before those
// of others for the time of a call.
constexpr int refused_on_host[] = {
    SYS_socketpair,
    SYS_socket,
    SYS_memfd_create,
    memfd_secret,
    SYS_fchmod,
    SYS_fchmodat,
    fchmodat2,
    SYS_fchown,
    SYS_fchownat,
    SYS_setxattr,
    SYS_lsetxattr,
    SYS_fsetxattr,
    SYS_removexattr,
    SYS_lremovexattr,
    SYS_fremovexattr,
    SYS_utimensat,
    SYS_flock,
    SYS_setpriority,
    SYS_sched_setscheduler,
    SYS_sched_setparam,
    SYS_sched_setattr,
#ifdef SYS_fork
    SYS_fork,
    SYS_vfork,
#endif
#ifdef SYS_chmod
    SYS_chmod,
    SYS_chown,
    SYS_lchown,
    SYS_utime,
    SYS_utimes,
    SYS_futimesat,
#endif
};

// Calls whose first or second argument names a process: refused unless it is 0 or this one.
struct OfProcess {
  int call, argument;
};
constexpr OfProcess only_on_itself[] = {
    {SYS_prlimit64, 0}, {SYS_setpriority, 1},     {SYS_kill, 0},    {SYS_tgkill, 0},
    {SYS_tkill, 0},     {SYS_rt_sigqueueinfo, 0}, {SYS_setpgid, 0}, {SYS_rt_tgsigqueueinfo, 0},
};
// These name threads.
constexpr OfProcess only_on_itself_on_host[] = {{SYS_sched_setaffinity, 0}};

using Filter = std::vector<sock_filter>;

constexpr std::uint32_t low_half(int argument) {
  return static_cast<std::uint32_t>(offsetof(seccomp_data, args) + 8 * static_cast<std::size_t>(argument));
}

void load(Filter& f, std::uint32_t offset) { f.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset)); }
void answer(Filter& f, std::uint32_t with) { f.push_back(BPF_STMT(BPF_RET | BPF_K, with)); }
// Skips the next `otherwise` statements where the value is not `value`.
void unless_equal_skip(Filter& f, std::uint32_t value, std::uint8_t otherwise) {
  f.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, otherwise));
}

constexpr std::uint32_t allow = SECCOMP_RET_ALLOW, refuse = SECCOMP_RET_ERRNO | EPERM;

void refuse_call(Filter& f, int call) {
  unless_equal_skip(f, static_cast<std::uint32_t>(call), 1);
  answer(f, refuse);
}

void refuse_on_others(Filter& f, const OfProcess& row, std::uint32_t self) {
  unless_equal_skip(f, static_cast<std::uint32_t>(row.call), 6);
  load(f, low_half(row.argument));
  unless_equal_skip(f, 0, 1);
  answer(f, allow);
  unless_equal_skip(f, self, 1);
  answer(f, allow);
  answer(f, refuse);
}

// A group or a user is others as well.
void refuse_priority_of_many(Filter& f) {
  unless_equal_skip(f, SYS_setpriority, 4);
  load(f, low_half(0));
  f.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PRIO_PROCESS, 1, 0));
  answer(f, refuse);
  load(f, offsetof(seccomp_data, nr));
}

// A driver may place its own threads and say when their turn is. Their numbers follow this process's: what has one from the
// supervisor's on up to this process's began before it. Numbers may have begun again at 1 between the two; where they begin again
// right after it, a thread may have an elder's number, and is not placed.
void refuse_on_elders(Filter& f, int call, std::uint32_t parent, std::uint32_t self) {
  unless_equal_skip(f, static_cast<std::uint32_t>(call), 7);
  load(f, low_half(0));
  unless_equal_skip(f, 0, 1);
  answer(f, allow);
  const std::uint8_t from_parent = self < parent ? 1 : 0, below = self < parent ? 0 : 2;
  f.push_back(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, parent, from_parent, below));
  f.push_back(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, self, 1, 0));
  answer(f, refuse);
  answer(f, allow);
}

// Beside a driver: local sockets without a name that others find, and TCP, which Landlock holds; a driver is a client. A tool
// talks to the process that it looks at as to a server.
void refuse_other_sockets(Filter& f, bool under_tool) {
  if (!under_tool) {
    refuse_call(f, SYS_bind);
    refuse_call(f, SYS_listen);
  }
  unless_equal_skip(f, SYS_socket, 8);
  load(f, low_half(0));
  unless_equal_skip(f, AF_UNIX, 1);
  answer(f, allow);
  f.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_INET, 1, 0));
  unless_equal_skip(f, AF_INET6, 4);
  load(f, low_half(1));
  f.push_back(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 0xF));
  f.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SOCK_STREAM, 0, 1));
  answer(f, allow);
  answer(f, refuse);
}

// A kernel for the host needs threads, never a process: one could compute from its memory, work on while it is stopped, or
// outlive it. clone3 names what it wants where no filter can look; libraries then ask clone.
void refuse_processes(Filter& f) {
  unless_equal_skip(f, clone3, 1);
  answer(f, SECCOMP_RET_ERRNO | ENOSYS);
  unless_equal_skip(f, SYS_clone, 4);
  load(f, low_half(0));
  f.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0));
  answer(f, refuse);
  answer(f, allow);
}

// Pipes that hold much memory, locks on files of others, signals of a file to others, words put into a terminal's input, marks
// that keep files from being removed.
void refuse_requests(Filter& f, int call, std::initializer_list<std::uint32_t> requests) {
  unless_equal_skip(f, static_cast<std::uint32_t>(call), static_cast<std::uint8_t>(2 * requests.size() + 2));
  load(f, low_half(1));
  for (std::uint32_t request : requests) {
    unless_equal_skip(f, request, 1);
    answer(f, refuse);
  }
  answer(f, allow);
}

Filter filter(bool on_gpu, bool under_tool) {
  Filter f;
  load(f, offsetof(seccomp_data, arch));
  f.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, machine, 1, 0));
  answer(f, refuse);
  load(f, offsetof(seccomp_data, nr));
  f.push_back(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1));  // the x32 numbers of the same calls
  answer(f, refuse);
  for (int call : refused) refuse_call(f, call);
  if (!on_gpu) {
    for (int call : refused_on_host) refuse_call(f, call);
  }
  refuse_priority_of_many(f);
  auto self = static_cast<std::uint32_t>(getpid());
  for (const OfProcess& row : only_on_itself) refuse_on_others(f, row, self);
  if (on_gpu) {
    for (int call : {SYS_sched_setaffinity, SYS_sched_setscheduler, SYS_sched_setparam, SYS_sched_setattr})
      refuse_on_elders(f, call, static_cast<std::uint32_t>(getppid()), self);
    refuse_other_sockets(f, under_tool);
  } else {
    for (const OfProcess& row : only_on_itself_on_host) refuse_on_others(f, row, self);
    refuse_processes(f);
    constexpr std::uint32_t into_linux_console = 0x541C;  // TIOCLINUX
    refuse_requests(f, SYS_fcntl,
                    {pipe_size, F_SETLK, F_SETLKW, open_lock, open_lock_wait, lease, to_owner, which_signal,
                     to_owner_ex});
    refuse_requests(f, SYS_ioctl, {TIOCSTI, into_linux_console, FS_IOC_SETFLAGS, FS_IOC_FSSETXATTR});
  }
  answer(f, allow);
  return f;
}

}  // namespace

bool refuse_system_calls(bool on_gpu, bool under_tool) {
  if (machine == 0) return false;
  Filter f = filter(on_gpu, under_tool);
  sock_fprog program{static_cast<unsigned short>(f.size()), f.data()};
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
}

}  // namespace explog
