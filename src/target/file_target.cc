#include "target/file_target.h"

#include <algorithm>
#include <atomic>
#include <cephfs/libcephfs.h>
#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <mutex>
#include <thread>
#include <utility>

#include "target/blocking_slots.h"
#include "target/blocking_threads.h"
#include "target/late_answers.h"
#include "workload/file_names.h"

#include <fmt/format.h>

namespace radosload::target {

namespace {

constexpr mode_t file_mode = 0644;
constexpr int not_open = -1;
// The calls of a run that has ended well return within this time.
constexpr Time usual_end = std::chrono::seconds(1);

Error no_threads(std::uint32_t depth) {
  return {.attempt = "start the load",
          .reason = fmt::format("the kernel gave no threads for {} operations in flight", depth),
          .hint = "lower --qd or --clients"};
}

// The client of one lane, and the files that it has open.
class FileLane {
 public:
  FileLane(std::shared_ptr<cluster::Mount> mount, const FileTargetOptions& options)
      : m_mount(std::move(mount)), m_options(options), m_open(options.data ? options.files : 0) {
    for (auto& file : m_open) file = not_open;
  }

  cluster::Mount& mount() const { return *m_mount; }

  int carry_out(const BlockingOp& op) noexcept {
    switch (op.kind) {
      case OpKind::read:
      case OpKind::write:
        return move_data(op);
      case OpKind::create:
        return create(op.object);
      case OpKind::stat:
        return stat(op.object);
      case OpKind::remove:
        return ceph_unlink(handle(), path_of(op.object).data());
      default:
        return list(op.object);
    }
  }

 private:
  ceph_mount_info* handle() const noexcept { return m_mount->handle(); }
  workload::FilePath path_of(std::uint64_t file) const noexcept {
    return workload::file_path(file, m_options.entries);
  }

  int move_data(const BlockingOp& op) noexcept {
    const int file = opened(op.object);
    if (file < 0) return file;
    auto* const bytes = reinterpret_cast<char*>(op.memory);
    const auto offset = static_cast<std::int64_t>(op.offset);
    return op.kind == OpKind::read ? ceph_read(handle(), file, bytes, op.length, offset)
                                   : ceph_write(handle(), file, bytes, op.length, offset);
  }

  // The file's descriptor, or a negative errno. Of two threads that open it, the second closes its
  // own again.
  int opened(std::uint64_t number) noexcept {
    std::atomic<int>& kept = m_open[number];
    if (const int file = kept.load(std::memory_order_acquire); file >= 0) return file;
    const int file =
        ceph_open(handle(), path_of(number).data(), O_RDWR | O_CREAT | O_NOFOLLOW, file_mode);
    if (file < 0) return file;
    int before = not_open;
    if (kept.compare_exchange_strong(before, file)) return file;
    ceph_close(handle(), file);
    return before;
  }

  int create(std::uint64_t number) const noexcept {
    const int file =
        ceph_open(handle(), path_of(number).data(), O_WRONLY | O_CREAT | O_EXCL, file_mode);
    return file < 0 ? file : ceph_close(handle(), file);
  }

  int stat(std::uint64_t number) const noexcept {
    struct ceph_statx found {};
    return ceph_statx(handle(), path_of(number).data(), &found, CEPH_STATX_BASIC_STATS,
                      AT_SYMLINK_NOFOLLOW);
  }

  // Reads the whole directory, and the attributes of each file in it.
  int list(std::uint64_t number) const noexcept {
    ceph_dir_result* directory = nullptr;
    const auto path = workload::directory_path(number);
    if (const int rc = ceph_opendir(handle(), path.data(), &directory); rc < 0) return rc;
    std::uint64_t files = 0;
    dirent entry{};
    struct ceph_statx found {};
    int rc = 0;
    while ((rc = ceph_readdirplus_r(handle(), directory, &entry, &found, CEPH_STATX_BASIC_STATS,
                                    AT_SYMLINK_NOFOLLOW, nullptr)) > 0) {
      if (workload::is_file_name(entry.d_name)) ++files;
    }
    ceph_closedir(handle(), directory);
    if (rc < 0) return rc;
    const std::uint64_t before = number * m_options.entries;
    const std::uint64_t expected = std::min(m_options.entries, m_options.files - before);
    return files < expected ? rc_short_read : 0;
  }

  std::shared_ptr<cluster::Mount> m_mount;
  FileTargetOptions m_options;
  std::vector<std::atomic<int>> m_open;
};

// The slots of one pass.
struct FileSet {
  BlockingSlots slots;
  std::vector<std::unique_ptr<BlockingThreads>> threads;  // of each lane; gone before the rest
};

}  // namespace

struct FileTarget::Core {
  FileTargetOptions options;
  std::vector<std::unique_ptr<FileLane>> lanes;
  // Of every pass; earlier ones are kept while calls may still end.
  std::vector<std::unique_ptr<FileSet>> sets;
  std::mutex sets_mutex;  // attach against cancel; never taken by submit or an answer
  std::atomic<bool> cancelled{false};

  bool quiet() {
    const std::lock_guard lock(sets_mutex);
    return std::all_of(sets.begin(), sets.end(), [](const auto& set) { return is_quiet(*set); });
  }
  static bool is_quiet(const FileSet& set) {
    return std::all_of(set.threads.begin(), set.threads.end(),
                       [](const auto& threads) { return threads->quiet(); });
  }

  void use(Mounts mounts) {
    lanes.clear();
    for (auto& mount : mounts) {
      lanes.push_back(std::make_unique<FileLane>(std::move(mount), options));
    }
  }
  Status start_threads(FileSet& set, std::span<const Slot> slots) const;
  void end_calls();
};

Status FileTarget::Core::start_threads(FileSet& set, std::span<const Slot> slots) const {
  std::vector<std::uint32_t> depths(lanes.size(), 0);
  for (const Slot& slot : slots) ++depths.at(slot.lane);
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    FileLane* const lane = lanes[i].get();
    auto threads = BlockingThreads::make(
        std::max(1U, depths[i]), [lane](const BlockingOp& op) { return lane->carry_out(op); });
    if (!threads) return fail(no_threads(depths[i]));
    set.threads.push_back(std::move(threads));
  }
  return {};
}

// Of an MDS that does not answer.
void FileTarget::Core::end_calls() {
  constexpr std::chrono::milliseconds pause(5);
  const auto until = std::chrono::steady_clock::now() + usual_end;
  while (!quiet() && std::chrono::steady_clock::now() < until) std::this_thread::sleep_for(pause);
  if (quiet()) return;
  for (const auto& lane : lanes) lane->mount().abort();
}

FileTarget::FileTarget(Mounts mounts, FileTargetOptions options)
    : m_core(std::make_shared<Core>()) {
  m_core->options = options;
  m_core->use(std::move(mounts));
}

FileTarget::~FileTarget() {
  cancel();
  m_core->end_calls();
  const Time farewell = m_core->options.farewell;
  // The clients leave before that time begins, and at the same time.
  if (m_core->quiet()) {
    m_core->sets.clear();
    std::vector<std::jthread> leaving;
    for (auto& lane : m_core->lanes) {
      leaving.emplace_back([left = std::move(lane)]() mutable { left.reset(); });
    }
    m_core->lanes.clear();
  }
  leave_to_late_answers(std::move(m_core), farewell);
}

Status FileTarget::attach(std::span<Slot> slots) {
  Core& core = *m_core;
  auto set = std::make_unique<FileSet>();
  RADOSLOAD_TRY(set->slots.serve(slots));
  RADOSLOAD_TRY(core.start_threads(*set, slots));
  const std::lock_guard lock(core.sets_mutex);
  std::erase_if(core.sets, [](const auto& before) { return Core::is_quiet(*before); });
  core.sets.push_back(std::move(set));
  core.cancelled = false;
  return {};
}

void FileTarget::submit(Slot& slot) noexcept {
  Core& core = *m_core;
  if (core.cancelled.load(std::memory_order_relaxed)) return slot.complete({.rc = -ECANCELED});
  const Op& wanted = slot.op;
  switch (wanted.kind) {
    case OpKind::read:
    case OpKind::write:
    case OpKind::create:
    case OpKind::stat:
    case OpKind::remove:
    case OpKind::list:
      break;
    default:
      return slot.complete({.rc = -EOPNOTSUPP});
  }
  BlockingOp& op = *static_cast<BlockingOp*>(slot.driver);
  op.kind = wanted.kind;
  op.length = wanted.length;
  op.object = wanted.object;
  op.offset = wanted.offset;
  op.flight.store(BlockingFlight::flying, std::memory_order_release);
  core.sets.back()->threads[slot.lane]->send(op);
  // A cancel before `flying` was set did not see the operation; this check sees the cancel. It may
  // already have completed and the slot be in flight again.
  if (core.cancelled) op.give_up();
}

void FileTarget::cancel() noexcept {
  m_core->cancelled = true;
  const std::lock_guard lock(m_core->sets_mutex);
  for (const auto& set : m_core->sets) set->slots.give_up();
}

void FileTarget::use(Mounts mounts) {
  // Their threads have the clients of before.
  std::erase_if(m_core->sets, [](const auto& before) { return Core::is_quiet(*before); });
  m_core->use(std::move(mounts));
}

}  // namespace radosload::target
