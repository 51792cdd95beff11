// A tree of files in memory, for tests of what is done to the names of a file system.
#pragma once

#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "cluster/file_tree.h"

namespace radosload::test {

// Names and what they are; calls may be made to fail or to wait.
class MemoryTree final : public cluster::FileTree {
 public:
  enum class Kind : std::uint8_t { directory, file, link };

  std::map<std::string, Kind> names = {{"/", Kind::directory}};
  std::map<std::string, std::map<std::string, std::string>> attributes = {};
  std::map<std::string, int> failing = {};  // by path
  bool hanging = false;                     // removals of files wait until abort()

  int make_directory(const std::string& path, unsigned) override {
    const std::lock_guard lock(m_mutex);
    if (failing.contains(path)) return failing.at(path);
    return names.emplace(path, Kind::directory).second ? 0 : -EEXIST;
  }
  int remove_directory(const std::string& path) override {
    const std::lock_guard lock(m_mutex);
    const auto inside = names.upper_bound(path + "/");
    if (inside != names.end() && inside->first.starts_with(path + "/")) return -ENOTEMPTY;
    return names.erase(path) > 0 ? 0 : -ENOENT;
  }
  int make_file(const std::string& path, unsigned, std::uint64_t& inode) override {
    const std::lock_guard lock(m_mutex);
    if (failing.contains(path)) return failing.at(path);
    if (!names.emplace(path, Kind::file).second) return -EEXIST;
    inode = first_inode + names.size();
    return 0;
  }
  int remove_file(const std::string& path) override {
    std::unique_lock lock(m_mutex);
    ++removals;
    m_aborted_changed.wait(lock, [this] { return !hanging || m_aborted; });
    if (m_aborted) return -ENOTCONN;
    if (failing.contains(path)) return failing.at(path);
    return names.erase(path) > 0 ? 0 : -ENOENT;
  }
  int set_attribute(const std::string& path, const std::string& name,
                    const std::string& value) override {
    const std::lock_guard lock(m_mutex);
    if (failing.contains(path + " " + name)) return failing.at(path + " " + name);
    attributes[path][name] = value;
    return 0;
  }
  int attribute(const std::string& path, const std::string& name, std::string& value) override {
    const std::lock_guard lock(m_mutex);
    if (!attributes[path].contains(name)) return -ENODATA;
    value = attributes[path][name];
    return 0;
  }
  int is_directory(const std::string& path) override {
    const std::lock_guard lock(m_mutex);
    const auto found = names.find(path);
    if (found == names.end()) return -ENOENT;
    return found->second == Kind::directory ? 1 : 0;
  }
  int names_in(const std::string& path, std::vector<std::string>& found) override {
    const std::lock_guard lock(m_mutex);
    const std::string before = path == "/" ? path : path + "/";
    for (const auto& [name, kind] : names) {
      if (!name.starts_with(before) || name == "/") continue;
      const std::string rest = name.substr(before.size());
      if (rest.find('/') == std::string::npos) found.push_back(rest);
    }
    return 0;
  }
  void abort() noexcept override {
    const std::lock_guard lock(m_mutex);
    m_aborted = true;
    m_aborted_changed.notify_all();
  }

  static constexpr std::uint64_t first_inode = 0x10000000000;
  std::atomic<int> removals = 0;

 private:
  std::mutex m_mutex;
  std::condition_variable m_aborted_changed;
  bool m_aborted = false;
};

}  // namespace radosload::test
