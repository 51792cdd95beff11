#include "cluster/image_commands.h"

#include <cerrno>
#include <utility>

#include "base/log.h"

#include <fmt/format.h>

namespace radosload::cluster {

namespace {

struct Making {
  const char* step = "";
  int rc = 0;
};

Error making_error(const NewImage& image, const Making& made) {
  Error error = image_error(made.step, image.name, made.rc);
  if (made.rc == -EEXIST) {
    error.reason = "an image of that name already exists";
    error.hint = "choose another name, or leave out --create to use the existing image";
    error.exit = Exit::refused;
  } else if (made.rc == -ENOENT) {
    error.reason = "the data pool or the RBD namespace does not exist";
    error.hint = "list them with 'ceph osd pool ls' and 'rbd namespace ls'";
  } else if (made.rc == -EINVAL && !image.data_pool.empty()) {
    error.reason = fmt::format("pool {} cannot hold image data", image.data_pool);
    error.hint =
        "for an erasure-coded pool, first run: ceph osd pool set POOL allow_ec_overwrites true";
    error.exit = Exit::refused;
  }
  return error;
}

class ImageRemover {
 public:
  ImageRemover(ImageCommands& images, const std::string& name, const std::string& run,
               const ImageProgress& progress)
      : m_images(images),
        m_name(name),
        m_run(run),
        m_progress(progress),
        m_aside(image_set_aside(run, name)),
        m_unfinished(unfinished_image(run, name)) {}

  Result<ImageFate> remove() {
    bool removed = false;
    for (const std::string& left : {m_aside, m_unfinished}) {
      RADOSLOAD_ASSIGN(const auto fate, remove_left_over(left));
      removed = removed || fate == ImageFate::removed;
    }
    for (;;) {
      auto fate = remove_by_name();
      // Another cleanup may have renamed it meanwhile, and have been killed since.
      if (fate == ImageFate::missing) fate = remove_left_over(m_aside);
      if (fate != ImageFate::missing) return fate && removed ? ImageFate::removed : fate;
      // Or it has restored the name, because it could not remove the image.
      RADOSLOAD_ASSIGN(const auto again, query(m_name));
      if (again.whose != Whose::the_runs) {
        return removed ? ImageFate::removed : ImageFate::missing;
      }
      if (!m_images.wait(m_progress)) return fail(removal_error(m_name, -EBUSY));
    }
  }

 private:
  enum class Whose : std::uint8_t { nobodys, the_runs, others };
  struct Seen {
    Whose whose = Whose::nobodys;
    bool watched = false;
  };

  Result<Seen> query(const std::string& name) {
    const ImageSeen seen = m_images.query(name);
    if (seen.mark.rc == -ENOENT) return Seen{};
    if (seen.mark.rc < 0) {
      return fail(
          image_error("find out which run created the image", known_as(name), seen.mark.rc));
    }
    // Without a mark, but with the name of an unfinished image: killed before the mark.
    const bool unfinished = !seen.mark.marked && name == m_unfinished;
    const bool ours = seen.mark.run == m_run || unfinished;
    return Seen{.whose = ours ? Whose::the_runs : Whose::others, .watched = seen.watched};
  }

  // For one of the names that only radosload uses.
  Result<ImageFate> remove_left_over(const std::string& name) {
    for (;;) {
      const auto seen = query(name);
      if (!seen && name == m_aside) (void)give_back();
      if (!seen) return fail(seen.error());
      if (seen->whose == Whose::nobodys) return ImageFate::missing;
      if (seen->whose == Whose::others) return name == m_aside ? return_it() : ImageFate::foreign;
      const int rc = seen->watched ? -EBUSY : m_images.remove(name, m_progress);
      if (rc >= 0) return ImageFate::removed;
      if (rc == -ENOENT) return ImageFate::missing;
      if (rc == -EBUSY && m_images.wait(m_progress)) continue;
      const Error error = removal_error(name, rc);
      if (name == m_aside && ended(rc)) (void)give_back();
      return fail(error);
    }
  }

  Result<ImageFate> remove_by_name() {
    for (;;) {
      // Another client may have given the name to another image during the wait.
      RADOSLOAD_ASSIGN(const auto seen, query(m_name));
      if (seen.whose == Whose::nobodys) return ImageFate::missing;
      if (seen.whose == Whose::others) return ImageFate::foreign;
      int rc = seen.watched ? -EBUSY : m_images.rename(m_name, m_aside);
      if (rc >= 0) return remove_left_over(m_aside);
      // A full pool refuses the rename.
      if (rc == -ENOSPC || rc == -EDQUOT) rc = m_images.remove(m_name, m_progress);
      if (rc >= 0) return ImageFate::removed;
      if (rc == -ENOENT) return ImageFate::missing;
      if (rc == -EBUSY && m_images.wait(m_progress)) continue;
      return fail(removal_error(m_name, rc));
    }
  }

  // The name that people know it by.
  const std::string& known_as(const std::string& name) const {
    return name == m_aside ? m_name : name;
  }

  // False when the removal was abandoned and may still be running.
  static bool ended(int rc) { return rc != -ETIMEDOUT && rc != -EINTR; }

  // If the name is already taken, the image keeps the temporary one; the next cleanup finds it.
  int give_back() { return m_images.rename(m_aside, m_name); }

  // Renames an image that radosload did not create back to its old name.
  Result<ImageFate> return_it() {
    const int rc = give_back();
    if (rc >= 0 || rc == -ENOENT) return ImageFate::foreign;
    Error error =
        image_error("restore the name of an image that radosload did not create:", m_name, rc);
    if (rc == -EEXIST) error.reason = "another image has that name now";
    error.hint = fmt::format("give it another name with 'rbd rename {} NAME'", m_aside);
    return fail(std::move(error));
  }

  // librbd returns EINVAL for the removal of an image that is mirrored from another cluster.
  Error removal_error(const std::string& name, int rc) {
    Error error = image_error("remove the image", known_as(name), rc);
    if (rc == -EEXIST) {
      error.reason =
          fmt::format("the name {} is taken by an image that radosload did not create", m_aside);
    }
    if (rc != -EINVAL && rc != -EROFS) return error;
    if (!m_images.mirrored_from_elsewhere(name)) return error;
    error.errnum = 0;
    error.reason = "it is a mirror of an image in another cluster";
    error.hint = "remove it in that cluster, or first run 'rbd mirror image promote' here";
    error.exit = Exit::refused;
    return error;
  }

  ImageCommands& m_images;
  const std::string& m_name;
  const std::string& m_run;
  const ImageProgress& m_progress;
  const std::string m_aside;
  const std::string m_unfinished;
};

}  // namespace

Error image_error(std::string attempt, const std::string& image, int rc) {
  Error error{
      .attempt = std::move(attempt), .subject = image, .errnum = -rc, .exit = Exit::no_cluster};
  switch (-rc) {
    case ENOENT:
      error.reason = "there is no such image";
      error.hint = "list images with 'rbd ls --pool POOL', or create one with --create SIZE";
      break;
    case ETIMEDOUT:
      error.reason = "no answer";
      error.hint =
          "check with 'radosload status' that the PGs of its pools are active and the pools are "
          "not full";
      break;
    case EPERM:
    case EACCES:
      error.hint =
          "this user needs the caps mon 'profile rbd' and osd 'profile rbd pool=POOL'; for the "
          "notes that radosload keeps, also osd 'allow rw pool=POOL namespace=radosload'; "
          "'radosload auth images' prints the rights it needs";
      break;
    case EROFS:
      error.reason = "it is read-only, or another client holds its exclusive lock";
      error.hint = "find the client with 'rbd status' and 'rbd lock ls'";
      error.exit = Exit::refused;
      break;
    case EBUSY:
      error.reason = "another client has it open";
      error.hint = "find the client with 'rbd status'; Ceph forgets a dead client after 30 s";
      error.exit = Exit::refused;
      break;
    case ENOTEMPTY:
      error.reason = "it has snapshots";
      error.hint = "remove them with 'rbd snap purge'";
      error.exit = Exit::refused;
      break;
    case EINTR:
      error.reason = "interrupted";
      break;
    case EDQUOT:
    case ENOSPC:
      error.reason = "the pool is full or has reached its quota";
      error.hint = "free space with 'radosload cleanup', which works in a full pool";
      error.exit = Exit::refused;
      break;
    default:
      break;
  }
  return error;
}

Status make_image(ImageCommands& images, const NewImage& image) {
  const std::string first = unfinished_image(image.run, image.name);
  if (const int rc = images.create(image, first); rc < 0) {
    return fail(making_error(image, {"create the image", rc}));
  }
  Making made{"mark the image", images.mark(image, first)};
  if (made.rc >= 0) made = {"name the image", images.rename(first, image.name)};
  if (made.rc >= 0) {
    base::log_info("made image {} of {} for run {}", image.name, option_text(image.size),
                   image.run);
    return {};
  }
  // As well as it goes: the failure to tell is the other one, and the manifest names it.
  (void)remove_image(images, image.name, image.run);
  return fail(making_error(image, made));
}

Result<ImageFate> remove_image(ImageCommands& images, const std::string& name,
                               const std::string& run, const ImageProgress& progress) {
  auto fate = ImageRemover(images, name, run, progress).remove();
  if (!fate) {
    base::log_warning("image {} of run {}: {}", name, run, one_line(fate.error()));
  } else if (*fate == ImageFate::removed) {
    base::log_info("removed image {} of run {}", name, run);
  } else {
    base::log_info("image {} of run {}: left alone, {}", name, run,
                   *fate == ImageFate::missing ? "it does not exist" : "the run did not make it");
  }
  return fate;
}

}  // namespace radosload::cluster
