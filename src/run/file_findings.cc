#include "run/file_findings.h"

#include <algorithm>
#include <array>
#include <cerrno>

#include <fmt/format.h>

namespace radosload::run {

namespace {

struct ErrorMeaning {
  int rc;
  const char* cause;
  const char* hint;
};

constexpr std::array<ErrorMeaning, 6> meanings = {{
    {-ESHUTDOWN, "an MDS has evicted this client",
     "see 'ceph osd blocklist ls', and the log of the MDS"},
    {-ENOTCONN, "the client has lost its session with the MDS", "see the log of the MDS"},
    {-EDQUOT, "the quota of a directory is used up",
     "raise it (ceph.quota.max_bytes, ceph.quota.max_files), or use fewer or smaller files"},
    {-ENOSPC, "a pool of the file system is full", "see 'ceph df'"},
    {-EACCES, "the user may not do this there",
     "see 'ceph auth get' of the user, and the permissions of /radosload"},
    {-EPERM, "the user may not do this there",
     "see 'ceph auth get' of the user: it needs rw for the file system, and for its data pool"},
}};

const ErrorMeaning* meaning_of(int rc) {
  const auto* const found = std::find_if(meanings.begin(), meanings.end(),
                                         [rc](const ErrorMeaning& one) { return one.rc == rc; });
  return found == meanings.end() ? nullptr : found;
}

}  // namespace

std::vector<std::string> file_findings(const PassEnd& pass) {
  std::vector<std::string> findings;
  for (const auto& error : record::total_of(pass.total.kinds).errors) {
    const ErrorMeaning* const meaning = meaning_of(error.rc);
    if (meaning == nullptr) continue;
    findings.push_back(fmt::format("{} operations failed with {}: {}; {}", error.count,
                                   rc_name(error.rc), meaning->cause, meaning->hint));
  }
  return findings;
}

std::string file_hint(int rc) {
  const ErrorMeaning* const meaning = meaning_of(rc);
  return meaning == nullptr ? "" : fmt::format("{}: {}", meaning->cause, meaning->hint);
}

}  // namespace radosload::run
