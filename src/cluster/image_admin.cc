#include "cluster/image_admin.h"

#include <atomic>
#include <bit>
#include <cerrno>
#include <chrono>
#include <future>
#include <list>
#include <optional>
#include <thread>
#include <utility>

#include "cluster/bounded_call.h"
#include "cluster/image.h"

namespace radosload::cluster {

namespace {

using Clock = std::chrono::steady_clock;

// What every librbd call needs. The call owns it, because it may outlive its caller.
struct Workshop {
  std::shared_ptr<Connection> connection;
  librados::IoCtx pool;
  librbd::RBD rbd;

  Workshop(std::shared_ptr<Connection> given, const librados::IoCtx& from)
      : connection(std::move(given)) {
    pool.dup(from);
    // Lets deletes through when the pool is full.
    pool.set_pool_full_try();
  }
};

int create_image(Workshop& shop, const NewImage& image, const std::string& name) {
  librbd::ImageOptions options;
  options.set(RBD_IMAGE_OPTION_ORDER,
              static_cast<std::uint64_t>(std::countr_zero(image.object_size.count)));
  if (!image.data_pool.empty()) options.set(RBD_IMAGE_OPTION_DATA_POOL, image.data_pool);
  return shop.rbd.create4(shop.pool, name.c_str(), image.size.count, options);
}

int mark_image(Workshop& shop, const NewImage& image, const std::string& name) {
  librbd::Image handle;
  if (const int rc = shop.rbd.open(shop.pool, handle, name.c_str()); rc < 0) return rc;
  ImageMark ours{.run = image.run, .name = image.name};
  if (const int rc = handle.get_id(&ours.id); rc < 0) return rc;
  if (const int rc = handle.metadata_set(made_by_key, encode_mark(ours)); rc < 0) return rc;
  return handle.metadata_set("conf_rbd_cache", image.cache ? "true" : "false");
}

ImageSeen look_at_image(Workshop& shop, const std::string& name) {
  librbd::Image image;
  int rc = shop.rbd.open_read_only(shop.pool, image, name.c_str(), nullptr);
  std::string id;
  if (rc >= 0) rc = image.get_id(&id);
  if (rc < 0) return {.mark = {.rc = rc}};
  std::string mark;
  rc = image.metadata_get(made_by_key, &mark);
  ImageSeen seen{.mark = mark_seen(rc, mark, id, name)};
  // A client that opened it read-only, as this one, is not a watcher; a mirroring daemon is.
  std::list<librbd::image_watcher_t> watchers;
  seen.watched = image.list_watchers(watchers) >= 0 && !watchers.empty() &&
                 mirroring_of(image) == Mirroring::none;
  return seen;
}

// Progress from the removing thread to the waiting one.
struct Advance : librbd::ProgressContext {
  std::atomic<std::uint64_t> done{0};
  std::atomic<std::uint64_t> of{0};
  int update_progress(std::uint64_t offset, std::uint64_t total) override {
    done = offset;
    of = total;
    return 0;
  }
};

// The wait may end without a result, but not while there is progress.
int remove_watched(const std::shared_ptr<Workshop>& shop, const std::string& name, Time limit,
                   const ImageProgress& progress) {
  constexpr auto tick = std::chrono::milliseconds(200);
  auto advance = std::make_shared<Advance>();
  std::promise<int> ended;
  auto answer = ended.get_future();
  std::thread remover([shop, name, advance, ended = std::move(ended)]() mutable {
    ended.set_value(shop->rbd.remove_with_progress(shop->pool, name.c_str(), *advance));
  });
  auto last_change = Clock::now();
  std::uint64_t last = 0;
  while (answer.wait_for(tick) != std::future_status::ready) {
    const std::uint64_t done = advance->done;
    if (done != last) last_change = Clock::now();
    last = done;
    const auto of = static_cast<double>(advance->of);
    const double share = of > 0 ? static_cast<double>(done) / of : 0;
    const bool go_on = !progress || progress(share);
    if (go_on && Clock::now() - last_change < limit) continue;
    count_abandoned();
    remover.detach();
    return go_on ? -ETIMEDOUT : -EINTR;
  }
  remover.join();
  return answer.get();
}

class LibrbdCommands final : public ImageCommands {
 public:
  // Without a limit the calls are made on the calling thread.
  LibrbdCommands(std::shared_ptr<Workshop> shop, std::optional<Time> limit)
      : m_shop(std::move(shop)), m_limit(limit) {}

  int create(const NewImage& image, const std::string& name) override {
    return bounded<int>(-ETIMEDOUT,
                        [shop = m_shop, image, name] { return create_image(*shop, image, name); });
  }
  int mark(const NewImage& image, const std::string& name) override {
    return bounded<int>(-ETIMEDOUT,
                        [shop = m_shop, image, name] { return mark_image(*shop, image, name); });
  }
  int rename(const std::string& from, const std::string& to) override {
    return bounded<int>(-ETIMEDOUT, [shop = m_shop, from, to] {
      return shop->rbd.rename(shop->pool, from.c_str(), to.c_str());
    });
  }
  ImageSeen query(const std::string& name) override {
    return bounded<ImageSeen>({.mark = {.rc = -ETIMEDOUT}},
                              [shop = m_shop, name] { return look_at_image(*shop, name); });
  }
  int remove(const std::string& name, const ImageProgress& progress) override {
    if (!m_limit) return m_shop->rbd.remove(m_shop->pool, name.c_str());
    return remove_watched(m_shop, name, *m_limit, progress);
  }
  bool mirrored_from_elsewhere(const std::string& name) override {
    return bounded<bool>(false, [shop = m_shop, name] {
      librbd::Image image;
      if (shop->rbd.open_read_only(shop->pool, image, name.c_str(), nullptr) < 0) return false;
      return mirroring_of(image) == Mirroring::secondary;
    });
  }
  bool wait(const ImageProgress& progress) override {
    // Ceph forgets a dead client after 30 s. After the first wait the dead clients of all other
    // images are forgotten too.
    constexpr auto patience = std::chrono::seconds(40);
    const auto now = Clock::now();
    if (!m_waits_since) m_waits_since = now;
    if (now - *m_waits_since >= patience || (progress && !progress(0))) return false;
    std::this_thread::sleep_for(std::chrono::seconds(1));
    return true;
  }

 private:
  template <typename Answer>
  Answer bounded(Answer too_late, std::function<Answer()> call) {
    if (!m_limit) return call();
    return value_within<Answer>(*m_limit, std::move(call)).value_or(std::move(too_late));
  }

  std::shared_ptr<Workshop> m_shop;
  std::optional<Time> m_limit;
  std::optional<Clock::time_point> m_waits_since;
};

}  // namespace

std::unique_ptr<ImageCommands> image_commands(const std::shared_ptr<Connection>& connection,
                                              const librados::IoCtx& pool, Time limit) {
  return std::make_unique<LibrbdCommands>(std::make_shared<Workshop>(connection, pool), limit);
}

Status make_image(const std::shared_ptr<Connection>& connection, const librados::IoCtx& pool,
                  const NewImage& image, Time limit) {
  auto shop = std::make_shared<Workshop>(connection, pool);
  const auto made = value_within<Status>(limit, [shop, image] {
    LibrbdCommands commands(shop, std::nullopt);
    return make_image(commands, image);
  });
  if (!made) return fail(image_error("create the image", image.name, -ETIMEDOUT));
  return *made;
}

}  // namespace radosload::cluster
