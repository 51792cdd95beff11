#include "prepare/image_access.h"

#include <utility>

#include "cluster/image_admin.h"

namespace radosload::prepare {

ClusterImages::ClusterImages(std::vector<target::RadosLane> clients, std::string nspace, Time limit)
    : m_clients(std::move(clients)), m_nspace(std::move(nspace)), m_limit(limit) {}

librados::IoCtx ClusterImages::pool_of(std::size_t client) const {
  librados::IoCtx pool;
  pool.dup(m_clients[client].pool);
  pool.set_namespace(m_nspace);
  return pool;
}

Result<ImageAccess::Opened> ClusterImages::open(std::size_t client, const cluster::ImageSpec& spec,
                                                const cluster::Passphrase& passphrase) {
  RADOSLOAD_ASSIGN(auto image, cluster::Image::open(m_clients[client].connection, pool_of(client),
                                                    spec, m_limit, passphrase));
  cluster::ImageInfo info = image->info();
  return Opened{.info = std::move(info), .handle = std::move(image)};
}

Result<cluster::ImageInfo> ClusterImages::look(const cluster::ImageSpec& spec,
                                               const cluster::Passphrase& passphrase) {
  RADOSLOAD_ASSIGN(const auto image,
                   cluster::Image::open(m_clients.front().connection, pool_of(0), spec, m_limit,
                                        passphrase, cluster::ImageUse::look));
  return image->info();
}

Result<std::map<std::string, std::string>> ClusterImages::ids() {
  return cluster::image_ids(m_clients.front().connection, pool_of(0), m_limit);
}

Status ClusterImages::make(const cluster::NewImage& image) {
  return cluster::make_image(m_clients.front().connection, pool_of(0), image, m_limit);
}

}  // namespace radosload::prepare
