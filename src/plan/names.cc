#include "plan/names.h"

namespace radosload::plan {

namespace {

template <typename Names, typename Enum>
std::string_view name_in(const Names& names, Enum value) {
  return names.at(static_cast<std::size_t>(value));
}

}  // namespace

std::string_view name_of(TargetKind target) {
  return name_in(target_names, target);
}

std::string_view name_of(CacheMode cache) {
  return name_in(cache_names, cache);
}

std::string_view name_of(Arrival::Law law) {
  static constexpr std::array<std::string_view, 3> names = {"closed", "constant", "poisson"};
  return name_in(names, law);
}

std::string_view name_of(Access access) {
  return access == Access::random ? "random" : "sequential";
}

std::string_view operation_name(const Pattern& pattern) {
  if (pattern.metadata) return op_kind_name(*pattern.metadata);
  if (!pattern.writes_data()) return op_kind_name(OpKind::read);
  return pattern.reads_data() ? "mixed" : op_kind_name(OpKind::write);
}

}  // namespace radosload::plan
