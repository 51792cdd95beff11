// A namespace of a pool in memory, for tests of cleanup: it keeps what runs have made there, tells
// what was done to it, and lets others act before each call.
#pragma once

#include <algorithm>
#include <cerrno>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "footprint/run_directory.h"
#include "footprint/site.h"
#include "image_support.h"
#include "workload/layout.h"

#include <fmt/format.h>

namespace radosload::footprint::testing {

class MemorySite final : public RunSite {
 public:
  struct Stored {
    std::string text = {};
    std::uint64_t version = 1;
    std::map<std::string, std::string> attributes = {};
  };

  std::string pool = "hdd";
  std::string nspace = "radosload";
  std::set<std::string> index = {};
  std::map<std::string, Stored> objects = {};
  std::set<std::string> alive = {};                 // runs whose manifest a live process watches
  std::vector<std::uint64_t> watching = {};         // clients, of each manifest
  std::map<std::string, MemoryImages> images = {};  // by RBD namespace
  std::set<std::string> directories = {};           // of runs on file systems: cephfs/radosload/r
  std::function<void(const std::string& call)> before = [](const std::string&) {};
  std::uint64_t updates = 0;
  std::uint64_t asked = 0;  // names that were to be removed, there or not
  std::uint64_t listings = 0;

  Manifest manifest(const std::string& run, std::uint64_t count) const {
    Manifest made;
    made.run = run;
    made.started = "t";
    made.pool = pool;
    made.nspace = nspace;
    made.pattern = "randrw4k";
    made.objects = count;
    made.object_size = kib(4);
    return made;
  }
  static std::string object(const std::string& run, std::uint64_t number) {
    std::string name(workload::object_name_size(run), ' ');
    workload::object_name(name, run, number);
    return name;
  }
  std::uint64_t next_version() { return ++m_version; }
  // Stored under a run's name whatever it says.
  void store(const std::string& run, const Manifest& manifest) {
    index.insert(run);
    objects[manifest_object(run)] = {encode(manifest), ++m_version};
  }
  void fill(const std::string& run, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) objects[object(run, i)] = {"data"};
  }
  // An RBD namespace; whoever acts before each call acts before each command on its images, too.
  MemoryImages& images_in(const std::string& nspace) {
    MemoryImages& there = images[nspace];
    there.before = [this](const std::string& call) { before(call); };
    return there;
  }
  // What an outsider would compare: names and contents.
  std::map<std::string, std::string> contents() const {
    std::map<std::string, std::string> all;
    for (const auto& [name, stored] : objects) all[name] = stored.text;
    for (const std::string& directory : directories) all["directory " + directory] = "";
    for (const auto& [nspace, there] : images) {
      for (const auto& [name, image] : there.named)
        all["image " + nspace + "/" + name] = image.text();
    }
    return all;
  }

  Result<std::vector<std::string>> runs() override {
    before("runs");
    return std::vector<std::string>(index.begin(), index.end());
  }
  Result<Entry> look_up(const std::string& run) override {
    before("look_up");
    Entry entry{.run = run};
    const auto found = objects.find(manifest_object(run));
    if (found == objects.end() || found->second.text.empty()) {
      entry.missing = true;
      return entry;
    }
    entry.version = found->second.version;
    const auto decoded =
        decode_at(found->second.text, {.run = run, .pool = pool, .nspace = nspace});
    if (decoded) entry.manifest = *decoded;
    if (!decoded) entry.problem = decoded.error().message();
    entry.clients = watching;
    if (alive.contains(run)) entry.holder = "pid 1 on a";
    return entry;
  }
  Status update(const Manifest& manifest, std::uint64_t* version) override {
    before("update");
    const auto found = objects.find(manifest_object(manifest.run));
    if (found == objects.end()) return fail({.reason = "gone", .errnum = ENOENT});
    if (version != nullptr && *version != 0 && *version != found->second.version) {
      return fail({.reason = "changed", .errnum = ERANGE});
    }
    ++updates;
    found->second = {encode(manifest), ++m_version};
    if (version != nullptr) *version = m_version;
    return {};
  }
  Status remove(const std::string& run) override {
    before("remove");
    objects.erase(manifest_object(run));
    index.erase(run);
    return {};
  }
  Status remove_entry_without_manifest(const std::string& run) override {
    before("remove_entry");
    const auto found = objects.find(manifest_object(run));
    if (found != objects.end() && !found->second.text.empty()) return {};
    if (found != objects.end()) objects.erase(found);
    index.erase(run);
    return {};
  }
  Removal remove_objects(const Names& names, const RemovalOptions& options) override {
    before("remove_objects");
    Removal removal;
    std::uint64_t missing_in_a_row = 0;
    while (const auto name = names()) {
      ++asked;
      const bool there = objects.erase(*name) > 0;
      missing_in_a_row = there ? 0 : missing_in_a_row + 1;
      ++(there ? removal.count.removed : removal.count.missing);
      if (options.missing_limit == 0 || missing_in_a_row < options.missing_limit) continue;
      removal.mostly_missing = true;
      break;
    }
    return removal;
  }
  ImagesRemoved remove_images(const Manifest& manifest, Time,
                              const std::function<bool(double)>& progress) override {
    before("remove_images");
    return footprint::remove_images(images_in(manifest.image_nspace), manifest, progress);
  }
  FilesRemoved remove_files(const Manifest& manifest, const RemovalOptions&) override {
    before("remove_files");
    directories.erase(manifest.file_system + run_directory(manifest.run));
    FilesRemoved removed;
    removed.count.removed = manifest.objects;
    removed.text = fmt::format("{} files removed", manifest.objects);
    return removed;
  }
  Result<std::unique_ptr<Lease>> create(const Manifest& manifest) override {
    before("create");
    if (objects.contains(manifest_object(manifest.run))) return fail({.errnum = EEXIST});
    store(manifest.run, manifest);
    return std::make_unique<HeldLease>(*this, manifest.run);
  }
  Result<std::unique_ptr<Lease>> lease(const std::string& run) override {
    before("lease");
    std::unique_ptr<Lease> lease = std::make_unique<HeldLease>(*this, run);
    if (auto there = lease->renew(); !there) return fail(there.error());
    return lease;
  }
  std::uint64_t client() override { return 4242; }
  Status list_names(const Page& page) override {
    before("list_names");
    ++listings;
    constexpr std::size_t page_size = 7;
    std::vector<std::string> names;
    for (const auto& [name, stored] : objects) {
      names.push_back(name);
      if (names.size() < page_size) continue;
      if (!page(names)) return {};
      names.clear();
    }
    page(names);
    return {};
  }

 private:
  class HeldLease final : public Lease {
   public:
    HeldLease(MemorySite& site, std::string run) : m_site(site), m_run(std::move(run)) {
      m_site.alive.insert(m_run);
    }
    ~HeldLease() override { m_site.alive.erase(m_run); }
    HeldLease(const HeldLease&) = delete;
    HeldLease& operator=(const HeldLease&) = delete;
    HeldLease(HeldLease&&) = delete;
    HeldLease& operator=(HeldLease&&) = delete;
    Status renew() override {
      if (m_site.objects.contains(manifest_object(m_run))) return {};
      return fail({.attempt = "watch the manifest", .subject = m_run, .errnum = ENOENT});
    }

   private:
    MemorySite& m_site;
    std::string m_run;
  };

  std::uint64_t m_version = 1;
};

}  // namespace radosload::footprint::testing
