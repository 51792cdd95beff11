// The target of files keeps the contract of all targets. Needs a lab with an MDS (`tools/lab up
// --mds`), so test_lab_cephfs.py runs it.

#include "target/file_target.h"

#include <memory>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <utility>

#include <gtest/gtest.h>

#include "cluster/mount.h"
#include "footprint/run_directory.h"
#include "support/cluster.h"
#include "support/pool.h"
#include "support/target_contract.h"
#include "workload/file_names.h"

namespace radosload::test {
namespace {

template <typename Value>
Value value_of(Result<Value> result) {
  if (!result) throw std::runtime_error(result.error().message());
  return *std::move(result);
}

// A directory with the files of the contract, which is removed with this object, and a client for
// each lane.
class FilesOfTheContract {
 public:
  FilesOfTheContract() {
    static int number = 0;
    m_root = "/contract-" + std::to_string(::getpid()) + "-" + std::to_string(++number);
    constexpr unsigned mode = 0755;
    if (m_admin->make_directory(m_root, mode) < 0) throw std::runtime_error("no " + m_root);
    for (std::uint32_t i = 0; i < contract_lanes; ++i) m_mounts.push_back(mount(m_root));
    auto& own = *m_mounts.front();
    if (!footprint::make_file_directories(own, 1)) throw std::runtime_error("no directory");
    value_of(footprint::make_run_files(own, 0, contract_objects, contract_objects));
  }
  ~FilesOfTheContract() {
    const auto in_root = [this](const workload::FilePath& path) { return m_root + path.data(); };
    for (std::uint64_t i = 0; i < contract_objects; ++i) {
      m_admin->remove_file(in_root(workload::file_path(i, contract_objects)));
    }
    m_admin->remove_directory(in_root(workload::directory_path(0)));
    EXPECT_EQ(m_admin->remove_directory(m_root), 0);
  }
  FilesOfTheContract(const FilesOfTheContract&) = delete;
  FilesOfTheContract& operator=(const FilesOfTheContract&) = delete;
  FilesOfTheContract(FilesOfTheContract&&) = delete;
  FilesOfTheContract& operator=(FilesOfTheContract&&) = delete;

  std::unique_ptr<Target> target() {
    return std::make_unique<target::FileTarget>(
        std::move(m_mounts),
        target::FileTargetOptions{
            .files = contract_objects, .entries = contract_objects, .data = true});
  }

 private:
  std::shared_ptr<cluster::Mount> mount(const std::string& root) {
    return value_of(cluster::Mount::open(*m_connection, {.file_system = "cephfs", .root = root}));
  }

  std::shared_ptr<cluster::Connection> m_connection = connect_here();
  std::shared_ptr<cluster::Mount> m_admin = mount("/");
  std::string m_root;
  target::FileTarget::Mounts m_mounts;
};

std::unique_ptr<TargetRig> file_rig() {
  auto below = std::make_shared<FilesOfTheContract>();
  auto rig = std::make_unique<TargetRig>();
  rig->target = below->target();
  rig->below = std::move(below);
  return rig;
}

INSTANTIATE_TEST_SUITE_P(CephFs, TargetContract,
                         testing::Values(TargetCase{
                             .name = "Files",
                             .make = file_rig,
                             .kinds = {OpKind::read, OpKind::write, OpKind::create, OpKind::stat,
                                       OpKind::remove, OpKind::list},
                             .gaps = {.never_written = rc_short_read,
                                      .before_written = rc_hole,
                                      .beyond_the_written = rc_short_read},
                             .make_failing = file_rig}),
                         name_of_case<TargetCase>);

}  // namespace
}  // namespace radosload::test
