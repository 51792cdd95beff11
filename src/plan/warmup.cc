#include "plan/warmup.h"

#include "plan/option_fields.h"

#include <fmt/format.h>

namespace radosload::plan {

std::string warmup_value(const RunPlan& plan) {
  return plan.warmup_auto ? std::string(auto_warmup) : radosload::option_text(plan.warmup);
}

Refusal set_warmup(RunPlan& plan, std::string_view text) {
  if (text == auto_warmup) {
    plan.warmup_auto = true;
    plan.warmup = longest_auto_warmup;
    return {};
  }
  Refusal refusal = read_into(plan.warmup, text);
  if (refusal.empty()) plan.warmup_auto = false;
  return refusal;
}

std::string warmup_words(const RunPlan& plan) {
  const std::string length = radosload::option_text(plan.warmup);
  return plan.warmup_auto ? fmt::format("a warm-up of at most {}", length)
                          : fmt::format("{} of warm-up", length);
}

}  // namespace radosload::plan
