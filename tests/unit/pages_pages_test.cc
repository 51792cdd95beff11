// Man pages and completion beside the declaration they are made from.
#include <algorithm>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "cli/command_line.h"
#include "pages/completion.h"
#include "pages/man_page.h"
#include "pages/roff.h"
#include "plan/options.h"

namespace radosload::pages {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class Pages : public ::testing::Test {
 protected:
  const Page& page(const std::string& file) {
    const auto found = std::find_if(m_pages.begin(), m_pages.end(),
                                    [&](const Page& one) { return one.file == file; });
    EXPECT_NE(found, m_pages.end()) << file;
    return found == m_pages.end() ? m_pages.front() : *found;
  }
  const cli::Command& command(const std::string& name) {
    const auto found = std::find_if(m_program.commands.begin(), m_program.commands.end(),
                                    [&](const cli::Command& one) { return one.name == name; });
    EXPECT_NE(found, m_program.commands.end()) << name;
    return *found;
  }
  cli::Option option(const std::string& of, const std::string& name) {
    for (const cli::Option& one : command(of).options()) {
      if (std::find(one.names.begin(), one.names.end(), name) != one.names.end()) return one;
    }
    ADD_FAILURE() << of << " " << name;
    return {};
  }

  cli::CommandLine m_line;
  cli::Program m_program = cli::declared(m_line.app);
  std::vector<Page> m_pages = man_pages(m_program);
};

TEST_F(Pages, EveryCommandHasAPageWithAllItsOptions) {
  for (const CLI::App* const one : m_line.app.get_subcommands({})) {
    const std::string text = page("radosload-" + one->get_name() + ".1").text;
    for (const CLI::Option* const option : one->get_options()) {
      if (option->get_group().empty()) continue;  // hidden
      for (const std::string& name : option->get_lnames()) {
        EXPECT_THAT(text, HasSubstr(bold("--" + name))) << one->get_name();
      }
      for (const std::string& name : option->get_snames()) {
        EXPECT_THAT(text, HasSubstr(bold("-" + name))) << one->get_name();
      }
      EXPECT_THAT(text, HasSubstr(escaped(option->get_description())));
    }
    EXPECT_THAT(page("radosload.1").text, HasSubstr(bold("radosload-" + one->get_name())));
  }
}

// Nothing but a row of the table is needed for an option of a run.
TEST_F(Pages, EveryRowOfTheTableOfOptionsIsDeclaredAndDescribed) {
  const CLI::App& run = *m_line.app.get_subcommand("run");
  const std::string text = page("radosload-run.1").text;
  for (const plan::Option& row : plan::options()) {
    const std::string name = "--" + std::string(row.name);
    const CLI::Option* const declared = run.get_option_no_throw(name);
    ASSERT_EQ(declared != nullptr, row.group != plan::Group::hidden) << name;
    if (declared == nullptr) continue;
    EXPECT_EQ(declared->get_description(), row.help) << name;
    EXPECT_EQ(declared->get_group(), plan::title_of(row.group)) << name;
    EXPECT_THAT(text, HasSubstr(bold(name)));
    EXPECT_THAT(text, HasSubstr(escaped(std::string(row.help))));
  }
}

TEST_F(Pages, CompletionKnowsEveryCommandAndOption) {
  const std::string text = bash_completion(m_program);
  for (const CLI::App* const one : m_line.app.get_subcommands({})) {
    const std::size_t begin = text.find("        " + one->get_name() + ")\n");
    ASSERT_NE(begin, std::string::npos) << one->get_name();
    const std::string own = text.substr(begin, text.find(";;", begin) - begin);
    for (const CLI::Option* const option : one->get_options()) {
      if (option->get_group().empty()) continue;  // hidden
      for (const std::string& name : option->get_lnames()) {
        EXPECT_THAT(own, ::testing::ContainsRegex("options='[^']*--" + name + "[ ']"));
      }
    }
  }
}

TEST_F(Pages, ValuesAreTakenFromTheDeclaration) {
  EXPECT_THAT(option("run", "--target").choices,
              ElementsAre("rados", "rbd", "cephfs", "block", "null", "sim"));
  EXPECT_EQ(option("run", "--target").value, "rados|rbd|cephfs|block|null|sim");
  EXPECT_THAT(option("status", "--format").choices, ElementsAre("text", "json"));
  EXPECT_THAT(option("run", "--format").choices, Contains("fio-json"));
  EXPECT_THAT(option("run", "--dist").choices, ElementsAre("uniform", "zipf"));
  EXPECT_THAT(option("run", "--save").choices, ElementsAre("none"));
  EXPECT_EQ(option("run", "--save").offer, cli::Offer::files);
  EXPECT_EQ(option("run", "--fio-logs").offer, cli::Offer::folders);
  EXPECT_EQ(option("run", "--pattern").offer, cli::Offer::patterns);
  EXPECT_EQ(option("patterns", "PATTERN").offer, cli::Offer::patterns);
  EXPECT_EQ(option("compare", "RUN").offer, cli::Offer::runs);
  EXPECT_EQ(option("run", "--pool").offer, cli::Offer::nothing);
  EXPECT_THAT(option("run", "--time").choices, IsEmpty());
  EXPECT_EQ(option("run", "--time").initial, "1m");
  EXPECT_EQ(option("run", "--keep").value, "");
  EXPECT_TRUE(option("scratch", "ACTION").required);
}

TEST_F(Pages, ThePatternsPageHasTheLanguage) {
  EXPECT_THAT(page("radosload-patterns.7").text, HasSubstr("randwrite4k\\-qd1"));
  EXPECT_THAT(page("radosload-pinning.7").text, HasSubstr("scratch"));
  EXPECT_THAT(page("radosload-trace.5").text, HasSubstr("intended_ns"));
  EXPECT_THAT(page("radosload-record.5").text, HasSubstr("radosload.run/1"));
  EXPECT_THAT(page("radosload.conf.5").text, HasSubstr("[cluster]"));
  EXPECT_THAT(page("radosload.1").text, HasSubstr("CEPH_CONF"));
}

TEST_F(Pages, EveryPageHasADescription) {
  for (const Page& one : m_pages) {
    const std::size_t begin = one.text.find(".SH DESCRIPTION\n");
    ASSERT_NE(begin, std::string::npos) << one.file;
    const std::size_t end = one.text.find(".SH ", begin + 4);
    EXPECT_GT(end - begin, 100U) << one.file;
  }
}

TEST_F(Pages, EveryCommandPageHasExamplesOfThatCommand) {
  for (const cli::Command& one : m_program.commands) {
    const std::string word = one.name == "run" ? "radosload --" : "radosload " + one.name;
    EXPECT_THAT(one.examples, HasSubstr(word)) << one.name;
    EXPECT_THAT(page("radosload-" + one.name + ".1").text, HasSubstr(".SH EXAMPLES")) << one.name;
  }
}

TEST_F(Pages, ZshAndFishCompletionKnowEveryCommandAndOption) {
  const std::string zsh = zsh_completion(m_program);
  const std::string fish = fish_completion(m_program);
  for (const CLI::App* const one : m_line.app.get_subcommands({})) {
    EXPECT_THAT(zsh, HasSubstr("        " + one->get_name() + ")\n"));
    EXPECT_THAT(fish, HasSubstr(" -a " + one->get_name() + " -d "));
    for (const CLI::Option* const option : one->get_options()) {
      if (option->get_group().empty()) continue;  // hidden
      for (const std::string& name : option->get_lnames()) {
        EXPECT_THAT(zsh, ::testing::ContainsRegex("[)]--" + name + "=?\\["));
        EXPECT_THAT(fish,
                    ::testing::ContainsRegex("_is " + one->get_name() + "'.* -l " + name + " "));
      }
    }
  }
}

TEST_F(Pages, NoPageSaysWhenItWasBuilt) {
  EXPECT_THAT(page("radosload.1").text,
              HasSubstr(".TH RADOSLOAD 1 \"\" \"radosload " RADOSLOAD_VERSION "\" "));
}

TEST(Roff, Text_NeverBecomesARoffRequest) {
  EXPECT_EQ(escaped(".SH x\n.TP\na.b"), "\\&.SH x\n\\&.TP\na.b");
  EXPECT_EQ(escaped("'x' --a \\n"), "\\(aqx\\(aq \\-\\-a \\en");
  for (const Page& page : man_pages(cli::declared(cli::CommandLine().app))) {
    EXPECT_THAT(page.text, Not(HasSubstr("\n'"))) << page.file;
  }
}

}  // namespace
}  // namespace radosload::pages
