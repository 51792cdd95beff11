#include "target/sim_model.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <string>

#include "radosload/op.h"

#include <boost/math/special_functions/erf.hpp>
#include <fmt/format.h>

namespace radosload::target {

namespace {

using Words = std::vector<std::string_view>;

Words split(std::string_view text, char separator) {
  Words words;
  while (true) {
    const std::size_t end = text.find(separator);
    words.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return words;
    text.remove_prefix(end + 1);
  }
}

Error invalid(std::string_view text, std::string_view reason) {
  return Error{.attempt = fmt::format("parse '{}' in --sim", text),
               .reason = std::string(reason),
               .hint = "example: --sim latency=lognormal:1ms:0.5,osds=7,slow=3:4,error=EIO:0.01",
               .exit = Exit::usage};
}

Result<double> parse_real(std::string_view text, double least, double most) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (!whole || !(value >= least && value <= most)) {
    return fail(invalid(text, fmt::format("expected a number from {} to {}", least, most)));
  }
  return value;
}

Result<int> parse_errno(std::string_view text) {
  constexpr int last = 133;
  for (int number = 1; number <= last; ++number) {
    if (errno_name(number) == text) return -number;
  }
  return fail(invalid(text, "it is not the name of an errno"));
}

Status set_latency(SimModel& model, const Words& words) {
  using Kind = LatencyLaw::Kind;
  constexpr std::array<std::pair<std::string_view, Kind>, 4> laws = {
      {{"const", Kind::constant},
       {"uniform", Kind::uniform},
       {"exp", Kind::exponential},
       {"lognormal", Kind::lognormal}}};
  const auto* const law =
      std::find_if(laws.begin(), laws.end(), [&](const auto& l) { return l.first == words[0]; });
  const bool two =
      law != laws.end() && law->second != Kind::constant && law->second != Kind::exponential;
  if (law == laws.end() || words.size() != (two ? 3U : 2U)) {
    return fail(invalid(words[0],
                        "expected const:T, uniform:LOW:HIGH, exp:MEAN or lognormal:MEDIAN:SIGMA"));
  }
  RADOSLOAD_ASSIGN(const auto first, parse_duration(words[1]));
  model.latency = {.kind = law->second, .first = first};
  if (law->second == Kind::uniform) {
    RADOSLOAD_ASSIGN(const auto second, parse_duration(words[2]));
    if (second < first) return fail(invalid(words[2], "the upper bound is below the lower"));
    model.latency.second = second;
  } else if (law->second == Kind::lognormal) {
    constexpr double widest = 10;
    RADOSLOAD_ASSIGN(model.latency.sigma, parse_real(words[2], 0, widest));
  }
  // In virtual time an operation that takes none keeps a closed loop at one moment for ever.
  if (std::max(model.latency.first, model.latency.second) == Time(0)) {
    return fail(invalid(words[1], "operations must take some time"));
  }
  return {};
}

Result<std::uint32_t> parse_small(std::string_view text, std::uint64_t least, std::uint64_t most) {
  RADOSLOAD_ASSIGN(const auto count, parse_count(text));
  if (count < least || count > most) {
    return fail(invalid(text, fmt::format("expected a number from {} to {}", least, most)));
  }
  return static_cast<std::uint32_t>(count);
}

constexpr std::uint32_t most_osds = 100000;

Status set_slow(SimModel& model, const Words& words) {
  constexpr double fastest = 0.001;
  constexpr double slowest = 1e6;
  if (words.size() != 2) return fail(invalid(words[0], "expected slow=OSD:FACTOR"));
  RADOSLOAD_ASSIGN(const auto osd, parse_small(words[0], 0, most_osds));
  RADOSLOAD_ASSIGN(const auto factor, parse_real(words[1], fastest, slowest));
  model.slow.push_back({static_cast<std::int32_t>(osd), factor});
  return {};
}

Status set_error(SimModel& model, const Words& words) {
  if (words.size() != 2) return fail(invalid(words[0], "expected error=ERRNO:PROBABILITY"));
  RADOSLOAD_ASSIGN(const auto rc, parse_errno(words[0]));
  RADOSLOAD_ASSIGN(const auto probability, parse_real(words[1], 0, 1));
  model.failures.push_back({rc, probability});
  return {};
}

Status set_stall(SimModel& model, const Words& words) {
  if (words.size() != 2 && words.size() != 3) {
    return fail(invalid(words[0], "expected stall=AT:LENGTH or stall=AT:LENGTH:OSD"));
  }
  RADOSLOAD_ASSIGN(const auto at, parse_duration(words[0]));
  RADOSLOAD_ASSIGN(const auto length, parse_duration(words[1]));
  std::int32_t osd = no_osd;
  if (words.size() == 3) {
    RADOSLOAD_ASSIGN(const auto named, parse_small(words[2], 0, most_osds));
    osd = static_cast<std::int32_t>(named);
  }
  model.stalls.push_back({at, length, osd});
  return {};
}

template <auto Field>
Status set_count(SimModel& model, const Words& words) {
  RADOSLOAD_ASSIGN(const auto count,
                   parse_small(words[0], Field == &SimModel::osds ? 1 : 0, most_osds));
  model.*Field = count;
  return {};
}

template <auto Field>
Status set_probability(SimModel& model, const Words& words) {
  RADOSLOAD_ASSIGN(const auto probability, parse_real(words[0], 0, 1));
  model.*Field = probability;
  return {};
}

// Sets the probability, and keeps contents: that is all lose=0 does.
template <auto Field>
Status set_fault(SimModel& model, const Words& words) {
  model.keeps_content = true;
  return set_probability<Field>(model, words);
}

struct Key {
  std::string_view name;
  Status (*set)(SimModel&, const Words&);
};
constexpr std::array<Key, 13> keys = {{{"latency", set_latency},
                                       {"osds", set_count<&SimModel::osds>},
                                       {"servers", set_count<&SimModel::servers>},
                                       {"threads", set_count<&SimModel::threads>},
                                       {"slow", set_slow},
                                       {"error", set_error},
                                       {"stall", set_stall},
                                       {"lost", set_probability<&SimModel::lost>},
                                       {"never", set_probability<&SimModel::never>},
                                       {"lose", set_fault<&SimModel::lose>},
                                       {"tear", set_fault<&SimModel::tear>},
                                       {"reorder", set_fault<&SimModel::reorder>},
                                       {"misdirect", set_fault<&SimModel::misdirect>}}};

}  // namespace

Time LatencyLaw::quantile(double draw) const {
  const auto scaled = [](double ns) { return Time(std::llround(std::max(0.0, ns))); };
  const auto mean = static_cast<double>(first.count());
  switch (kind) {
    case Kind::constant:
      return first;
    case Kind::uniform:
      return scaled(mean + draw * static_cast<double>((second - first).count()));
    case Kind::exponential:
      return scaled(-mean * std::log1p(-draw));
    case Kind::lognormal:
      break;
  }
  const double normal = std::sqrt(2.0) * boost::math::erf_inv(2 * draw - 1);
  return scaled(mean * std::exp(sigma * normal));
}

Time SimModel::after_stalls(Time due, std::int32_t osd) const {
  for (const Stall& stall : stalls) {
    const bool concerned = stall.osd == no_osd || stall.osd == osd;
    if (concerned && due >= stall.at) due = std::max(due, stall.at + stall.length);
  }
  return due;
}

double SimModel::factor(std::int32_t osd) const {
  for (const Slow& entry : slow) {
    if (entry.osd == osd) return entry.factor;
  }
  return 1;
}

Result<SimModel> parse_sim(std::string_view text) {
  SimModel model;
  if (text.empty()) return model;
  for (const std::string_view setting : split(text, ',')) {
    const std::size_t equals = setting.find('=');
    const std::string_view name = setting.substr(0, equals);
    const auto* const key =
        std::find_if(keys.begin(), keys.end(), [&](const Key& k) { return k.name == name; });
    if (key == keys.end() || equals == std::string_view::npos) {
      return fail(invalid(setting,
                          "expected KEY=VALUE; the keys are latency, osds, servers, threads, slow, "
                          "error, stall, lost, never, lose, tear, reorder, misdirect"));
    }
    RADOSLOAD_TRY(key->set(model, split(setting.substr(equals + 1), ':')));
  }
  return model;
}

}  // namespace radosload::target
