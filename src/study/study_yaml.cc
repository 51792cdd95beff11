#include "study/study_yaml.h"

#include <algorithm>
#include <sstream>
#include <string_view>
#include <utility>

#include "radosload/printable.h"

#include "base/utf8.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

namespace radosload::study {

namespace {

// Thrown through the parser, whose handlers return nothing; parse_yaml catches it.
struct YamlRefusal {
  int line = 0;
  std::string reason;
  std::string hint;
};

int line_of(const YAML::Mark& mark) {
  return mark.line + 1;
}

// Control characters of Unicode (C0 but the ends of lines and tabs, DEL, C1), and what some readers
// of YAML take for the end of a line or for nothing. The size in bytes of the one that the text
// begins with, 0: it begins with another character.
std::size_t control_size(std::string_view text) {
  constexpr unsigned char blank = 0x20;
  constexpr unsigned char rubout = 0x7f;
  constexpr unsigned char c1_lead = 0xc2;  // of U+0080 to U+00BF, whose second byte is the code
  constexpr unsigned char c1_last = 0x9f;
  const auto first = static_cast<unsigned char>(text.front());
  const bool allowed = first == '\n' || first == '\t' || first == '\r';
  if ((first < blank && !allowed) || first == rubout) return 1;
  if (first == c1_lead && text.size() > 1 && static_cast<unsigned char>(text[1]) <= c1_last) {
    return 2;
  }
  for (const std::string_view other : {"\u2028", "\u2029", "\ufeff"}) {
    if (text.starts_with(other)) return other.size();
  }
  return 0;
}

// The first one; empty where there is none. The text is UTF-8.
std::string_view control_in(std::string_view text) {
  for (; !text.empty(); text.remove_prefix(1)) {
    if (const std::size_t size = control_size(text); size > 0) return text.substr(0, size);
  }
  return {};
}

// Builds the tree from the parser's events, which come without anything being kept for aliases.
class TreeBuilder final : public YAML::EventHandler {
 public:
  YamlNode take() { return std::move(m_root); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (m_documents++ > 0) {
      throw YamlRefusal{line_of(mark), "a second document begins here", "remove the line '---'"};
    }
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    check_plain(mark, "", anchor);
    if (wants_key()) throw YamlRefusal{line_of(mark), "a key is empty", "write KEY: VALUE"};
    add({.line = line_of(mark)});
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { refuse_anchor(mark); }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    check_plain(mark, tag, anchor);
    // yaml-cpp turns these escapes into bytes that are not UTF-8.
    if (utf8_prefix(value) != value.size()) {
      throw YamlRefusal{line_of(mark), "the escapes \\N and \\_ cannot be used",
                        "remove them, or write the character itself"};
    }
    if (!control_in(value).empty()) {
      throw YamlRefusal{line_of(mark), "a value contains a control character", "remove it"};
    }
    if (wants_key()) {
      take_key(mark, value);
    } else {
      add({.kind = YamlNode::Kind::scalar, .text = value, .line = line_of(mark)});
    }
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, YamlNode::Kind::list);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, YamlNode::Kind::map);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    YamlNode node;
    bool has_key = false;  // of a map: the key of the next value is known
    std::string key = {};
    int key_line = 0;
  };

  [[noreturn]] static void refuse_anchor(const YAML::Mark& mark) {
    throw YamlRefusal{line_of(mark), "studies have no anchors (&) and no aliases (*)",
                      "write the value again; put a text that begins with & or * into quotes"};
  }
  static void check_plain(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    if (anchor != YAML::NullAnchor) refuse_anchor(mark);
    // What the parser calls a plain value and a quoted one.
    if (tag.empty() || tag == "?" || tag == "!") return;
    throw YamlRefusal{line_of(mark), "studies have no tags (!)",
                      "remove it; put a text that begins with ! into quotes"};
  }
  bool wants_key() const {
    return !m_open.empty() && m_open.back().node.kind == YamlNode::Kind::map &&
           !m_open.back().has_key;
  }
  void take_key(const YAML::Mark& mark, const std::string& key) {
    Open& map = m_open.back();
    for (const YamlNode& other : map.node.items) {
      if (other.key != key) continue;
      throw YamlRefusal{
          line_of(mark),
          fmt::format("the key '{}' is already in line {}", printable(key), other.line),
          "remove one of the two"};
    }
    map.has_key = true;
    map.key = key;
    map.key_line = line_of(mark);
  }
  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
            YamlNode::Kind kind) {
    check_plain(mark, tag, anchor);
    if (wants_key()) {
      throw YamlRefusal{line_of(mark), "a key is a list or a map", "a key is a single word"};
    }
    if (m_open.size() >= most_yaml_levels) {
      throw YamlRefusal{line_of(mark),
                        fmt::format("more than {} levels are nested, the limit", most_yaml_levels),
                        "a study needs three"};
    }
    count(mark);
    m_open.push_back({.node = {.kind = kind, .line = line_of(mark)}});
  }
  void count(const YAML::Mark& mark) {
    if (++m_nodes <= most_yaml_nodes) return;
    throw YamlRefusal{line_of(mark),
                      fmt::format("it has more than {} values, the limit", most_yaml_nodes),
                      "split it into several studies"};
  }
  void close() {
    YamlNode node = std::move(m_open.back().node);
    m_open.pop_back();
    add(std::move(node));
  }
  void add(YamlNode node) {
    if (m_open.empty()) {
      m_root = std::move(node);
      return;
    }
    if (++m_nodes > most_yaml_nodes) {
      throw YamlRefusal{node.line,
                        fmt::format("it has more than {} values, the limit", most_yaml_nodes),
                        "split it into several studies"};
    }
    Open& parent = m_open.back();
    if (parent.has_key) {
      node.key = std::exchange(parent.key, {});
      node.line = parent.key_line;
      parent.has_key = false;
    }
    parent.node.items.push_back(std::move(node));
  }

  YamlNode m_root;
  std::vector<Open> m_open;
  std::size_t m_nodes = 0;
  int m_documents = 0;
};

}  // namespace

tl::unexpected<Error> Reading::refuse(int line, std::string reason, std::string hint) const {
  return fail({.attempt = attempt,
               .subject = lines && line > 0 ? fmt::format("{}:{}", subject, line) : subject,
               .reason = std::move(reason),
               .hint = std::move(hint),
               .exit = Exit::usage});
}

tl::unexpected<Error> Reading::pass_on(int line, const std::string& key, const Error& error) const {
  std::string reason = key;
  for (const std::string* part : {&error.subject, &error.reason}) {
    if (part->empty()) continue;
    reason += fmt::format("{}{}", reason.empty() ? "" : ": ", *part);
  }
  return refuse(line, std::move(reason), error.hint);
}

Status check_text(std::string_view text, const Reading& reading) {
  if (text.size() > most_study_bytes) {
    return reading.refuse(
        0, fmt::format("it has more than {} KiB, the limit", most_study_bytes >> 10U),
        "is it a study? 'radosload help studies' explains the file");
  }
  const auto byte_at = [&](std::size_t at) {
    return static_cast<unsigned>(static_cast<unsigned char>(text[at]));
  };
  const auto line_at = [&](std::size_t at) {
    const std::string_view before = text.substr(0, at);
    return 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
  };
  // yaml-cpp would write other bytes in their place, so that a saved study would be another one.
  const std::size_t valid = utf8_prefix(text);
  if (valid < text.size()) {
    return reading.refuse(
        line_at(valid),
        fmt::format("it contains the byte 0x{:02x}, which is not UTF-8 there", byte_at(valid)),
        "a study is a text file in UTF-8");
  }
  const std::string_view control = control_in(text);
  if (control.empty()) return {};
  return reading.refuse(line_at(static_cast<std::size_t>(control.data() - text.data())),
                        fmt::format("it contains the control character {}", printable(control)),
                        "remove it: a study is a text file in UTF-8");
}

Result<YamlNode> parse_yaml(std::string_view text, const Reading& reading) {
  constexpr std::string_view byte_order_mark = "\ufeff";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  RADOSLOAD_TRY(check_text(text, reading));
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    TreeBuilder builder;
    while (parser.HandleNextDocument(builder)) {
    }
    return builder.take();
  } catch (const YamlRefusal& refusal) {
    return reading.refuse(refusal.line, refusal.reason, refusal.hint);
  } catch (const YAML::Exception& error) {
    return reading.refuse(
        line_of(error.mark), fmt::format("it is not YAML: {}", error.msg),
        "indent with blanks, not tabs; put a value with ': ' or ' #' into quotes");
  }
}

}  // namespace radosload::study
