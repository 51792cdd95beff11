#include "cluster/image_admin.h"

#include <atomic>
#include <bit>
#include <cerrno>
#include <chrono>
#include <future>
#include <thread>
#include <utility>

#include "cluster/bounded_call.h"
#include "cluster/image.h"

#include <fmt/format.h>

namespace radosload::cluster {

namespace {

using Clock = std::chrono::steady_clock;

// What every call of librbd needs, owned by the call: it may outlast whoever made it.
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

int create(Workshop& shop, const NewImage& image, const std::string& name) {
  librbd::ImageOptions options;
  options.set(RBD_IMAGE_OPTION_ORDER,
              static_cast<std::uint64_t>(std::countr_zero(image.object_size.count)));
  if (!image.data_pool.empty()) options.set(RBD_IMAGE_OPTION_DATA_POOL, image.data_pool);
  return shop.rbd.create4(shop.pool, name.c_str(), image.size.count, options);
}

int mark(Workshop& shop, const NewImage& image, const std::string& name) {
  librbd::Image handle;
  if (const int rc = shop.rbd.open(shop.pool, handle, name.c_str()); rc < 0) return rc;
  ImageMark ours{.run = image.run, .name = image.name};
  if (const int rc = handle.get_id(&ours.id); rc < 0) return rc;
  if (const int rc = handle.metadata_set(made_by_key, encode_mark(ours)); rc < 0) return rc;
  return handle.metadata_set("conf_rbd_cache", image.cache ? "true" : "false");
}

struct Made {
  const char* step = "";
  int rc = 0;
};

Made make(Workshop& shop, const NewImage& image) {
  const std::string first = unfinished_image(image.run, image.name);
  if (const int rc = create(shop, image, first); rc < 0) return {"make the image", rc};
  Made made{"mark the image", mark(shop, image, first)};
  if (made.rc >= 0) {
    made = {"name the image", shop.rbd.rename(shop.pool, first.c_str(), image.name.c_str())};
  }
  if (made.rc < 0) shop.rbd.remove(shop.pool, first.c_str());
  return made;
}

Error make_error(const NewImage& image, const Made& made) {
  Error error = image_error(made.step, image.name, made.rc);
  if (made.rc == -EEXIST) {
    error.reason = "there is an image of that name already";
    error.hint = "choose another name, or use that one: leave out --create";
    error.exit = Exit::refused;
  } else if (made.rc == -ENOENT) {
    error.reason = "the data pool or the RBD namespace does not exist";
    error.hint = "'ceph osd pool ls' and 'rbd namespace ls' list what there is";
  } else if (made.rc == -EINVAL && !image.data_pool.empty()) {
    error.reason = fmt::format("pool {} cannot hold the data of images", image.data_pool);
    error.hint = "an erasure-coded pool needs: ceph osd pool set POOL allow_ec_overwrites true";
    error.exit = Exit::refused;
  }
  return error;
}

// What the thread that removes tells the one that waits.
struct Advance : librbd::ProgressContext {
  std::atomic<std::uint64_t> done{0};
  std::atomic<std::uint64_t> of{0};
  int update_progress(std::uint64_t offset, std::uint64_t total) override {
    done = offset;
    of = total;
    return 0;
  }
};

enum class Whose : std::uint8_t { nobodys, the_runs, others };

// Whose the image of that name is now; nobody's: there is none.
Result<Whose> look_whose(const std::shared_ptr<Workshop>& shop, const std::string& name,
                         const std::string& run, Time limit) {
  const auto answer = value_within<MarkSeen>(limit, [shop, name] {
    librbd::Image image;
    const int rc = shop->rbd.open_read_only(shop->pool, image, name.c_str(), nullptr);
    if (rc < 0) return MarkSeen{.rc = rc};
    std::string id;
    if (const int failed = image.get_id(&id); failed < 0) return MarkSeen{.rc = failed};
    std::string mark;
    const int asked = image.metadata_get(made_by_key, &mark);
    return mark_seen(asked, mark, id, name);
  });
  if (!answer) return fail(image_error("look at the image", name, -ETIMEDOUT));
  if (answer->rc == -ENOENT) return Whose::nobodys;
  if (answer->rc < 0) return fail(image_error("see who made the image", name, answer->rc));
  // Unmarked, but with the name that only the making of one gives: killed before the mark.
  const bool unfinished =
      !answer->marked && name.starts_with("radosload." + run + ".") && name.ends_with(".new");
  return answer->run == run || unfinished ? Whose::the_runs : Whose::others;
}

// One attempt. Its end may be given up, but not while it gets on.
int try_remove(const std::shared_ptr<Workshop>& shop, const std::string& name,
               const ImageRemoval& options) {
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
    const bool go_on = !options.progress || options.progress(share);
    if (go_on && Clock::now() - last_change < options.limit) continue;
    count_abandoned();
    remover.detach();
    return go_on ? -ETIMEDOUT : -EINTR;
  }
  remover.join();
  return answer.get();
}

// librbd calls it an invalid argument to remove what another cluster mirrors to here.
Error removal_error(const std::shared_ptr<Workshop>& shop, const std::string& name, int rc,
                    Time limit) {
  Error error = image_error("remove the image", name, rc);
  if (rc != -EINVAL) return error;
  const auto secondary = value_within<bool>(limit, [shop, name] {
    librbd::Image image;
    if (shop->rbd.open_read_only(shop->pool, image, name.c_str(), nullptr) < 0) return false;
    return mirroring_of(image) == Mirroring::secondary;
  });
  if (!secondary.value_or(false)) return error;
  error.errnum = 0;
  error.reason = "it is mirrored from another cluster";
  error.hint = "remove it there, or first 'rbd mirror image promote' it here";
  error.exit = Exit::refused;
  return error;
}

}  // namespace

Status make_image(const std::shared_ptr<Connection>& connection, const librados::IoCtx& pool,
                  const NewImage& image, Time limit) {
  auto shop = std::make_shared<Workshop>(connection, pool);
  const auto made = value_within<Made>(limit, [shop, image] { return make(*shop, image); });
  if (!made) return fail(image_error("make the image", image.name, -ETIMEDOUT));
  if (made->rc < 0) return fail(make_error(image, *made));
  return {};
}

Result<ImageFate> remove_image(const std::shared_ptr<Connection>& connection,
                               const librados::IoCtx& pool, const std::string& name,
                               const std::string& run, const ImageRemoval& options) {
  // A client that died is forgotten after 30 s; some for good measure.
  constexpr auto patience = std::chrono::seconds(40);
  constexpr auto pause = std::chrono::seconds(1);
  auto shop = std::make_shared<Workshop>(connection, pool);
  const auto start = Clock::now();
  for (;;) {
    // Somebody may have given that name to another image while this one was waited for.
    RADOSLOAD_ASSIGN(const auto whose, look_whose(shop, name, run, options.limit));
    if (whose == Whose::nobodys) return ImageFate::missing;
    if (whose == Whose::others) return ImageFate::foreign;
    const int rc = try_remove(shop, name, options);
    if (rc >= 0) return ImageFate::removed;
    if (rc == -ENOENT) return ImageFate::missing;
    const bool wait = rc == -EBUSY && Clock::now() - start < patience &&
                      (!options.progress || options.progress(0));
    if (!wait) return fail(removal_error(shop, name, rc, options.limit));
    std::this_thread::sleep_for(pause);
  }
}

}  // namespace radosload::cluster
