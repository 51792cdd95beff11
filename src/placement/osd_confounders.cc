#include "placement/osd_confounders.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace radosload::placement {

namespace {

using Gravity = Confounder::Gravity;

// Weights: what is in the path of every operation counts most.
constexpr std::uint32_t light = 1;
constexpr std::uint32_t middling = 2;
constexpr std::uint32_t heavy = 3;

bool apart(double a, double b, double ratio) {
  return std::max(a, b) > ratio * std::min(a, b);
}

std::string text_of(const std::optional<std::uint32_t>& count) {
  return count ? fmt::format("{}", *count) : "";
}

std::string text_of(Bytes bytes) {
  return bytes.count == 0 ? "" : human_text(bytes);
}

std::string turning(const OsdDrive& drive) {
  if (!drive.rotational) return "";
  return *drive.rotational ? "disk" : "flash";
}

class Comparison {
 public:
  Comparison(const Osd& a, const Osd& b, const MatchLimits& limits)
      : m_a(a), m_b(b), m_limits(limits) {}

  std::vector<Confounder> run() {
    state();
    drives();
    format();
    load();
    host();
    fast_drive();
    config();
    health();
    std::stable_sort(m_found.begin(), m_found.end(), [](const Confounder& a, const Confounder& b) {
      return std::pair(a.gravity, a.weight) > std::pair(b.gravity, b.weight);
    });
    return std::move(m_found);
  }

 private:
  void add(std::string_view what, std::string a, std::string b, Gravity gravity,
           std::uint32_t weight = 0) {
    m_found.push_back({std::string(what), std::move(a), std::move(b), gravity, weight});
  }

  // Alike or not: what is empty is not known.
  void same(std::string_view what, std::string a, std::string b, Gravity gravity,
            std::uint32_t weight = 0) {
    if (a.empty() || b.empty()) return add(what, std::move(a), std::move(b), Gravity::unknown);
    if (a != b) add(what, std::move(a), std::move(b), gravity, weight);
  }

  void state() {
    const auto text = [](const Osd& osd) { return osd.up ? (osd.in ? "up" : "out") : "down"; };
    // Two that are down are alike and cannot be measured.
    if (!m_a.up || !m_b.up || !m_a.in || !m_b.in) {
      add("state", text(m_a), text(m_b), Gravity::unfair);
    }
    same("class", m_a.device_class, m_b.device_class, Gravity::unfair);
  }

  void drives() {
    same("rotational", turning(m_a.data), turning(m_b.data), Gravity::unfair);
    same("drive model", m_a.data.model, m_b.data.model, Gravity::unfair);
    const Bytes a = m_a.data.size;
    const Bytes b = m_b.data.size;
    if (a.count == 0 || b.count == 0) return add("size", text_of(a), text_of(b), Gravity::unknown);
    if (apart(static_cast<double>(a.count), static_cast<double>(b.count), m_limits.size_ratio)) {
      add("size", text_of(a), text_of(b), Gravity::unfair);
    }
  }

  void format() {
    same("min_alloc_size", text_of(m_a.allocation), text_of(m_b.allocation), Gravity::unfair);
    same("version", m_a.version, m_b.version, Gravity::unfair);
    // Releases before 16 do not tell it.
    if (!m_a.made_by.empty() && !m_b.made_by.empty()) {
      same("made by version", m_a.made_by, m_b.made_by, Gravity::bends, light);
    }
  }

  void fill() {
    const auto text = [](const Osd& osd) {
      return osd.fill ? fmt::format("{:.1f} %", 100 * *osd.fill) : "";
    };
    if (!m_a.fill || !m_b.fill) return add("fill", text(m_a), text(m_b), Gravity::unknown);
    const double between = std::abs(*m_a.fill - *m_b.fill);
    if (between <= m_limits.fill_noted) return;
    add("fill", text(m_a), text(m_b),
        between > m_limits.fill_unfair ? Gravity::unfair : Gravity::bends, middling);
  }

  void load() {
    fill();
    if (!m_a.pgs || !m_b.pgs) {
      add("PGs", text_of(m_a.pgs), text_of(m_b.pgs), Gravity::unknown);
    } else if (apart(*m_a.pgs, *m_b.pgs, m_limits.pgs_noted)) {
      add("PGs", text_of(m_a.pgs), text_of(m_b.pgs),
          apart(*m_a.pgs, *m_b.pgs, m_limits.pgs_unfair) ? Gravity::unfair : Gravity::bends,
          middling);
    }
    if (!m_a.primaries || !m_b.primaries) return;  // known when the PGs are
    if (apart(*m_a.primaries, *m_b.primaries, m_limits.primaries_noted)) {
      add("primaries", text_of(m_a.primaries), text_of(m_b.primaries), Gravity::bends, light);
    }
  }

  void host() {
    same("host", m_a.host(), m_b.host(), Gravity::bends, light);
    same("CPU", m_a.cpu, m_b.cpu, Gravity::bends, heavy);
    same("kernel", m_a.kernel, m_b.kernel, Gravity::bends, light);
    const auto memory_a = static_cast<double>(m_a.memory.count);
    const auto memory_b = static_cast<double>(m_b.memory.count);
    if (memory_a > 0 && memory_b > 0 && apart(memory_a, memory_b, m_limits.memory_noted)) {
      add("memory of the host", text_of(m_a.memory), text_of(m_b.memory), Gravity::bends, light);
    }
  }

  // Of the WAL or DB. Its size does not matter: a DB needs more than a WAL.
  void fast_drive() {
    const auto kept_apart = [](const Osd& osd) {
      return osd.kind != OsdKind::plain && osd.kind != OsdKind::unknown;
    };
    if (!kept_apart(m_a) || !kept_apart(m_b)) return;
    same("WAL/DB drive rotational", turning(m_a.fast), turning(m_b.fast), Gravity::unfair);
    same("WAL/DB drive model", m_a.fast.model, m_b.fast.model, Gravity::bends, heavy);
    if (m_a.fast.shared_by != m_b.fast.shared_by) {
      add("OSDs on the WAL/DB drive", text_of(m_a.fast.shared_by), text_of(m_b.fast.shared_by),
          Gravity::bends, middling);
    }
  }

  void config() {
    const auto text = [](const Osd& osd) {
      return osd.mclock_iops ? fmt::format("{:.0f}", *osd.mclock_iops) : "Ceph's default";
    };
    const bool one = m_a.mclock_iops.has_value() != m_b.mclock_iops.has_value();
    const bool both = m_a.mclock_iops && m_b.mclock_iops;
    if (one || (both && apart(*m_a.mclock_iops, *m_b.mclock_iops, m_limits.capacity_noted))) {
      add("mclock capacity", text(m_a), text(m_b), Gravity::bends, middling);
    }
    std::set<std::string> names;
    for (const auto* const osd : {&m_a, &m_b}) {
      for (const auto& [name, value] : osd->settings) names.insert(name);
    }
    const auto value = [](const Osd& osd, const std::string& name) {
      const auto found = osd.settings.find(name);
      return found == osd.settings.end() ? "Ceph's default" : found->second;
    };
    for (const std::string& name : names) {
      same(name, value(m_a, name), value(m_b, name), Gravity::bends, light);
    }
  }

  void health() {
    std::set<std::string> codes;
    for (const auto* const osd : {&m_a, &m_b}) {
      for (const auto& [code, what] : osd->complaints) codes.insert(code);
    }
    const auto text = [](const Osd& osd, const std::string& code) {
      const auto found = osd.complaints.find(code);
      return found == osd.complaints.end() ? "no" : "'" + found->second + "'";
    };
    // Also when both have it: neither is then what its kind is.
    for (const std::string& code : codes) {
      add(code, text(m_a, code), text(m_b, code), Gravity::bends, heavy);
    }
  }

  const Osd& m_a;
  const Osd& m_b;
  const MatchLimits& m_limits;
  std::vector<Confounder> m_found;
};

}  // namespace

std::vector<Confounder> confounders(const Osd& a, const Osd& b, const MatchLimits& limits) {
  return Comparison(a, b, limits).run();
}

bool fair(const std::vector<Confounder>& found) {
  return std::none_of(found.begin(), found.end(), [](const Confounder& confounder) {
    return confounder.gravity == Gravity::unfair;
  });
}

std::uint32_t burden(const std::vector<Confounder>& found) {
  std::uint32_t sum = 0;
  for (const Confounder& confounder : found) {
    // An unknown value may be anything.
    sum += confounder.gravity == Gravity::bends ? confounder.weight : 0;
    sum += confounder.gravity == Gravity::unknown ? middling : 0;
  }
  return sum;
}

}  // namespace radosload::placement
