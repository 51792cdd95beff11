// --dry-run of a series as text and as JSON: its steps, how long they will take, and what they will
// write. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "radosload/units.h"

#include "prepare/preview_steps.h"
#include "record/series.h"

namespace radosload::views {

struct SeriesPreview {
  const record::Series& series;
  const std::vector<prepare::StepsPreview>& groups;  // at least one
  std::optional<Time> length;  // of the steps that are still to run; nothing: without a limit
};

std::string series_preview_text(const SeriesPreview& shown);
// {schema: "radosload.series-preview/1", ...}
std::string series_preview_json(const SeriesPreview& shown);

}  // namespace radosload::views
