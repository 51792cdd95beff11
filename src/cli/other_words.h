// The words that users of fio, rados bench and similar programs know, and what radosload calls the
// same. An unknown option or command is answered with them, never silently translated: the meaning
// often differs a little.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace radosload::cli {

// "fio's --iodepth is --qd here: --qd 4", for an option with its dashes and the value that was
// given (or empty). Nothing for an option that no known program has.
std::optional<std::string> other_option_hint(std::string_view option, std::string_view value);

// The command of ours that another program calls so ("ls" is "list"); empty when there is none.
std::string_view command_for(std::string_view word);

// "radosload --pool hdd --pattern radosbench-write --time 10", for the command line of rados bench
// ("-p hdd bench 10 write"); nothing when these words are no such command line.
std::optional<std::string> rados_bench_as_ours(const std::vector<std::string>& words);

}  // namespace radosload::cli
