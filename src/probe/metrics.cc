#include "probe/metrics.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/label_value.h"

#include <fmt/format.h>

namespace radosload::probe {

namespace {

Time bucket_bound(std::size_t i) {
  return first_bucket * (std::int64_t{1} << i);
}

}  // namespace

// All samples of one metric must follow its HELP and TYPE lines.
class Metrics::Text {
 public:
  explicit Text(const std::string& pool)
      : m_pool(fmt::format("pool=\"{}\"", base::label_value(pool))) {}

  void metric(std::string_view name, std::string_view type, std::string_view help) {
    m_name = name;
    fmt::format_to(std::back_inserter(m_text), "# HELP {0} {1}\n# TYPE {0} {2}\n", name, help,
                   type);
  }
  template <typename Value>
  void sample(Value value, std::string_view labels = "", std::string_view suffix = "") {
    fmt::format_to(std::back_inserter(m_text), "{}{}{{{}{}{}}} {}\n", m_name, suffix, m_pool,
                   labels.empty() ? "" : ",", labels, value);
  }
  void reserve(std::size_t bytes) { m_text.reserve(bytes); }
  std::string whole() { return std::move(m_text); }

 private:
  std::string m_pool;
  std::string m_name;
  std::string m_text;
};

namespace {

// Of a pool as a whole nothing: an empty label is the same as none.
std::string osd_label(std::int32_t osd) {
  return osd < 0 ? "" : std::to_string(osd);
}

std::string labels_of(std::int32_t osd, const std::string& escaped_class, Kind kind) {
  return fmt::format(R"(osd="{}",device_class="{}",op="{}")", osd_label(osd), escaped_class,
                     kind_name(kind));
}

}  // namespace

void Metrics::add_changes(Text& text, const std::vector<Change>& standing) {
  text.metric("radosload_probe_change_ratio", "gauge",
              "Latency after the last change of an OSD, divided by that before it. Only of OSDs "
              "that changed. Without an OSD: of the pool.");
  for (const Change& change : standing) {
    if (change.osd == class_of_osds) continue;
    text.sample(change.ratio,
                fmt::format(R"(osd="{}",op="{}")", osd_label(change.osd), kind_name(change.kind)));
  }
  text.metric("radosload_probe_class_change_ratio", "gauge",
              "The same for the median of all OSDs of a device class.");
  for (const Change& change : standing) {
    if (change.osd != class_of_osds) continue;
    text.sample(change.ratio,
                fmt::format(R"(device_class="{}",op="{}")", base::label_value(change.device_class),
                            kind_name(change.kind)));
  }
}

void Metrics::add(const Round& round) {
  ++m_rounds;
  m_missed_rounds += round.missed;
  if (!round.error.empty()) ++m_failed_rounds;
  std::map<std::int32_t, OsdFigures> osds;
  for (const Visit& visit : round.visits) {
    OsdFigures figures{.device_class = visit.target.device_class};
    const auto known = m_osds.find(visit.target.osd);
    if (known != m_osds.end()) figures.failures = known->second.failures;
    for (const Kind kind : kinds) {
      figures.failures[index_of(kind)] += visit.of(kind).failed;
      Histogram& histogram = m_histograms[{visit.target.device_class, kind}];
      for (const Time response : visit.responses[index_of(kind)]) {
        ++histogram.count;
        histogram.sum += seconds(response);
        for (std::size_t i = 0; i < bucket_count; ++i) {
          if (response <= bucket_bound(i)) ++histogram.buckets[i];
        }
      }
    }
    osds[visit.target.osd] = std::move(figures);
  }
  // While the cluster is away, the counters of its OSDs stay.
  if (round.error.empty()) m_osds = std::move(osds);
  m_last = round;
}

void Metrics::add(const Change& change) {
  ++m_changes[index_of(change.kind)];
}

std::string Metrics::text(const MetricsFacts& facts, const std::vector<Change>& standing) const {
  constexpr std::size_t bytes_for_osd = 500;
  Text text(facts.pool);
  text.reserve(m_osds.size() * bytes_for_osd + (std::size_t{1} << 14U));
  text.metric("radosload_probe_interval_seconds", "gauge", "Time between two rounds.");
  text.sample(seconds(facts.interval));
  text.metric("radosload_probe_cost_ratio", "gauge",
              "Share of a drive of 77 IOPS that the probe takes.");
  text.sample(facts.share_of_drive);
  add_rounds(text);
  text.metric("radosload_probe_changes_total", "counter", "Changes of level that were found.");
  for (const Kind kind : kinds) {
    text.sample(m_changes[index_of(kind)], fmt::format("op=\"{}\"", kind_name(kind)));
  }
  add_changes(text, standing);
  add_osds(text);
  add_histograms(text);
  return text.whole();
}

void Metrics::add_rounds(Text& text) const {
  text.metric("radosload_probe_rounds_total", "counter", "Rounds that were begun.");
  text.sample(m_rounds);
  text.metric("radosload_probe_failed_rounds_total", "counter",
              "Rounds in which nothing could be probed, as while the cluster is away.");
  text.sample(m_failed_rounds);
  text.metric("radosload_probe_missed_rounds_total", "counter",
              "Rounds that were left out, because the one before took too long.");
  text.sample(m_missed_rounds);
  text.metric("radosload_probe_history_failures_total", "counter",
              "Lines that could not be written to the history.");
  text.sample(m_history_failures);
  text.metric("radosload_probe_last_round_timestamp_seconds", "gauge",
              "When the last round began, since 1970.");
  text.sample(seconds(m_last.at));
  text.metric("radosload_probe_round_duration_seconds", "gauge", "How long the last round took.");
  text.sample(seconds(m_last.took));
  text.metric("radosload_probe_osds", "gauge", "OSDs that the last round probed.");
  text.sample(std::count_if(m_last.visits.begin(), m_last.visits.end(),
                            [](const Visit& visit) { return visit.target.osd >= 0; }));
  text.metric("radosload_probe_osds_without_pgs", "gauge",
              "OSDs that were chosen and lead no PG of the pool.");
  text.sample(m_last.without_pgs.size());
}

void Metrics::add_osds(Text& text) const {
  text.metric("radosload_probe_latency_seconds", "gauge",
              "Latency of an OSD, or without one of the pool, in the last round (geometric mean). "
              "Missing when nothing was answered.");
  for (const Visit& visit : m_last.visits) {
    const std::string device_class = base::label_value(visit.target.device_class);
    for (const Kind kind : kinds) {
      const auto& typical = visit.of(kind).typical;
      if (typical) text.sample(seconds(*typical), labels_of(visit.target.osd, device_class, kind));
    }
  }
  text.metric("radosload_probe_failures_total", "counter", "Operations that failed.");
  for (const auto& [osd, figures] : m_osds) {
    const std::string device_class = base::label_value(figures.device_class);
    for (const Kind kind : kinds) {
      text.sample(figures.failures[index_of(kind)], labels_of(osd, device_class, kind));
    }
  }
}

void Metrics::add_histograms(Text& text) const {
  text.metric("radosload_probe_response_seconds", "histogram",
              "From when an operation was due until its answer, by device class.");
  for (const auto& [key, histogram] : m_histograms) {
    const std::string labels = fmt::format(R"(device_class="{}",op="{}")",
                                           base::label_value(key.first), kind_name(key.second));
    for (std::size_t i = 0; i < bucket_count; ++i) {
      text.sample(histogram.buckets[i],
                  fmt::format("{},le=\"{}\"", labels, seconds(bucket_bound(i))), "_bucket");
    }
    text.sample(histogram.count, labels + ",le=\"+Inf\"", "_bucket");
    text.sample(histogram.sum, labels, "_sum");
    text.sample(histogram.count, labels, "_count");
  }
}

}  // namespace radosload::probe
