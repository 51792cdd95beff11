#include "prepare/file_objects.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <functional>
#include <utility>

#include "cluster/bounded_call.h"
#include "footprint/run_directory.h"
#include "prepare/object_names.h"
#include "workload/file_names.h"

#include <fmt/format.h>

namespace radosload::prepare {

namespace {

// An MDS makes some hundred files a second; after each such part Ctrl-C is noticed.
constexpr std::uint64_t files_at_once = 500;
constexpr Time each_file = std::chrono::milliseconds(100);

// How the file system lays a file out.
struct FileLayout {
  std::uint64_t object_size = 0;
  std::uint64_t stripe_unit = 0;
  std::uint64_t stripe_count = 0;
  std::string nspace;

  bool one_object_holds(Bytes size) const {
    return size.count <= object_size && (stripe_count == 1 || size.count <= stripe_unit);
  }
};

std::string layout_attribute(cluster::FileTree& tree, const std::string& path,
                             const std::string& key) {
  std::string text;
  return tree.attribute(path, "ceph.file.layout." + key, text) < 0 ? std::string() : text;
}

std::uint64_t layout_number(cluster::FileTree& tree, const std::string& path,
                            const std::string& key) {
  const std::string text = layout_attribute(tree, path, key);
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

FileLayout layout_of_file(cluster::FileTree& tree, const std::string& path) {
  return {.object_size = layout_number(tree, path, "object_size"),
          .stripe_unit = layout_number(tree, path, "stripe_unit"),
          .stripe_count = layout_number(tree, path, "stripe_count"),
          .nspace = layout_attribute(tree, path, "pool_namespace")};
}

Error no_answer() {
  return {.attempt = "make the files of the run",
          .reason = "the MDS did not answer in time",
          .hint = "check with 'ceph fs status' that one is active and answers",
          .errnum = ETIMEDOUT,
          .exit = Exit::no_cluster};
}

// The same call, but it ends.
Result<std::vector<std::uint64_t>> make_some(const std::shared_ptr<cluster::FileTree>& own,
                                             const FileShape& shape, std::uint64_t first,
                                             std::uint64_t count, Time patience) {
  using Made = Result<std::vector<std::uint64_t>>;
  const auto limit = patience + each_file * static_cast<Time::rep>(count);
  auto made =
      cluster::value_within<Made>(limit, [own, first, count, entries = shape.entries]() -> Made {
        return footprint::make_run_files(*own, first, count, entries);
      });
  if (!made) return fail(no_answer());
  return *std::move(made);
}

}  // namespace

Result<FileObjects> make_file_objects(const std::shared_ptr<cluster::FileTree>& own,
                                      const FileShape& shape, Time patience,
                                      base::Interrupts& interrupts) {
  FileObjects objects;
  RADOSLOAD_ASSIGN(objects.inodes, make_some(own, shape, 0, 1, patience));
  const std::string first = workload::file_path(0, shape.entries).data();
  const auto layout = cluster::value_within<FileLayout>(
      patience, [own, first] { return layout_of_file(*own, first); });
  if (!layout) return fail(no_answer());
  if (!layout->one_object_holds(shape.size)) return FileObjects{};
  objects.nspace = layout->nspace;
  while (objects.inodes.size() < shape.files) {
    if (interrupts.count() > 0) {
      return fail({.attempt = "make the files of the run",
                   .reason = interrupts.name(),
                   .exit = Exit::interrupted});
    }
    const std::uint64_t done = objects.inodes.size();
    RADOSLOAD_ASSIGN(
        const auto more,
        make_some(own, shape, done, std::min(files_at_once, shape.files - done), patience));
    objects.inodes.insert(objects.inodes.end(), more.begin(), more.end());
  }
  return objects;
}

ObjectNaming names_of_file_objects(const RunPlan& plan, const ClusterSession& session,
                                   const FileObjects& objects) {
  ObjectNaming names;
  if (auto pool = pool_of_data(plan, session, session.space.pool.id)) {
    pool->set_namespace(objects.nspace);
    put_in_pool(names, *pool);
  }
  names.name_of = [inodes = objects.inodes](std::uint64_t file) {
    return file < inodes.size() ? fmt::format("{:x}.{:08x}", inodes[file], 0)
                                : fmt::format("file {}", file);
  };
  // The clients of the run cannot leave its directory: all that they send is of the run.
  names.prefixes = {""};
  return names;
}

}  // namespace radosload::prepare
