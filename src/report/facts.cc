#include "report/facts.h"

#include <cctype>
#include <set>
#include <utility>

#include "radosload/outcome.h"

#include "report/layout.h"

#include <fmt/format.h>

namespace radosload::report {

using record::RunRecord;

namespace {

// The first "digits.digits.digits" in a text such as "ceph version 18.2.7 (6b0e9...) reef".
std::string version_number(std::string_view text) {
  for (std::size_t start = 0; start < text.size(); ++start) {
    std::size_t end = start;
    int dots = 0;
    while (end < text.size() &&
           (std::isdigit(static_cast<unsigned char>(text[end])) != 0 || text[end] == '.')) {
      dots += text[end] == '.' ? 1 : 0;
      ++end;
    }
    if (dots == 2) return std::string(text.substr(start, end - start));
    if (end > start) start = end;
  }
  return {};
}

std::vector<std::string> image_names(const RunRecord& record) {
  std::vector<std::string> names;
  for (const record::ImageFacts& image : record.header.environment.images) {
    names.push_back(image.name);
  }
  return names;
}

}  // namespace

std::string where_text(const RunRecord& record) {
  const auto& plan = record.header.plan;
  const std::string pool = plan.text_at("pool");
  if (pool.empty()) return fmt::format("target {}", plan.text_at("target"));
  if (plan.text_at("target") != "rbd") return fmt::format("pool {}", pool);
  const std::vector<std::string> images = image_names(record);
  const auto& data = record.header.environment.data_pool;
  return fmt::format("{} {} in pool {}{}", images.size() > 1 ? "images" : "image",
                     joined(images, ", "), pool,
                     data ? fmt::format(", data in pool {}", data->name) : "");
}

std::string etcd_text(const RunRecord& record) {
  constexpr Time limit = std::chrono::milliseconds(10);  // what etcd's own documentation asks for
  if (record.header.plan.text_at("pattern") != "etcd-wal") return {};
  const record::Cell* pair = nullptr;
  for (const record::Cell& cell : record.kinds) {
    // Without a flush the write alone is durable when it is answered.
    if (cell.kind == OpKind::sync || (cell.kind == OpKind::write && pair == nullptr)) pair = &cell;
  }
  if (pair == nullptr) return {};
  const record::Ranked p99 = record::response_ranks(*pair).percentile(record::p99);
  const Time found(static_cast<Time::rep>(p99.ns));
  // More than less than the limit may be either.
  const bool beyond = p99.kind == record::Ranked::Kind::beyond;
  if (p99.kind == record::Ranked::Kind::unknown || (beyond && found < limit)) return {};
  return fmt::format("p99 of {} is {}: {} the {} that etcd asks for",
                     pair->kind == OpKind::sync ? "write + flush" : "a durable write",
                     ranked_text(p99), found < limit ? "below" : "NOT below", human_text(limit));
}

std::string pattern_text(const RunRecord& record) {
  const auto& plan = record.header.plan;
  std::vector<std::string> parts = {plan.text_at("op")};
  if (const auto percent = plan.number_at("read"); percent && parts[0] == "mixed")
    parts.push_back(fmt::format("{} % read", *percent));
  parts.push_back(fmt::format("{} {}", plan.text_at("access"), plan.text_at("bs")));
  if (plan.text_at("dist") == "zipf")
    parts.push_back(fmt::format("zipf {}", plan.text_at("theta")));
  return fmt::format("{}: {}", plan.text_at("pattern"), joined(parts, ", "));
}

std::string load_text(const RunRecord& record) {
  const auto& plan = record.header.plan;
  const std::string arrival = plan.text_at("arrival");
  if (arrival == "constant" || arrival == "poisson") {
    return fmt::format("open loop at {} ops/s, {} arrivals, qd at most {}",
                       rate_text(plan.number_at("rate").value_or(0)), arrival, plan.text_at("qd"));
  }
  return fmt::format("closed loop at qd {}", plan.text_at("qd"));
}

std::string versions_text(const RunRecord& record) {
  std::set<std::string> versions;
  for (const auto& [version, daemons] : record.header.environment.ceph_versions) {
    if (std::string number = version_number(version); !number.empty()) versions.insert(number);
  }
  return joined({versions.begin(), versions.end()}, ", ");
}

std::string errors_text(const std::vector<record::ErrorCount>& errors) {
  std::vector<std::string> parts;
  parts.reserve(errors.size());
  for (const record::ErrorCount& error : errors) {
    parts.push_back(fmt::format("{} {}", grouped(error.count), rc_name(error.rc)));
  }
  return joined(parts, ", ");
}

bool reads_verified(std::string_view how) {
  return how != "off" && how != "false";
}

std::string lost_operations(const record::RunRecord& record, const record::Cell& total) {
  std::uint64_t timed_out = 0;
  for (const record::ErrorCount& error : total.errors) {
    if (error.rc == -ETIMEDOUT) timed_out += error.count;
  }
  std::vector<std::string> parts;
  for (const auto& [count, fate] : {std::pair{record.measured_flow.cancelled, "cancelled"},
                                    {timed_out, "timed out"},
                                    {record.unfinished, "never answered"},
                                    {record.unissued, "due but never sent"}}) {
    if (count > 0) parts.push_back(counted(count, "operation") + " " + fate);
  }
  return joined(parts, ", ");
}

std::string grade_text(const record::Grade& grade) {
  const std::string name(record::grade_name(grade.value));
  return grade.reasons.empty() ? name : fmt::format("{}: {}", name, joined(grade.reasons, "; "));
}

std::string no_verdict() {
  return paragraph("",
                   "No verdict: these are single runs, and without repeats nobody can tell a "
                   "difference from chance.",
                   indent, 0);
}

}  // namespace radosload::report
