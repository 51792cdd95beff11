// Baselines and checks against them, as people and programs read them. Pure.
#pragma once

#include <string>
#include <vector>

#include "record/baseline.h"
#include "study/baseline_judge.h"
#include "views/verdicts.h"

namespace radosload::views {

struct BaselineShown {
  record::Baseline baseline;
  std::vector<study::GroupOutlook> groups;
  std::string path;  // of its file
};

// Everything of one, after `keep` and for `show`.
std::string baseline_text(const BaselineShown& shown);
// A line for each.
std::string baselines_text(const std::vector<BaselineShown>& all);
// {schema: "radosload.baselines/1", baselines: [{name, kept, ...}]}
std::string baselines_json(const std::vector<BaselineShown>& all);

// One load of a check.
struct GroupChecked {
  std::string load;
  std::string where;
  std::vector<std::string> runs_before;  // IDs
  std::vector<std::string> runs_now;
  Verdicts verdicts;
  study::Outcome outcome = study::Outcome::none;
};

struct BaselineChecked {
  std::string name;
  std::string kept;
  std::string versions_before = {};  // of Ceph; empty without a cluster
  std::string versions_now = {};
  std::vector<study::PlaceChange> changes = {};
  std::vector<GroupChecked> groups = {};
  std::vector<std::string> warnings = {};
  study::Outcome outcome() const;
};

// "Ceph version: 16.2.15, now 18.2.7"
std::string change_text(const study::PlaceChange& change);
std::string check_text(const BaselineChecked& checked);
std::string check_markdown(const BaselineChecked& checked);
// {schema: "radosload.baseline-check/1", baseline, kept, result, changes, loads, warnings}
std::string check_json(const BaselineChecked& checked);

}  // namespace radosload::views
