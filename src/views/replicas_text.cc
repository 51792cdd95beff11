#include "views/replicas_text.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "radosload/printable.h"

#include "report/facts.h"
#include "report/layout.h"

#include <fmt/format.h>

namespace radosload::views {

namespace {

using report::Align;
using report::counted;
using report::line;
using stats::Effect;
using stats::Member;
using stats::Verdict;

constexpr double most_as_factor = 9999;

std::string times_text(double factor) {
  return factor > most_as_factor ? ">x9999" : fmt::format("x{:.{}f}", factor, factor < 10 ? 2 : 0);
}

// "+23 %" for the logarithm of 1.23; "x15" for that of 15.
std::string percent_text(double effect) {
  constexpr double percent = 100;
  constexpr double better_as_factor = 10;
  const double factor = std::exp(effect);
  if (factor >= better_as_factor) return times_text(factor);
  return fmt::format("{:+.0f} %", percent * (factor - 1));
}

// All in one form, so that a column compares at a glance: "x43 (x33 to x54)" above "x0.99 (...)".
std::string effect_text(const std::optional<Effect>& effect) {
  if (!effect) return "-";
  return fmt::format("{} ({} to {})", times_text(std::exp(effect->estimate)),
                     times_text(std::exp(effect->low)), times_text(std::exp(effect->high)));
}

std::string factor_text(double effect) {
  constexpr double most = 1000;
  const double factor = std::exp(effect);
  return factor > most ? "more than 1000" : fmt::format("{:.{}f}", factor, factor < 10 ? 1 : 0);
}

std::string ids_text(const std::vector<std::int32_t>& ids, std::string_view separator) {
  std::vector<std::string> names;
  names.reserve(ids.size());
  for (const std::int32_t id : ids) names.push_back(fmt::format("osd.{}", id));
  return report::joined(names, separator);
}

// One property of the OSDs of a member, each value once.
std::string known_text(const ReplicaStudy& study, const Member& member,
                       const std::function<std::string(const placement::Osd&)>& part) {
  std::vector<std::string> texts;
  for (const std::int32_t id : member.ids) {
    const placement::Osd* const osd = study.osds.find(id);
    const std::string text = osd != nullptr ? part(*osd) : "";
    if (!text.empty() && std::find(texts.begin(), texts.end(), text) == texts.end()) {
      texts.push_back(text);
    }
  }
  return texts.empty() ? "-" : report::joined(texts, ",");
}

// "40 ms"; "> 8 s" where lost writes stand.
std::string tail_text(const std::optional<stats::TailTime>& tail) {
  if (!tail) return "-";
  return (tail->beyond ? "> " : "") + human_text(tail->time);
}

std::string drive_of(const placement::Osd& osd) {
  return osd.data.model.empty() ? osd.data.names : osd.data.model;
}

std::string table_text(const ReplicaStudy& study) {
  report::Table table({{"OSD", Align::left},
                       {"host", Align::left},
                       {"class", Align::left},
                       {"drive", Align::left},
                       {"PGs"},
                       {"writes"},
                       {"a write takes"},
                       {"p99 without"},
                       {"verdict", Align::left}});
  const auto& told = study.replicas.told;
  for (std::size_t i = 0; i < told.members.size(); ++i) {
    const Member& member = told.members[i];
    table.add({ids_text(member.ids, ","),
               known_text(study, member, [](const auto& osd) { return osd.host(); }),
               known_text(study, member, [](const auto& osd) { return osd.device_class; }),
               known_text(study, member, drive_of), report::grouped(member.groups),
               report::grouped(member.operations), effect_text(member.effect),
               tail_text(study.replicas.p99_without[i]), std::string(verdict_name(member.told))});
  }
  return table.text(report::indent);
}

std::string seen_text(const ReplicaStudy& study) {
  const auto& replicas = study.replicas;
  std::string text = fmt::format(
      "{} on {} of the pool's {} PGs, each on {}", counted(replicas.told.operations, "write"),
      replicas.told.groups, report::grouped(replicas.pool_pgs), counted(replicas.set_size, "OSD"));
  if (replicas.p99) text += "; p99 " + tail_text(replicas.p99);
  return text;
}

std::string lost_writes_text(std::uint64_t lost) {
  if (lost == 0) return {};
  return counted(lost, "write") +
         " cancelled, timed out or never answered: they count with the time they had waited, so "
         "what a write takes and p99 are at least as long as shown";
}

std::string left_out_text(const study::LeftOut& left_out) {
  std::vector<std::string> parts;
  const auto add = [&parts](std::uint64_t count, const char* why) {
    if (count > 0) parts.push_back(fmt::format("{} {}", counted(count, "write"), why));
  };
  add(left_out.moved, "on PGs that moved");
  add(left_out.incomplete, "on acting sets that lack an OSD");
  add(left_out.unknown, "on unknown PGs");
  return report::joined(parts, ", ");
}

std::string compared_text(const ReplicaStudy& study) {
  const auto& told = study.replicas.told;
  if (told.peers.size() < 2) return {};
  std::vector<std::string> groups;
  constexpr std::size_t most = 8;
  for (const auto& peers : told.peers) {
    std::vector<std::int32_t> ids;
    for (const std::size_t i : peers) {
      ids.insert(ids.end(), told.members[i].ids.begin(), told.members[i].ids.end());
    }
    if (groups.size() < most) groups.push_back(ids_text(ids, ","));
  }
  if (told.peers.size() > most) groups.emplace_back("...");
  return fmt::format("only within these groups of OSDs, which no acting set connects: {}",
                     report::joined(groups, "; "));
}

std::string ids_told_as(const ReplicaStudy& study, Verdict told) {
  std::vector<std::int32_t> ids;
  for (const Member& member : study.replicas.told.members) {
    if (member.told == told) ids.insert(ids.end(), member.ids.begin(), member.ids.end());
  }
  return ids_text(ids, ", ");
}

std::vector<const Member*> told_as(const ReplicaStudy& study, Verdict told) {
  std::vector<const Member*> members;
  for (const Member& member : study.replicas.told.members) {
    if (member.told == told) members.push_back(&member);
  }
  return members;
}

std::string p99_sentence(const ReplicaStudy& study, const Member& member) {
  const auto& all = study.replicas.told.members;
  const auto place = static_cast<std::size_t>(&member - all.data());
  const auto without = study.replicas.p99_without[place];
  if (!study.replicas.p99 || !without) return {};
  return fmt::format(" Without {} the pool's p99 would be {} in place of {}.",
                     member.ids.size() > 1 ? "them" : "it", tail_text(without),
                     tail_text(study.replicas.p99));
}

// The effect of all OSDs of a member together, against as many average OSDs.
std::string slow_sentence(const ReplicaStudy& study, const Member& member) {
  const Effect& effect = *member.effect;
  const std::size_t count = member.ids.size();
  const std::string times =
      fmt::format("a write takes {} times as long as {} ({} to {}).", factor_text(effect.estimate),
                  count > 1 ? fmt::format("with {} other OSDs", count) : "with another OSD",
                  factor_text(effect.low), factor_text(effect.high));
  if (count > 1) {
    return fmt::format(
        "{} is slow, or more than one of them: with them in the acting set {} No acting set has "
        "one without the other{}, so this pool does not show which.{}",
        ids_text(member.ids, " or "), times, count > 2 ? "s" : "", p99_sentence(study, member));
  }
  const bool alone = study.replicas.set_size == 1;
  return fmt::format("{} is slow: {}{}{}", ids_text(member.ids, ""),
                     alone ? "on it " : "with it in the acting set ", times,
                     p99_sentence(study, member));
}

std::string none_sentence(const ReplicaStudy& study) {
  const double least = study.rules.least_effect;
  const std::string none = "No slow OSD found";
  const auto unseen = study.replicas.told.unseen();
  if (!unseen) return none + ": no OSD could be compared with another.";
  const std::string by = percent_text(*unseen);
  if (*unseen <= std::log1p(least)) {
    return fmt::format("{}: none makes writes longer by more than {}.", none, by);
  }
  return fmt::format(
      "{} that makes writes longer by {:.0f} % or more. An effect of up to {} is not ruled out: a "
      "longer run, or one on more objects, narrows it down.",
      none, 100 * least, by);
}

}  // namespace

std::vector<std::string> replicas_verdict(const ReplicaStudy& study) {
  std::vector<std::string> sentences;
  for (const Member* const member : told_as(study, Verdict::slow)) {
    sentences.push_back(slow_sentence(study, *member));
  }
  if (sentences.empty()) sentences.push_back(none_sentence(study));
  const auto add = [&](Verdict told, const char* text) {
    const std::string ids = ids_told_as(study, told);
    if (!ids.empty()) sentences.push_back(fmt::format(fmt::runtime(text), ids));
  };
  add(Verdict::fast, "Faster than the others: {}.");
  add(Verdict::scarce,
      "Too few PGs to judge: {}; each needs several PGs with it and several without it.");
  add(Verdict::inseparable,
      "Not identifiable: {}; the acting sets do not separate them from other OSDs.");
  if (study.record.grade.value == record::GradeValue::void_run ||
      study.record.grade.value == record::GradeValue::contaminated) {
    sentences.emplace_back(
        "The run was disturbed (see its grade): repeat it before replacing hardware.");
  }
  return sentences;
}

std::string replicas_text(const ReplicaStudy& study) {
  const record::RunRecord& record = study.record;
  std::string text =
      printable(fmt::format("{}, replicas of pool {}, run {}, {}", record.header.program,
                            study.sets.pool, record.header.run_id, record.header.started)) +
      "\n\n";
  text += line("where", report::where_text(record.header.plan, record.header.environment));
  text += line("pattern", report::pattern_text(record.header.plan));
  text += line("load", report::load_text(record.header.plan));
  text += line("grade", report::grade_text(record.grade));
  text += line("seen", seen_text(study));
  text += line("lost", lost_writes_text(study.replicas.lost));
  text += line("left out", left_out_text(study.replicas.left_out));
  text += line("compared", compared_text(study));
  text += line(
      "effects",
      "each OSD against the average of OSDs neither slow nor fast; OSDs that are always together "
      "count as one");
  text += line("intervals",
               fmt::format("{:.0f} %, for all OSDs together; effects of {:.0f} % and more matter",
                           100 * study.rules.level, 100 * study.rules.least_effect));
  text += "\n" + table_text(study) + "\n";
  for (const std::string& warning : record.warnings) text += line("warning", warning);
  if (!study.seen_afterwards) {
    text += line("warning", "could not check whether PGs had moved by the end of the run");
  }
  for (const std::string& part : study.osds.unseen) text += line("missing", part);
  text += line("saved", study.saved_as);
  text += "\n";
  for (const std::string& sentence : replicas_verdict(study)) {
    text += report::paragraph("", sentence, 0, 0);
  }
  return text;
}

}  // namespace radosload::views
