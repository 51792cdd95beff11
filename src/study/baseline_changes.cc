// In what the place of new runs differs from that of a baseline.
#include <algorithm>
#include <cstdint>

#include "study/baseline_groups.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::study {

namespace {

using record::Environment;
using record::ImageFacts;
using record::PoolFacts;

class Changes {
 public:
  void add(std::string what, const std::string& before, const std::string& now) {
    if (before == now) return;
    const auto or_none = [](const std::string& text) { return text.empty() ? "none" : text; };
    m_changes.push_back({.what = std::move(what), .before = or_none(before), .now = or_none(now)});
  }
  template <typename Value>
  void add(std::string what, const Value& before, const Value& now) {
    add(std::move(what), fmt::format("{}", before), fmt::format("{}", now));
  }
  std::vector<PlaceChange> take() { return std::move(m_changes); }

 private:
  std::vector<PlaceChange> m_changes;
};

std::string kind_of(const PoolFacts& pool) {
  return pool.erasure ? fmt::format("erasure-coded {}+{}", pool.k, pool.m) : "replicated";
}

void add_pool(Changes& changes, const std::optional<PoolFacts>& before,
              const std::optional<PoolFacts>& now) {
  if (!before || !now) return;
  const auto of = [&](const char* what) {
    return fmt::format("{} of pool {}", what, before->name);
  };
  changes.add(of("ID"), before->id, now->id);
  changes.add(of("kind"), kind_of(*before), kind_of(*now));
  changes.add(of("size"), before->size, now->size);
  changes.add(of("min_size"), before->min_size, now->min_size);
  changes.add(of("pg_num"), before->pg_num, now->pg_num);
  changes.add(of("CRUSH rule"), before->crush_rule, now->crush_rule);
  changes.add(of("overwrites"), before->overwrites, now->overwrites);
}

void add_images(Changes& changes, const Environment& before, const Environment& now) {
  for (const ImageFacts& image : before.images) {
    const auto found = std::find_if(now.images.begin(), now.images.end(),
                                    [&](const auto& one) { return one.name == image.name; });
    if (found == now.images.end()) continue;
    const auto of = [&](const char* what) {
      return fmt::format("{} of image {}", what, image.name);
    };
    changes.add(of("size"), image.size.count, found->size.count);
    changes.add(of("object size"), image.object_size.count, found->object_size.count);
    changes.add(of("features"), fmt::format("{}", fmt::join(image.features, ",")),
                fmt::format("{}", fmt::join(found->features, ",")));
    changes.add(of("parent"), image.parent, found->parent);
    changes.add(of("LUKS version"), image.luks, found->luks);
  }
}

// A release may bring new settings of clients, so only those that both have are compared.
void add_client(Changes& changes, const Environment& before, const Environment& now) {
  changes.add("client host", before.client.host, now.client.host);
  changes.add("kernel of the client", before.client.kernel, now.client.kernel);
  changes.add("CPUs of the client", before.client.usable_cpus, now.client.usable_cpus);
  changes.add("librados", before.client.librados, now.client.librados);
  for (const auto& [key, value] : before.client.settings) {
    const auto found = now.client.settings.find(key);
    if (found != now.client.settings.end()) {
      changes.add("client setting " + key, value, found->second);
    }
  }
}

// "18.2.7" of "ceph version 18.2.7 (6b0e...) reef (stable)"; the whole text of another form.
std::string version_number(const std::string& version) {
  constexpr std::string_view before = "ceph version ";
  if (!version.starts_with(before)) return version;
  const std::string rest = version.substr(before.size());
  return rest.substr(0, rest.find(' '));
}

std::string whole_versions(const Environment& environment) {
  std::vector<std::string> versions;
  versions.reserve(environment.ceph_versions.size());
  for (const auto& [version, daemons] : environment.ceph_versions) versions.push_back(version);
  return fmt::format("{}", fmt::join(versions, ", "));
}

// Two builds of one version differ in more than its number.
void add_versions(Changes& changes, const Environment& before, const Environment& now) {
  const bool same_numbers = version_text(before) == version_text(now);
  changes.add("Ceph version", same_numbers ? whole_versions(before) : version_text(before),
              same_numbers ? whole_versions(now) : version_text(now));
}

}  // namespace

std::string version_text(const Environment& environment) {
  std::vector<std::string> numbers;
  for (const auto& [version, daemons] : environment.ceph_versions) {
    std::string number = version_number(version);
    if (std::find(numbers.begin(), numbers.end(), number) == numbers.end()) {
      numbers.push_back(std::move(number));
    }
  }
  return fmt::format("{}", fmt::join(numbers, ", "));
}

std::vector<PlaceChange> place_changes(const Environment& before, const Environment& now) {
  Changes changes;
  changes.add("cluster (fsid)", before.fsid, now.fsid);
  add_versions(changes, before, now);
  add_pool(changes, before.pool, now.pool);
  add_pool(changes, before.data_pool, now.data_pool);
  add_images(changes, before, now);
  add_client(changes, before, now);
  changes.add("simulated cluster", before.sim, now.sim);
  return changes.take();
}

}  // namespace radosload::study
