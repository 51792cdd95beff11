// How the fields of a RunPlan are read and written as text, by their type. Internal to the table of
// options: a row names a field, as in field<&RunPlan::images, &ImagePlan::create>().
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "plan/options.h"

namespace radosload::plan {

std::string text_of(bool value);
std::string text_of(std::uint64_t value);
std::string text_of(const std::string& value);
std::string text_of(const std::vector<std::string>& value);
std::string text_of(Bytes value);
std::string text_of(Time value);

Refusal read_into(bool& value, std::string_view text);
Refusal read_into(std::uint64_t& value, std::string_view text);
Refusal read_into(std::string& value, std::string_view text);
Refusal read_into(std::vector<std::string>& value, std::string_view text);
Refusal read_into(Bytes& value, std::string_view text);
Refusal read_into(Time& value, std::string_view text);

template <typename Value>
constexpr Form form_of() {
  if (std::is_same_v<Value, bool>) return Form::flag;
  if (std::is_same_v<Value, std::uint64_t>) return Form::number;
  return std::is_same_v<Value, std::vector<std::string>> ? Form::list : Form::text;
}

// The field at the end of a chain of members.
template <auto First, auto... Rest, typename Object>
auto& member_of(Object& object) {
  if constexpr (sizeof...(Rest) == 0) {
    return object.*First;
  } else {
    return member_of<Rest...>(object.*First);
  }
}

template <auto... Members>
TextAccess field() {
  using Value = std::remove_reference_t<decltype(member_of<Members...>(std::declval<RunPlan&>()))>;
  return {
      .form = form_of<Value>(),
      .get = [](const RunPlan& plan) { return text_of(member_of<Members...>(plan)); },
      .set = [](RunPlan& plan,
                std::string_view text) { return read_into(member_of<Members...>(plan), text); }};
}

// The reason and the hint of what parse_bytes() and its like have returned.
Refusal refusal_of(const Error& error);
// Names all values, and the one nearest to the text.
Refusal wrong_choice(std::string_view text, std::span<const std::string_view> names);

// An enum whose values are called so, in their order.
template <auto& names, auto... Members>
TextAccess choice() {
  return {.get =
              [](const RunPlan& plan) {
                return std::string(names.at(static_cast<std::size_t>(member_of<Members...>(plan))));
              },
          .set =
              [](RunPlan& plan, std::string_view text) {
                auto& value = member_of<Members...>(plan);
                for (std::size_t i = 0; i < names.size(); ++i) {
                  if (names.at(i) != text) continue;
                  value = static_cast<std::remove_reference_t<decltype(value)>>(i);
                  return Refusal();
                }
                return wrong_choice(text, names);
              }};
}

// The parts of the table, put together by options().
std::vector<Option> options_of_place();
std::vector<Option> options_of_load();
std::vector<Option> options_of_power();
std::vector<Option> options_of_cluster();

}  // namespace radosload::plan
