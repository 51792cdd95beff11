// How a run gets at images: it opens them for each of its clients, and has new ones made. On a
// cluster ClusterImages does it; tests have images in memory.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "radosload/result.h"
#include "radosload/units.h"

#include "cluster/image.h"
#include "cluster/image_commands.h"
#include "cluster/passphrase.h"
#include "target/rados_target.h"

namespace radosload::prepare {

class ImageAccess {
 public:
  struct Opened {
    cluster::ImageInfo info;
    std::shared_ptr<cluster::Image> handle;
  };

  ImageAccess() = default;
  virtual ~ImageAccess() = default;
  ImageAccess(const ImageAccess&) = delete;
  ImageAccess& operator=(const ImageAccess&) = delete;
  ImageAccess(ImageAccess&&) = delete;
  ImageAccess& operator=(ImageAccess&&) = delete;

  virtual Result<Opened> open(std::size_t client, const cluster::ImageSpec& spec,
                              const cluster::Passphrase& passphrase) = 0;
  // What an image is that another process uses.
  virtual Result<cluster::ImageInfo> look(const cluster::ImageSpec& spec,
                                          const cluster::Passphrase& passphrase) = 0;
  // The IDs of all images, by name.
  virtual Result<std::map<std::string, std::string>> ids() = 0;
  virtual Status make(const cluster::NewImage& image) = 0;
};

class ClusterImages final : public ImageAccess {
 public:
  // `nspace`: the RBD namespace. Each call returns within the limit.
  ClusterImages(std::vector<target::RadosLane> clients, std::string nspace, Time limit);

  Result<Opened> open(std::size_t client, const cluster::ImageSpec& spec,
                      const cluster::Passphrase& passphrase) override;
  Result<cluster::ImageInfo> look(const cluster::ImageSpec& spec,
                                  const cluster::Passphrase& passphrase) override;
  Result<std::map<std::string, std::string>> ids() override;
  Status make(const cluster::NewImage& image) override;

 private:
  librados::IoCtx pool_of(std::size_t client) const;

  std::vector<target::RadosLane> m_clients;
  std::string m_nspace;
  Time m_limit;
};

}  // namespace radosload::prepare
