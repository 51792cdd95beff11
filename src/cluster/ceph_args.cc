#include "cluster/ceph_args.h"

#include <array>
#include <sstream>
#include <string_view>
#include <utility>

namespace radosload::cluster {

namespace {

struct Word {
  std::string_view name;
  std::string ClusterOptions::*field;
  std::string_view prefix;  // put before the value
};

constexpr std::array<Word, 13> words = {{{"-c", &ClusterOptions::conf, ""},
                                         {"--conf", &ClusterOptions::conf, ""},
                                         {"--id", &ClusterOptions::name, "client."},
                                         {"--user", &ClusterOptions::name, "client."},
                                         {"-i", &ClusterOptions::name, "client."},
                                         {"-n", &ClusterOptions::name, ""},
                                         {"--name", &ClusterOptions::name, ""},
                                         {"-k", &ClusterOptions::keyring, ""},
                                         {"--keyring", &ClusterOptions::keyring, ""},
                                         {"-m", &ClusterOptions::mon_host, ""},
                                         {"--mon-host", &ClusterOptions::mon_host, ""},
                                         {"--mon_host", &ClusterOptions::mon_host, ""},
                                         {"--cluster", &ClusterOptions::cluster, ""}}};

void set(ClusterOptions& options, std::string_view name, const std::string& value) {
  const ClusterOptions untouched;
  for (const Word& word : words) {
    if (word.name != name) continue;
    std::string& field = options.*word.field;
    // What the command line said stays.
    if (field == untouched.*word.field) field = std::string(word.prefix) + value;
  }
}

}  // namespace

ClusterOptions with_ceph_args(ClusterOptions options, const std::string& ceph_args) {
  std::istringstream stream(ceph_args);
  ClusterOptions result = std::move(options);
  for (std::string word; stream >> word;) {
    const std::size_t equals = word.find('=');
    if (equals != std::string::npos) {
      set(result, std::string_view(word).substr(0, equals), word.substr(equals + 1));
      continue;
    }
    for (const Word& known : words) {
      if (known.name != word) continue;
      if (std::string value; stream >> value) set(result, word, value);
      break;
    }
  }
  return result;
}

}  // namespace radosload::cluster
