#include "report/client_text.h"

#include "report/layout.h"

#include <fmt/format.h>

namespace radosload::report {

using record::RunRecord;

namespace {

std::string cpu_text(const RunRecord& record) {
  const auto& client = record.client;
  std::string text =
      fmt::format("CPU {:.2f} s user, {:.2f} s system", client.user_s, client.system_s);
  if (!record.client_load) return text;
  const auto share =
      record::cpu_share(*record.client_load, client.user_s + client.system_s, record.measured);
  if (share) {
    text +=
        fmt::format(" ({:.0f} % of {})", 100 * *share, counted(record.client_load->cpus, "CPU"));
  }
  return text;
}

std::string link_text(const RunRecord& record) {
  const auto& load = record.client_load;
  if (!load || load->interface.empty()) return {};
  const auto share = record::link_share(*load, record.measured);
  // The share is unknown, for example because the interface reports no speed.
  if (!share) return fmt::format("; network interface {}", load->interface);
  return fmt::format("; {:.0f} % of network interface {} ({} Mbit/s)", 100 * *share,
                     load->interface, grouped(load->link_mbit));
}

std::string held_text(const RunRecord& record) {
  const auto& load = record.client_load;
  if (!load || !load->counters) return {};
  const ClientCounters& counters = *load->counters;
  std::string text;
  const std::uint64_t waits = counters.ops_waits + counters.bytes_waits;
  if (waits > 0) {
    text += fmt::format("; librados held back {} for {} in all", counted(waits, "operation"),
                        human_text(counters.ops_wait + counters.bytes_wait));
  }
  if (counters.resent > 0)
    text += fmt::format("; {} sent again", counted(counters.resent, "operation"));
  if (counters.laggy > 0) {
    text += fmt::format("; {} without an answer for long", counted(counters.laggy, "operation"));
  }
  return text;
}

std::string pauses_text(const RunRecord& record) {
  const auto& load = record.client_load;
  if (!load || !load->pauses || load->pauses->count == 0) return {};
  const std::string sum = human_text(load->pauses->sum);
  if (load->pauses->count == 1) return fmt::format("; did not run for {}", sum);
  return fmt::format("; did not run {} times, for {} in all", load->pauses->count, sum);
}

}  // namespace

std::string client_text(const RunRecord& record) {
  const auto& client = record.client;
  if (client.peak_rss_mib == 0 && client.user_s == 0) return {};
  return fmt::format("{}; memory at most {} MiB{}{}{}", cpu_text(record),
                     rate_text(client.peak_rss_mib), link_text(record), held_text(record),
                     pauses_text(record));
}

}  // namespace radosload::report
