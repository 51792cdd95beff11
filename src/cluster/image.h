// One opened RBD image: its properties, the other clients that use it, and librbd's handle for
// operations. librbd opens and closes without a time limit; here both have one.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "radosload/result.h"
#include "radosload/units.h"

#include "cluster/connection.h"
#include "cluster/passphrase.h"

#include <rbd/librbd.hpp>

namespace radosload::cluster {

// NAME or NAME@SNAP, as rbd writes it.
struct ImageSpec {
  std::string name;
  std::string snapshot;  // empty: the image itself

  std::string text() const { return snapshot.empty() ? name : name + "@" + snapshot; }
};
ImageSpec image_spec(const std::string& text);

// Whether RBD mirrors it to or from another cluster.
enum class Mirroring : std::uint8_t { none, primary, secondary };

struct ImageInfo {
  ImageSpec spec;
  std::string id;
  std::string block_prefix;  // data objects are called PREFIX.%016llx
  Bytes size;
  Bytes object_size;
  Bytes stripe_unit;  // the object size, unless it is striped
  std::uint64_t stripe_count = 1;
  std::int64_t data_pool = -1;
  std::vector<std::string> features;
  std::string parent;  // "pool/image@snapshot" of a clone
  int luks = 0;        // version of the encryption header at its beginning; 0: none
  bool open = false;  // librbd has loaded the key: size and offsets are those of the decrypted data
  Bytes data_offset;  // where the decrypted data begins; 0 unless it is open
  std::string made_by;       // the run that created it; empty: not created by radosload
  bool copied_mark = false;  // it bears the mark of another image, or that of another name
  Mirroring mirroring = Mirroring::none;
  // The rbd settings in force, and those of them that the pool or the image overrides.
  std::map<std::string, std::string> settings;
  std::vector<std::string> overridden;
  // Clients that have it open, and holders of advisory locks: "client.4123 at 10.0.0.1:0".
  std::vector<std::string> users;

  bool has(const std::string& feature) const;
  // Whether a write may be acknowledged before the cluster has it.
  bool caches_writes() const;
};

// What an image is opened for.
enum class ImageUse : std::uint8_t {
  load,  // operations go to it; a snapshot is read-only all the same
  look,  // to read its properties; it is not among the clients that have the image open
};

class Image {
 public:
  // The pool belongs to the connection and selects the RBD namespace. With a passphrase, operations
  // on an encrypted image go to its decrypted data.
  static Result<std::shared_ptr<Image>> open(const std::shared_ptr<Connection>& connection,
                                             const librados::IoCtx& pool, const ImageSpec& spec,
                                             Time limit, const Passphrase& passphrase = {},
                                             ImageUse use = ImageUse::load);
  // Closes it, or abandons the close at the limit: then it stays open until the process ends.
  ~Image();
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;
  Image(Image&&) = delete;
  Image& operator=(Image&&) = delete;

  const ImageInfo& info() const { return m_info; }
  librbd::Image& handle();

 private:
  struct Handle;
  Image(std::shared_ptr<Handle> handle, ImageInfo info, Time limit);

  // Shared with abandoned calls.
  std::shared_ptr<Handle> m_handle;
  ImageInfo m_info;
  Time m_limit;
};

Mirroring mirroring_of(librbd::Image& image);

// The IDs of all images of the pool's RBD namespace, by name; with one listing.
Result<std::map<std::string, std::string>> image_ids(const std::shared_ptr<Connection>& connection,
                                                     const librados::IoCtx& pool, Time limit);

}  // namespace radosload::cluster
