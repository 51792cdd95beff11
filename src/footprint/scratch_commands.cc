#include "footprint/scratch_commands.h"

#include <cerrno>

#include "base/ceph_json.h"
#include "footprint/scratch_view.h"
#include "observe/rights.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace radosload::footprint {

namespace {

using Json = nlohmann::json;

// Names are the user's: they may hold anything.
std::string text_of(const Json& command) {
  return command.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

Error explained(Error error, const std::string& attempt) {
  error.attempt = attempt;
  error.subject.clear();
  if (error.errnum == EACCES) {
    const auto rights = observe::rights_for("scratch");
    error.hint =
        fmt::format("this user needs: ceph auth caps client.USER {}; {}",
                    rights ? observe::caps_text(**rights) : "", observe::rights_hint("scratch"));
    error.exit = Exit::no_cluster;
  } else if (error.errnum == EPERM || error.errnum == ERANGE || error.errnum == EBUSY ||
             error.errnum == EINVAL || error.errnum == EEXIST) {
    // Not rights: the mons have the rule against it that they tell.
    error.hint.clear();
    error.exit = Exit::refused;
  }
  return error;
}

// Daemons know what they run with, and tell the mgr; the mons' own database does not know what
// stands in a config file.
Result<std::string> running_value(AdminCommands& commands, const std::string& key) {
  RADOSLOAD_ASSIGN(const auto quorum,
                   commands.mon(R"({"prefix": "quorum_status", "format": "json"})"));
  RADOSLOAD_ASSIGN(const auto parsed, ceph_json::parse_object("quorum_status", quorum));
  return commands.mgr(text_of({{"prefix", "config show"},
                               {"who", "mon." + ceph_json::text(parsed, "quorum_leader_name")},
                               {"key", key}}));
}

Result<std::string> database_value(AdminCommands& commands, const std::string& key) {
  return commands.mon(text_of({{"prefix", "config get"}, {"who", "mon"}, {"key", key}}));
}

}  // namespace

std::string rule_command(const std::string& name, const placement::CrushTake& take) {
  Json command = {{"prefix", "osd crush rule create-replicated"},
                  {"name", name},
                  {"root", take.bucket},
                  {"type", "osd"}};
  if (!take.device_class.empty()) command["class"] = take.device_class;
  return text_of(command);
}

std::string rule_removal(const std::string& name) {
  return text_of({{"prefix", "osd crush rule rm"}, {"name", name}});
}

std::string rule_renaming(const std::string& name, const std::string& new_name) {
  return text_of({{"prefix", "osd crush rule rename"}, {"srcname", name}, {"dstname", new_name}});
}

std::string pool_renaming(const std::string& name, const std::string& new_name) {
  return text_of({{"prefix", "osd pool rename"}, {"srcpool", name}, {"destpool", new_name}});
}

std::string pool_command(const std::string& name, std::uint32_t pg_num) {
  // The autoscaler would change the number of PGs, and the new ones would have no upmaps.
  return text_of({{"prefix", "osd pool create"},
                  {"pool", name},
                  {"pg_num", pg_num},
                  {"pgp_num", pg_num},
                  {"pool_type", "replicated"},
                  {"rule", name},
                  {"size", 1},
                  {"autoscale_mode", "off"}});
}

std::string pool_removal(const std::string& name) {
  return text_of({{"prefix", "osd pool delete"},
                  {"pool", name},
                  {"pool2", name},
                  {"yes_i_really_really_mean_it", true}});
}

std::string pool_setting(const std::string& pool, std::string_view key, const std::string& value) {
  return text_of({{"prefix", "osd pool set"},
                  {"pool", pool},
                  {"var", key},
                  {"val", value},
                  {"yes_i_really_mean_it", true}});
}

std::string application_command(const std::string& pool) {
  return text_of(
      {{"prefix", "osd pool application enable"}, {"pool", pool}, {"app", scratch_application}});
}

std::string metadata_command(const std::string& pool, std::string_view key,
                             const std::string& value) {
  return text_of({{"prefix", "osd pool application set"},
                  {"pool", pool},
                  {"app", scratch_application},
                  {"key", key},
                  {"value", value}});
}

std::string weight_set_command(const std::string& pool) {
  return text_of({{"prefix", "osd crush weight-set create"}, {"pool", pool}, {"mode", "flat"}});
}

std::string weightless_command(const std::string& pool, std::int32_t osd) {
  return text_of({{"prefix", "osd crush weight-set reweight"},
                  {"pool", pool},
                  {"item", fmt::format("osd.{}", osd)},
                  {"weight", Json::array({0.0})}});
}

std::string upmap_command(std::int64_t pool, std::uint32_t pg, std::int32_t osd) {
  return text_of({{"prefix", "osd pg-upmap"},
                  {"pgid", fmt::format("{}.{:x}", pool, pg)},
                  {"id", Json::array({osd})}});
}

Status tell_mons(AdminCommands& commands, const std::string& command, const std::string& attempt) {
  const auto answer = commands.mon(command);
  if (!answer) return fail(explained(answer.error(), attempt));
  return {};
}

Result<std::string> mon_setting(AdminCommands& commands, const std::string& key) {
  auto value = running_value(commands, key);
  if (!value) value = database_value(commands, key);
  if (!value) return fail(explained(value.error(), "see the mons' setting " + key));
  return trimmed(*std::move(value));
}

Result<bool> mon_allows(AdminCommands& commands, const std::string& key) {
  RADOSLOAD_ASSIGN(const auto value, mon_setting(commands, key));
  if (value == "true") return true;
  const auto stored = database_value(commands, key);
  return stored && trimmed(*stored) == "true";
}

}  // namespace radosload::footprint
