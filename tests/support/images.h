// RBD images that tests create without radosload.
#pragma once

#include <string>
#include <vector>

#include "support/process.h"

namespace radosload::test {

Launch rbd_launch(std::vector<std::string> words);
Finished rbd(std::vector<std::string> words);
std::string images_in(const std::string& pool);

// An image in pool ssd that radosload did not create; removed with this object.
class ForeignImage {
 public:
  explicit ForeignImage(std::string name, const std::string& size = "64M",
                        std::vector<std::string> more = {});
  ~ForeignImage();
  ForeignImage(const ForeignImage&) = delete;
  ForeignImage& operator=(const ForeignImage&) = delete;
  ForeignImage(ForeignImage&&) = delete;
  ForeignImage& operator=(ForeignImage&&) = delete;

 private:
  std::string m_name;
};

}  // namespace radosload::test
