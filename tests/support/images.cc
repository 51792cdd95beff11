#include "support/images.h"

#include <stdexcept>
#include <utility>

#include "support/cluster.h"

namespace radosload::test {

Launch rbd_launch(std::vector<std::string> words) {
  words.insert(words.begin(), {"rbd", "--conf", cluster_conf()});
  return {.words = std::move(words), .env = {{"CEPH_ARGS", ""}}};
}

Finished rbd(std::vector<std::string> words) {
  return run(rbd_launch(std::move(words)));
}

std::string images_in(const std::string& pool) {
  return rbd({"ls", pool}).out;
}

ForeignImage::ForeignImage(std::string name, const std::string& size, std::vector<std::string> more)
    : m_name(std::move(name)) {
  std::vector<std::string> words = {"create", "--pool", "ssd", "--size", size, m_name};
  words.insert(words.end(), more.begin(), more.end());
  const Finished made = rbd(std::move(words));
  if (made.status != 0) throw std::runtime_error(made.err);
}

ForeignImage::~ForeignImage() {
  rbd({"snap", "purge", "--no-progress", "ssd/" + m_name});
  rbd({"rm", "--no-progress", "ssd/" + m_name});
}

}  // namespace radosload::test
