// Maps the options and commands of fio, rados bench and similar programs to radosload's. An unknown
// option or command is answered with a hint and never translated silently, because meanings often
// differ slightly.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace radosload::cli {

// "fio's --iodepth is --qd here: --qd 4", for an option with its dashes and its value (or empty).
// Empty for an option that no known program has.
std::optional<std::string> other_option_hint(std::string_view option, std::string_view value);

// radosload's command for another program's ("ls" is "list"); empty when there is none.
std::string_view command_for(std::string_view word);

// "radosload --pool hdd --pattern radosbench-write --time 10", for the command line of rados bench
// ("-p hdd bench 10 write"); empty for any other command line.
std::optional<std::string> rados_bench_as_ours(const std::vector<std::string>& words);

}  // namespace radosload::cli
