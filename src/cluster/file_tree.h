// What is done to the names of a file system: on a cluster by a Mount; tests have a tree in memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace radosload::cluster {

// Paths begin at the root of the tree. Each call returns 0 or a negative errno, and may wait as
// long as abort() is not called. The last part of a path is never followed as a link. Any thread.
class FileTree {
 public:
  FileTree() = default;
  virtual ~FileTree() = default;
  FileTree(const FileTree&) = delete;
  FileTree& operator=(const FileTree&) = delete;
  FileTree(FileTree&&) = delete;
  FileTree& operator=(FileTree&&) = delete;

  virtual int make_directory(const std::string& path, unsigned mode) = 0;
  virtual int remove_directory(const std::string& path) = 0;
  // An empty one that was not there, and its inode number.
  virtual int make_file(const std::string& path, unsigned mode, std::uint64_t& inode) = 0;
  virtual int remove_file(const std::string& path) = 0;
  virtual int set_attribute(const std::string& path, const std::string& name,
                            const std::string& value) = 0;
  virtual int attribute(const std::string& path, const std::string& name, std::string& value) = 0;
  // 1 when it is a directory, 0 when it is something else.
  virtual int is_directory(const std::string& path) = 0;
  // Without "." and "..".
  virtual int names_in(const std::string& path, std::vector<std::string>& names) = 0;

  // Ends all calls that wait, with an error. The tree is of no use afterwards.
  virtual void abort() noexcept = 0;
};

}  // namespace radosload::cluster
