#include "radosload/units.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

namespace radosload {

namespace {

struct Unit {
  std::string_view name;
  double scale;
};

constexpr double minute_ns = 60e9;
constexpr double hour_ns = 3600e9;
constexpr double day_ns = 24 * hour_ns;
// The short names, smallest first: what is printed.
constexpr std::array<Unit, 6> time_units = {
    {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"m", minute_ns}, {"h", hour_ns}}};
// Names that are understood as well.
constexpr std::array<Unit, 16> other_time_units = {{{"nsec", 1},
                                                    {"usec", 1e3},
                                                    {"msec", 1e6},
                                                    {"sec", 1e9},
                                                    {"secs", 1e9},
                                                    {"second", 1e9},
                                                    {"seconds", 1e9},
                                                    {"min", minute_ns},
                                                    {"mins", minute_ns},
                                                    {"minute", minute_ns},
                                                    {"minutes", minute_ns},
                                                    {"hour", hour_ns},
                                                    {"hours", hour_ns},
                                                    {"d", day_ns},
                                                    {"day", day_ns},
                                                    {"days", day_ns}}};

constexpr std::string_view byte_letters = "KMGTP";

char upper(char letter) {
  return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
}

// The power of 1024 of "k", "K", "KiB", "m", "M", ...; "" and "B" are 1.
std::optional<double> byte_scale(std::string_view unit) {
  if (unit.empty() || unit == "B") return 1;
  const std::size_t power = byte_letters.find(upper(unit.front()));
  const std::string_view rest = unit.substr(1);
  if (power == std::string_view::npos || !(rest.empty() || rest == "iB")) return std::nullopt;
  return std::pow(1024.0, static_cast<double>(power + 1));
}

// "GB" and its like: some programs mean powers of 1000 by it, others powers of 1024.
bool is_ambiguous(std::string_view unit) {
  return unit.size() == 2 && byte_letters.find(upper(unit[0])) != std::string_view::npos &&
         upper(unit[1]) == 'B';
}

std::optional<double> time_scale(std::string_view unit) {
  if (unit.empty()) return 1e9;
  for (const Unit& known : time_units) {
    if (known.name == unit) return known.scale;
  }
  for (const Unit& known : other_time_units) {
    if (known.name == unit) return known.scale;
  }
  return std::nullopt;
}

struct Number {
  double value;
  std::string_view unit;
};

std::optional<Number> split_number(std::string_view text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, std::chars_format::fixed);
  if (error != std::errc() || !std::isfinite(value) || value < 0 || std::signbit(value)) {
    return std::nullopt;
  }
  return Number{value, text.substr(static_cast<std::size_t>(stop - text.data()))};
}

tl::unexpected<Error> unreadable(std::string_view what, std::string_view text, std::string reason,
                                 std::string hint) {
  return fail({.attempt = fmt::format("read the {} '{}'", what, text),
               .reason = std::move(reason),
               .hint = std::move(hint),
               .exit = Exit::usage});
}

// "1h30m" in nanoseconds: numbers with units, each smaller than the one before it.
std::optional<double> sum_of_durations(std::string_view text) {
  double sum = 0;
  double last_scale = std::numeric_limits<double>::infinity();
  bool first = true;
  while (first || !text.empty()) {
    const auto number = split_number(text);
    if (!number) return std::nullopt;
    const std::size_t letters =
        std::min(number->unit.find_first_of("0123456789."), number->unit.size());
    const std::string_view unit = number->unit.substr(0, letters);
    text = number->unit.substr(letters);
    const auto scale = time_scale(unit);
    const bool bare_part = unit.empty() && !(first && text.empty());
    if (!scale || bare_part || *scale >= last_scale) return std::nullopt;
    sum += number->value * *scale;
    last_scale = *scale;
    first = false;
  }
  return sum;
}

// Three significant digits without a trailing ".0", in the largest unit that keeps it >= 1.
std::string scaled_text(double value, std::span<const Unit> units) {
  const Unit* chosen = units.data();
  for (const Unit& unit : units) {
    if (value >= unit.scale) chosen = &unit;
  }
  const double shown = value / chosen->scale;
  if (shown >= 999.5 || shown == std::floor(shown)) {
    return fmt::format("{:.0f} {}", shown, chosen->name);
  }
  return fmt::format("{:.3g} {}", shown, chosen->name);
}

}  // namespace

Result<Bytes> parse_bytes(std::string_view text) {
  const std::string hint = "write 4k, 1M, 2G or a number of bytes; sizes are binary: 4k is 4096";
  const auto number = split_number(text);
  if (number && is_ambiguous(number->unit)) {
    const char letter = number->unit[0] == 'k' ? 'k' : upper(number->unit[0]);
    return unreadable("size", text,
                      fmt::format("'{}' may count in 1000s or in 1024s", number->unit),
                      fmt::format("write {0}{1} (or {0}{2}iB), which counts in 1024s",
                                  text.substr(0, text.size() - 2), letter, upper(letter)));
  }
  const auto scale = number ? byte_scale(number->unit) : std::nullopt;
  if (!scale) return unreadable("size", text, "it is not a size", hint);
  const double count = number->value * *scale;
  if (count != std::floor(count)) {
    return unreadable("size", text, "it is not a whole number of bytes", hint);
  }
  constexpr double limit = 9.2e18;  // below 2^63, so that sums of a few still fit
  if (count > limit) {
    return unreadable("size", text, "it is larger than anything Ceph can hold", hint);
  }
  return Bytes{static_cast<std::uint64_t>(count)};
}

Result<Time> parse_duration(std::string_view text) {
  const std::string hint = "write 30s, 5m, 1h30m, 250ms, or a number of seconds";
  const auto count = sum_of_durations(text);
  if (!count) return unreadable("duration", text, "it is not a duration", hint);
  constexpr double limit = 3.15e17;  // ten years in nanoseconds
  if (*count > limit) return unreadable("duration", text, "the limit is ten years", hint);
  return Time(static_cast<std::int64_t>(std::llround(*count)));
}

Result<std::uint64_t> parse_count(std::string_view text) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc() || stop != end) {
    return unreadable("number", text, "it is not a whole number",
                      "write digits only, such as 1000");
  }
  return value;
}

std::optional<bool> parse_switch(std::string_view text) {
  if (text == "yes" || text == "true" || text == "on") return true;
  if (text == "no" || text == "false" || text == "off") return false;
  return std::nullopt;
}

std::string option_text(Bytes bytes) {
  constexpr std::string_view letters = "kMGTP";
  std::uint64_t count = bytes.count;
  std::size_t power = 0;
  while (count != 0 && count % 1024 == 0 && power < letters.size()) {
    count /= 1024;
    ++power;
  }
  return power == 0 ? fmt::format("{}", count) : fmt::format("{}{}", count, letters[power - 1]);
}

std::string option_text(Time time) {
  const std::int64_t ns = time.count();
  if (ns == 0) return "0s";
  // The largest that it is a whole number of.
  const auto fits = [ns](const Unit& unit) {
    return ns % static_cast<std::int64_t>(unit.scale) == 0;
  };
  const auto unit = std::find_if(time_units.rbegin(), time_units.rend(), fits);
  if (unit == time_units.rend()) return fmt::format("{}ns", ns);
  return fmt::format("{}{}", ns / static_cast<std::int64_t>(unit->scale), unit->name);
}

std::string human_text(Bytes bytes) {
  constexpr double k = 1024;
  constexpr std::array<Unit, 6> units = {{{"B", 1},
                                          {"KiB", k},
                                          {"MiB", k * k},
                                          {"GiB", k * k * k},
                                          {"TiB", k * k * k * k},
                                          {"PiB", k * k * k * k * k}}};
  return scaled_text(static_cast<double>(bytes.count), units);
}

std::string human_text(Time time) {
  constexpr std::int64_t minute = 60;
  constexpr std::int64_t hour = 3600;
  constexpr std::int64_t day = 24 * hour;
  const std::int64_t whole = std::llround(seconds(time));
  if (whole >= 2 * day) return fmt::format("{} d {} h", whole / day, whole % day / hour);
  if (whole >= hour) return fmt::format("{} h {} m", whole / hour, whole % hour / minute);
  if (whole >= 2 * minute) return fmt::format("{} m {} s", whole / minute, whole % minute);
  return scaled_text(static_cast<double>(time.count()), std::span(time_units).first(4));
}

}  // namespace radosload
