#include "cluster/image.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "cluster/bounded_call.h"
#include "cluster/image_commands.h"
#include "cluster/image_mark.h"

#include <fmt/format.h>

namespace radosload::cluster {

namespace {

// Settings that affect results. Those of the pool or the image override the client's.
constexpr std::array<std::string_view, 19> recorded = {
    "rbd_cache",
    "rbd_cache_policy",
    "rbd_cache_size",
    "rbd_cache_max_dirty",
    "rbd_cache_writethrough_until_flush",
    "rbd_persistent_cache_mode",
    "rbd_io_scheduler",
    "rbd_readahead_max_bytes",
    "rbd_readahead_disable_after_bytes",
    "rbd_readahead_trigger_requests",
    "rbd_sparse_read_threshold_bytes",
    "rbd_skip_partial_discard",
    "rbd_discard_granularity_bytes",
    "rbd_non_blocking_aio",
    "rbd_mtime_update_interval",
    "rbd_atime_update_interval",
    "rbd_read_from_replica_policy",
    "rbd_qos_iops_limit",
    "rbd_qos_bps_limit",
};

constexpr std::string_view luks_magic = "LUKS\xba\xbe";

bool in_force(const std::map<std::string, std::string>& settings, const char* key) {
  const auto found = settings.find(key);
  return found != settings.end() && found->second == "true";
}

}  // namespace

ImageSpec image_spec(const std::string& text) {
  const auto at = text.find('@');
  if (at == std::string::npos) return {text, {}};
  return {text.substr(0, at), text.substr(at + 1)};
}

bool ImageInfo::has(const std::string& feature) const {
  return std::find(features.begin(), features.end(), feature) != features.end();
}

bool ImageInfo::caches_writes() const {
  const auto text = [this](const char* key) {
    const auto found = settings.find(key);
    return found == settings.end() ? std::string() : found->second;
  };
  const std::string persistent = text("rbd_persistent_cache_mode");
  if (!persistent.empty() && persistent != "disabled") return true;
  return in_force(settings, "rbd_cache") && text("rbd_cache_policy") != "writethrough" &&
         text("rbd_cache_max_dirty") != "0";
}

struct Image::Handle {
  std::shared_ptr<Connection> connection;
  librados::IoCtx pool;
  librbd::Image image;
};

namespace {

// The properties of the image. Each function fills in a part; a negative errno stops reading.
int read_shape(librbd::Image& image, ImageInfo& info) {
  librbd::image_info_t stat{};
  if (const int rc = image.stat(stat, sizeof stat); rc < 0) return rc;
  info.size = Bytes{stat.size};
  info.object_size = Bytes{stat.obj_size};
  info.block_prefix = image.get_block_name_prefix();
  info.stripe_unit = Bytes{image.get_stripe_unit()};
  info.stripe_count = image.get_stripe_count();
  info.data_pool = image.get_data_pool_id();
  return image.get_id(&info.id);
}

int read_features(librbd::Image& image, ImageInfo& info) {
  std::uint64_t bits = 0;
  if (const int rc = image.features(&bits); rc < 0) return rc;
  std::string names;
  librbd::RBD().features_to_string(bits, &names);
  for (std::size_t begin = 0; begin < names.size();) {
    const std::size_t end = std::min(names.find(',', begin), names.size());
    info.features.push_back(names.substr(begin, end - begin));
    begin = end + 1;
  }
  return 0;
}

void read_parent(librbd::Image& image, ImageInfo& info) {
  librbd::linked_image_spec_t parent;
  librbd::snap_spec_t snapshot;
  if (image.get_parent(&parent, &snapshot) < 0) return;
  info.parent = fmt::format("{}/{}@{}", parent.pool_name, parent.image_name, snapshot.name);
}

void read_settings(librbd::Image& image, const Connection& connection, ImageInfo& info) {
  for (const std::string_view key : recorded) {
    const std::string name(key);
    if (std::string value = connection.setting(name); !value.empty()) {
      info.settings[name] = std::move(value);
    }
  }
  std::vector<librbd::config_option_t> options;
  if (image.config_list(&options) < 0) return;
  for (const auto& option : options) {
    if (std::find(recorded.begin(), recorded.end(), option.name) == recorded.end()) continue;
    info.settings[option.name] = option.value;
    if (option.source != RBD_CONFIG_SOURCE_CONFIG) info.overridden.push_back(option.name);
  }
}

int read_users(librbd::Image& image, std::uint64_t ourselves, ImageInfo& info) {
  std::list<librbd::image_watcher_t> watchers;
  if (const int rc = image.list_watchers(watchers); rc < 0) return rc;
  for (const auto& watcher : watchers) {
    if (static_cast<std::uint64_t>(watcher.id) == ourselves) continue;
    info.users.push_back(fmt::format("client.{} at {}", watcher.id, watcher.addr));
  }
  std::list<librbd::locker_t> lockers;
  bool exclusive = false;
  std::string tag;
  if (const int rc = image.list_lockers(&lockers, &exclusive, &tag); rc < 0) return rc;
  for (const auto& locker : lockers) {
    // librbd's automatic lock belongs to a client that is already among the watchers.
    const bool automatic = locker.cookie.starts_with("auto ");
    if (automatic) continue;
    info.users.push_back(
        fmt::format("lock '{}' of {} at {}", locker.cookie, locker.client, locker.address));
  }
  return 0;
}

// The magic and the version after it, most significant byte first.
void read_beginning(librbd::Image& image, ImageInfo& info) {
  constexpr std::size_t header = luks_magic.size() + 2;
  librados::bufferlist start;
  if (info.size.count < header) return;
  if (image.read(0, header, start) < 0 || start.length() != header) return;
  const std::string_view text(start.c_str(), header);
  if (!text.starts_with(luks_magic)) return;
  info.luks = static_cast<unsigned char>(text.back());
}

template <typename Options>
int load_key(librbd::Image& image, librbd::encryption_format_t format,
             const Passphrase& passphrase) {
  Options options{};
  options.passphrase = passphrase.text();
  const int rc = image.encryption_load(format, &options, sizeof options);
  // Some versions of librbd copy the passphrase, others refer to it.
  if constexpr (std::is_same_v<decltype(options.passphrase), std::string>) {
    explicit_bzero(options.passphrase.data(), options.passphrase.size());
  }
  return rc;
}

int open_inside(librbd::Image& image, const Passphrase& passphrase, ImageInfo& info) {
  const int rc = info.luks == 1 ? load_key<librbd::encryption_luks1_format_options_t>(
                                      image, RBD_ENCRYPTION_FORMAT_LUKS1, passphrase)
                                : load_key<librbd::encryption_luks2_format_options_t>(
                                      image, RBD_ENCRYPTION_FORMAT_LUKS2, passphrase);
  if (rc < 0) return rc;
  std::uint64_t inside = 0;
  if (const int failed = image.size(&inside); failed < 0) return failed;
  info.data_offset = Bytes{info.size.count - inside};
  info.size = Bytes{inside};
  info.open = true;
  return 0;
}

int read_maker(librbd::Image& image, ImageInfo& info) {
  std::string text;
  const int rc = image.metadata_get(made_by_key, &text);
  const MarkSeen seen = mark_seen(rc, text, info.id, info.spec.name);
  info.made_by = seen.run;
  info.copied_mark = seen.marked && seen.run.empty();
  return seen.rc;
}

int read_info(librbd::Image& image, Connection& connection, ImageInfo& info) {
  if (const int rc = read_shape(image, info); rc < 0) return rc;
  if (const int rc = read_features(image, info); rc < 0) return rc;
  if (const int rc = read_users(image, connection.instance_id(), info); rc < 0) return rc;
  read_parent(image, info);
  read_settings(image, connection, info);
  read_beginning(image, info);
  info.mirroring = mirroring_of(image);
  return read_maker(image, info);
}

}  // namespace

Mirroring mirroring_of(librbd::Image& image) {
  librbd::mirror_image_info_t seen{};
  // In a pool without mirroring this fails too.
  if (image.mirror_image_get_info(&seen, sizeof seen) < 0) return Mirroring::none;
  if (seen.state == RBD_MIRROR_IMAGE_DISABLED) return Mirroring::none;
  return seen.primary ? Mirroring::primary : Mirroring::secondary;
}

Result<std::shared_ptr<Image>> Image::open(const std::shared_ptr<Connection>& connection,
                                           const librados::IoCtx& pool, const ImageSpec& spec,
                                           Time limit, const Passphrase& passphrase, ImageUse use) {
  struct Opened {
    int rc = 0;
    bool locked = false;  // it could not be opened with the passphrase
    ImageInfo info;
  };
  auto handle = std::make_shared<Handle>();
  handle->connection = connection;
  handle->pool.dup(pool);
  // Deriving the key from a passphrase is slow by design: seconds on the machine that created the
  // image, and more on a slower or busy one.
  constexpr auto for_the_key = std::chrono::minutes(1);
  const Time patience = passphrase.empty() ? limit : limit + for_the_key;
  const auto opened = value_within<Opened>(patience, [handle, spec, passphrase, use] {
    librbd::RBD rbd;
    Opened result;
    result.info.spec = spec;
    const char* const snapshot = spec.snapshot.empty() ? nullptr : spec.snapshot.c_str();
    const bool writable = use == ImageUse::load && snapshot == nullptr;
    result.rc = writable
                    ? rbd.open(handle->pool, handle->image, spec.name.c_str())
                    : rbd.open_read_only(handle->pool, handle->image, spec.name.c_str(), snapshot);
    if (result.rc < 0) return result;
    result.rc = read_info(handle->image, *handle->connection, result.info);
    if (result.rc >= 0 && result.info.luks > 0 && !passphrase.empty()) {
      result.rc = open_inside(handle->image, passphrase, result.info);
      result.locked = result.rc < 0;
    }
    if (result.rc < 0) handle->image.close();
    return result;
  });
  if (!opened) return fail(image_error("open the image", spec.text(), -ETIMEDOUT));
  if (opened->locked) {
    return fail({.attempt = "decrypt the image",
                 .subject = spec.text(),
                 .hint = "check the passphrase: the whole file is used, with the newline at its "
                         "end if it has one",
                 .errnum = -opened->rc,
                 .exit = Exit::refused});
  }
  if (opened->rc < 0) return fail(image_error("open the image", spec.text(), opened->rc));
  return std::shared_ptr<Image>(new Image(std::move(handle), opened->info, limit));
}

Image::Image(std::shared_ptr<Handle> handle, ImageInfo info, Time limit)
    : m_handle(std::move(handle)), m_info(std::move(info)), m_limit(limit) {}

Image::~Image() {
  call_within(m_limit, [handle = std::move(m_handle)] { handle->image.close(); });
}

librbd::Image& Image::handle() {
  return m_handle->image;
}

Result<std::map<std::string, std::string>> image_ids(const std::shared_ptr<Connection>& connection,
                                                     const librados::IoCtx& pool, Time limit) {
  struct Listed {
    int rc = 0;
    std::vector<librbd::image_spec_t> images;
  };
  librados::IoCtx asked;
  asked.dup(pool);
  const auto listed = value_within<Listed>(limit, [connection, asked]() mutable {
    Listed result;
    result.rc = librbd::RBD().list2(asked, &result.images);
    return result;
  });
  const int rc = listed ? listed->rc : -ETIMEDOUT;
  if (rc < 0) return fail(image_error("list the images of the pool", {}, rc));
  std::map<std::string, std::string> ids;
  for (const librbd::image_spec_t& image : listed->images) ids[image.name] = image.id;
  return ids;
}

}  // namespace radosload::cluster
