#include "study/study_words.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "base/suggest.h"
#include "placement/osd_select.h"
#include "plan/options.h"

#include <fmt/format.h>

namespace radosload::study {

namespace {

tl::unexpected<Error> wrong_word(std::string subject, std::string reason, std::string hint = {}) {
  return fail({.attempt = "use",
               .subject = std::move(subject),
               .reason = std::move(reason),
               .hint = std::move(hint),
               .exit = Exit::usage});
}

// Options of `radosload run` that are about one run and its output; a study has its own way.
struct OwnWay {
  std::string_view name;
  std::string_view instead;
};
constexpr std::array<OwnWay, 15> own_ways = {{
    {"pattern", "list patterns under the key patterns"},
    {"each", "leave it out: a study visits one OSD after the other"},
    {"rounds", "write the key rounds"},
    {"require-clean", "write the key require-clean"},
    {"resume", "give --resume to 'radosload study'"},
    {"dry-run", "give --dry-run to 'radosload study'"},
    {"keep", "leave it out, or write the key keep-objects"},
    {"format", "give --format to 'radosload study'"},
    {"json", "give --json to 'radosload study'"},
    {"save", "leave it out: a study saves its runs itself"},
    {"overwrite", "leave it out: a study saves its runs itself"},
    {"trace", "run that cell by itself with 'radosload run --trace'"},
    {"fio-logs", "run that cell by itself with 'radosload run --fio-logs'"},
    {"html", "give the runs to 'radosload report'"},
    {"no-progress", "give --no-progress to 'radosload study'"},
}};

const plan::Option* option_of(std::string_view name) {
  for (const plan::Option& option : plan::options()) {
    if (option.group == plan::Group::hidden) continue;
    if (option.name == name || (!option.other.empty() && option.other == name)) return &option;
  }
  return nullptr;
}

Result<const plan::Option*> known_option(std::string_view name) {
  const std::string shown = fmt::format("--{}", name);
  for (const OwnWay& own : own_ways) {
    if (own.name == name)
      return wrong_word(shown, "a study does not take it", std::string(own.instead));
  }
  const plan::Option* const found = option_of(name);
  if (found != nullptr) return found;
  std::vector<std::string_view> known;
  for (const plan::Option& option : plan::options()) {
    if (option.group != plan::Group::hidden) known.push_back(option.name);
  }
  const std::string_view near = nearest_word(name, known);
  return wrong_word(
      shown, "'radosload run' has no such option",
      near.empty() ? "'radosload run --help' lists them" : fmt::format("did you mean --{}?", near));
}

Status check_value(const plan::Option& option, const std::string& value) {
  const std::string shown = fmt::format("--{} {}", option.name, value);
  if (option.name == "osd") {
    const auto parsed = placement::parse_osd_selection(value);
    if (!parsed) return wrong_word(shown, parsed.error().reason, parsed.error().hint);
  }
  if (option.listed && option.name != "dist" && value.find(':') != std::string::npos) {
    return wrong_word(shown, "it takes one value here, not a list",
                      "write the list as a sweep, or as several patterns");
  }
  // Keys of patterns depend on the pattern: check_study tries them with each.
  if (option.group == plan::Group::pattern) return {};
  RunPlan trial;
  return plan::set_option(option, trial, value);
}

// Takes options one by one off a list of words.
class OptionWords {
 public:
  explicit OptionWords(const std::vector<std::string>& words) : m_words(words) {}

  Result<std::vector<std::string>> all() {
    std::vector<std::string> options;
    std::set<std::string_view> seen;
    while (m_next < m_words.size()) {
      RADOSLOAD_ASSIGN(const plan::Option* option, name());
      if (!seen.insert(option->name).second && option->form() != plan::Form::list) {
        return wrong_word(fmt::format("--{}", option->name), "it is given twice", "leave out one");
      }
      RADOSLOAD_TRY(take(*option, options));
    }
    return options;
  }

 private:
  // The option that the next word names; its value may stand behind '='.
  Result<const plan::Option*> name() {
    std::string_view word = m_words[m_next++];
    m_has_value = false;
    if (word.size() >= 2 && word[0] == '-' && word[1] != '-') return by_letter(word);
    if (!word.starts_with("--") || word.size() == 2) {
      return wrong_word(fmt::format("'{}'", word), "it is not an option",
                        "write options as --NAME VALUE; quote a value that has blanks");
    }
    word.remove_prefix(2);
    const std::size_t equals = word.find('=');
    if (equals != std::string_view::npos) set_value(word.substr(equals + 1));
    return known_option(word.substr(0, equals));
  }
  Result<const plan::Option*> by_letter(std::string_view word) {
    for (const plan::Option& option : plan::options()) {
      if (option.letter == '\0' || option.letter != word[1]) continue;
      if (word.size() > 2) set_value(word.substr(2));
      return &option;
    }
    return wrong_word(fmt::format("'{}'", word), "'radosload run' has no such option",
                      "write options as --NAME VALUE");
  }
  void set_value(std::string_view value) {
    m_has_value = true;
    m_value = value;
  }
  Status take(const plan::Option& option, std::vector<std::string>& options) {
    const std::string shown = fmt::format("--{}", option.name);
    if (option.type.empty()) {
      RADOSLOAD_TRY(check_value(option, m_has_value ? m_value : "yes"));
      if (option.may_have_value && m_has_value && !parse_switch(m_value)) {
        options.push_back(fmt::format("{}={}", shown, m_value));
        return {};
      }
      const bool on = !m_has_value || parse_switch(m_value).value_or(true);
      options.push_back(on ? shown : shown + "=no");
      return {};
    }
    if (!m_has_value) {
      const bool more = m_next < m_words.size() && !m_words[m_next].starts_with("--");
      if (!more)
        return wrong_word(shown, "its value is missing",
                          fmt::format("write {} {}", shown, option.type));
      m_value = m_words[m_next++];
    }
    RADOSLOAD_TRY(check_value(option, m_value));
    options.push_back(shown);
    options.push_back(m_value);
    return {};
  }

  const std::vector<std::string>& m_words;
  std::size_t m_next = 0;
  bool m_has_value = false;
  std::string m_value;
};

// One word of a shell's line.
class ShellWords {
 public:
  explicit ShellWords(std::string_view text) : m_text(text) {}

  Result<std::vector<std::string>> all() {
    std::vector<std::string> words;
    while (true) {
      while (!m_text.empty() && is_blank(m_text[0])) m_text.remove_prefix(1);
      if (m_text.empty()) return words;
      RADOSLOAD_ASSIGN(auto word, next());
      words.push_back(std::move(word));
    }
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

  char take() {
    const char c = m_text[0];
    m_text.remove_prefix(1);
    return c;
  }
  Result<std::string> next() {
    std::string word;
    while (!m_text.empty() && !is_blank(m_text[0])) {
      const char c = take();
      if (c == '\'' || c == '"') {
        RADOSLOAD_TRY(quoted(c, word));
      } else if (c == '\\' && !m_text.empty()) {
        word += take();
      } else {
        word += c;
      }
    }
    return word;
  }
  Status quoted(char quote, std::string& word) {
    while (!m_text.empty() && m_text[0] != quote) {
      const char c = take();
      const bool escapes =
          quote == '"' && c == '\\' && !m_text.empty() && (m_text[0] == '"' || m_text[0] == '\\');
      word += escapes ? take() : c;
    }
    if (m_text.empty()) {
      return wrong_word("", fmt::format("a quote ({}) is not closed", quote), "add the second one");
    }
    take();
    return {};
  }

  std::string_view m_text;
};

bool is_safe_word(const std::string& word) {
  constexpr std::string_view safe =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./{}-";
  return !word.empty() && word.find_first_not_of(safe) == std::string::npos;
}

}  // namespace

Result<std::vector<std::string>> split_words(std::string_view text) {
  return ShellWords(text).all();
}

std::string words_text(std::span<const std::string> words) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += ' ';
    if (is_safe_word(word)) {
      text += word;
      continue;
    }
    text += '\'';
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    text += '\'';
  }
  return text;
}

Result<std::vector<std::string>> run_options(const std::vector<std::string>& words) {
  return OptionWords(words).all();
}

Result<std::vector<std::string>> run_option(const std::string& name, const std::string& value) {
  if (name.starts_with('-')) {
    return wrong_word(fmt::format("'{}'", name), "names of options have no dashes here",
                      "for example time: 10s");
  }
  return run_options({fmt::format("--{}={}", name, value)});
}

std::vector<std::vector<std::string>> one_by_one(std::span<const std::string> options) {
  std::vector<std::vector<std::string>> all;
  for (const std::string& word : options) {
    const bool value = !all.empty() && all.back().size() == 1 && [&] {
      const plan::Option* const option = option_of(option_name(all.back().front()));
      return option != nullptr && !option->type.empty();
    }();
    if (value) {
      all.back().push_back(word);
    } else {
      all.push_back({word});
    }
  }
  return all;
}

std::string options_text(std::span<const std::string> options) {
  std::vector<std::string> words;
  for (const auto& one : one_by_one(options)) {
    // As a word of its own, such a value would be read as an option.
    if (one.size() > 1 && one[1].starts_with("--")) {
      words.push_back(one[0] + "=" + one[1]);
    } else {
      words.insert(words.end(), one.begin(), one.end());
    }
  }
  return words_text(words);
}

std::string option_name(const std::string& word) {
  const std::size_t begin = std::min(word.find_first_not_of('-'), word.size());
  return word.substr(begin, word.find('=', begin) - begin);
}

}  // namespace radosload::study
