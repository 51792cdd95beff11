#include "base/wall_clock.h"

#include <charconv>
#include <chrono>

#include <fmt/format.h>

namespace radosload::base {

namespace {

using std::chrono::days;
using std::chrono::floor;
using std::chrono::hours;
using std::chrono::microseconds;
using std::chrono::minutes;
using std::chrono::seconds;

// Years that nanoseconds in 64 bits can hold.
constexpr int first_year = 1970;
constexpr int last_year = 2200;

// Reads a text from its beginning.
class Reader {
 public:
  explicit Reader(std::string_view text) : m_rest(text) {}

  bool skip(char expected) {
    if (m_rest.empty() || m_rest.front() != expected) return false;
    m_rest.remove_prefix(1);
    return true;
  }
  // Exactly so many digits.
  std::optional<int> digits(std::size_t count) {
    int value = 0;
    if (m_rest.size() < count) return std::nullopt;
    const char* const end = m_rest.data() + count;
    if (m_rest.front() < '0' || m_rest.front() > '9') return std::nullopt;
    const auto [stop, error] = std::from_chars(m_rest.data(), end, value);
    if (error != std::errc() || stop != end) return std::nullopt;
    m_rest.remove_prefix(count);
    return value;
  }
  // The digits after a decimal point, as nanoseconds.
  Time fraction() {
    Time::rep value = 0;
    Time::rep unit = Time::period::den;
    for (; !m_rest.empty() && m_rest.front() >= '0' && m_rest.front() <= '9';
         m_rest.remove_prefix(1)) {
      unit /= 10;
      value += unit * (m_rest.front() - '0');
    }
    return Time(value);
  }
  bool done() const { return m_rest.empty(); }

 private:
  std::string_view m_rest;
};

std::optional<std::chrono::sys_days> read_day(Reader& reader) {
  const auto year = reader.digits(4);
  if (!year || *year < first_year || *year > last_year || !reader.skip('-')) return std::nullopt;
  const auto month = reader.digits(2);
  if (!month || !reader.skip('-')) return std::nullopt;
  const auto day = reader.digits(2);
  if (!day) return std::nullopt;
  const std::chrono::year_month_day date(std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day)));
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date);
}

std::optional<Time> read_time(Reader& reader) {
  const auto hour = reader.digits(2);
  if (!hour || !reader.skip(':')) return std::nullopt;
  const auto minute = reader.digits(2);
  if (!minute || !reader.skip(':')) return std::nullopt;
  const auto second = reader.digits(2);
  constexpr int leap_second = 60;
  if (!second || *hour > 23 || *minute > 59 || *second > leap_second) return std::nullopt;
  Time time = hours(*hour) + minutes(*minute) + seconds(*second);
  if (reader.skip('.')) time += reader.fraction();
  return time;
}

// How far the clock of the text is ahead of UTC.
std::optional<Time> read_zone(Reader& reader) {
  if (reader.done()) return Time(0);
  if (reader.skip('Z')) return Time(0);
  const bool east = reader.skip('+');
  if (!east && !reader.skip('-')) return std::nullopt;
  const auto hour = reader.digits(2);
  if (!hour) return std::nullopt;
  reader.skip(':');
  const auto minute = reader.digits(2);
  if (!minute || *hour > 23 || *minute > 59) return std::nullopt;
  const Time ahead = hours(*hour) + minutes(*minute);
  return east ? ahead : -ahead;
}

}  // namespace

std::string time_of_day_text(Time since_1970) {
  const auto day = floor<days>(since_1970);
  const std::chrono::hh_mm_ss<microseconds> time(floor<microseconds>(since_1970 - day));
  return fmt::format("{:02}:{:02}:{:02}.{:06}", time.hours().count(), time.minutes().count(),
                     time.seconds().count(), time.subseconds().count());
}

std::string moment_text(Time since_1970) {
  const std::chrono::year_month_day date(std::chrono::sys_days(floor<days>(since_1970)));
  return fmt::format("{:04}-{:02}-{:02}T{}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     time_of_day_text(since_1970));
}

std::optional<Time> parse_moment(std::string_view text) {
  Reader reader(text);
  const auto day = read_day(reader);
  if (!day || !(reader.skip('T') || reader.skip(' '))) return std::nullopt;
  const auto time = read_time(reader);
  if (!time) return std::nullopt;
  const auto ahead = read_zone(reader);
  if (!ahead || !reader.done()) return std::nullopt;
  return Time(day->time_since_epoch()) + *time - *ahead;
}

}  // namespace radosload::base
