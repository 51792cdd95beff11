#include "plan/arrival_text.h"

#include <charconv>

#include "plan/limits.h"

#include <fmt/format.h>

namespace radosload::plan {

namespace {

tl::unexpected<Error> unreadable(std::string_view text, std::string reason) {
  return fail({.attempt = "read the rate",
               .subject = fmt::format("'{}'", text),
               .reason = std::move(reason),
               .hint = "write 5000, 0.5/s or 5000/s,poisson; a list of rates uses colons: 100:200",
               .errnum = 0,
               .exit = Exit::usage});
}

}  // namespace

Result<Arrival> parse_arrival(std::string_view text) {
  const std::size_t comma = text.find(',');
  std::string_view number = text.substr(0, comma);
  Arrival arrival{Arrival::Law::constant, 0};
  if (comma != std::string_view::npos) {
    const std::string_view law = text.substr(comma + 1);
    if (law == "poisson") {
      arrival.law = Arrival::Law::poisson;
    } else if (law != "constant") {
      return unreadable(text, fmt::format("'{}' is not poisson or constant", law));
    }
  }
  if (number.ends_with("/s")) number.remove_suffix(2);
  const char* const end = number.data() + number.size();
  const auto [stop, error] =
      std::from_chars(number.data(), end, arrival.ops_per_second, std::chars_format::fixed);
  if (error != std::errc() || stop != end) {
    return unreadable(text, fmt::format("'{}' is not a number of operations per second", number));
  }
  if (!(arrival.ops_per_second >= lowest_rate && arrival.ops_per_second <= highest_rate)) {
    return unreadable(text, fmt::format("a rate is from {} to {:.0f} operations per second",
                                        lowest_rate, highest_rate));
  }
  return arrival;
}

std::string option_text(const Arrival& arrival) {
  if (arrival.law == Arrival::Law::closed) return "closed";
  return fmt::format("{}/s,{}", arrival.ops_per_second,
                     arrival.law == Arrival::Law::poisson ? "poisson" : "constant");
}

}  // namespace radosload::plan
