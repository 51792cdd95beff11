// Saved runs shown again: in every format exactly what the run itself has shown.

#include <filesystem>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "support/exit_status.h"
#include "support/files.h"
#include "support/places.h"
#include "support/process.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class ReportCli : public testing::Test {
 protected:
  Finished run(std::vector<std::string> words) {
    return radosload(std::move(words), {{"XDG_STATE_HOME", m_folder.path().string()}});
  }
  Finished measure(const std::string& pattern, const std::string& format = "text") {
    return run({"--target", "sim", "--sim", "latency=exp:1ms,osds=3", "--warmup", "1", "--time",
                "2", "--seed", "3", "--no-progress", "--pattern", pattern, "--format", format});
  }
  std::string folder(const std::string& name) const { return (m_folder.path() / name).string(); }

  TemporaryFolder m_folder;
};

TEST_F(ReportCli, EveryFormat_EqualsTheOutputOfTheRun) {
  for (const char* format : {"json", "rados-bench", "rados-bench-json", "fio-json"}) {
    SCOPED_TRACE(format);
    // Of two runs that begin in the same second, chance decides which one 'last' is.
    std::filesystem::remove_all(m_folder.path() / "radosload");
    const Finished measured = measure("randrw4k", format);
    ASSERT_EQ(measured.status, 0) << measured.err;
    const Finished shown = run({"report", "last", "--format", format});
    EXPECT_EQ(shown.status, 0) << shown.err;
    EXPECT_EQ(shown.out, measured.out);
  }
}

TEST_F(ReportCli, TextIsTheDefault) {
  const std::string measured = measure("randrw4k").out;
  const Finished shown = run({"report", "last"});
  EXPECT_EQ(shown.status, 0) << shown.err;
  EXPECT_EQ(shown.out, measured);
}

TEST_F(ReportCli, HtmlPage_IsOverwrittenOnlyWithTheOption) {
  ASSERT_EQ(measure("randrw4k").status, 0);
  const std::string page = folder("run.html");
  const Finished written = run({"report", "last", "-o", page});
  ASSERT_EQ(written.status, 0) << written.err;
  EXPECT_EQ(written.out, "");
  const std::string text = read_file(page);
  EXPECT_THAT(text, testing::StartsWith("<!DOCTYPE html>"));
  EXPECT_THAT(text, HasSubstr("target sim: "));
  EXPECT_THAT(text, HasSubstr("osd.2"));
  EXPECT_THAT(text, testing::EndsWith("</html>\n"));
  const Finished again = run({"report", "last", "-o", page});
  EXPECT_EQ(again.status, refused);
  EXPECT_THAT(again.err, HasSubstr("the file exists"));
  EXPECT_EQ(run({"report", "last", "-o", page, "--overwrite"}).status, 0);
}

TEST_F(ReportCli, HtmlPageWithAnotherFormatOrName_IsAUsageError) {
  ASSERT_EQ(measure("randrw4k").status, 0);
  const std::string page = folder("run.html");
  EXPECT_EQ(run({"report", "last", "-o", folder("run.json")}).status, usage);
  EXPECT_EQ(run({"report", "last", "-o", page, "--json"}).status, usage);
  EXPECT_EQ(run({"report", "last", "--overwrite"}).status, usage);
  EXPECT_FALSE(std::filesystem::exists(page));
  const Finished lost = run({"report", "last", "-o", nowhere("run.html")});
  EXPECT_NE(lost.status, 0);
  EXPECT_THAT(lost.err, HasSubstr("-o FILE.html"));
}

TEST_F(ReportCli, HtmlPageIsReadLikeTheRecord) {
  const std::string measured = measure("randrw4k").out;
  const std::string page = folder("run.html");
  ASSERT_EQ(run({"report", "last", "-o", page}).status, 0);
  const Finished shown = run({"report", page, "--json"});
  ASSERT_EQ(shown.status, 0) << shown.err;
  EXPECT_EQ(shown.out, run({"report", "last", "--json"}).out);
  const std::string bad = m_folder.with("bad.html", "<!DOCTYPE html><p>nothing</p>");
  const Finished refused_page = run({"report", bad});
  EXPECT_EQ(refused_page.status, 1);
  EXPECT_THAT(refused_page.err, HasSubstr("no data of radosload"));
}

TEST_F(ReportCli, RunWritesItsPageAndASweepHasItsCurve) {
  const std::string page = folder("sweep.html");
  const std::vector<std::string> words = {
      "--target", "sim", "--sim",     "latency=exp:1ms",      "--warmup",      "0",
      "--time",   "1",   "--pattern", "randread4k,qd=1:4:16", "--no-progress", "--html",
      page};
  const Finished measured = run(words);
  ASSERT_EQ(measured.status, 0) << measured.err;
  EXPECT_THAT(measured.out, HasSubstr("IOPS"));
  const std::string text = read_file(page);
  EXPECT_THAT(text, HasSubstr("Response time over throughput"));
  EXPECT_EQ(run({"report", page, "--format", "csv"}).status, 0);
  const Finished again = run(words);
  EXPECT_EQ(again.status, refused);
  EXPECT_THAT(again.err, HasSubstr("the file exists"));
  EXPECT_EQ(again.out, "") << "refused before the run";
}

TEST_F(ReportCli, RunCannotWriteItsPage_IsReportedBeforeAndAfterTheRun) {
  const auto words = [](const std::string& page) {
    return std::vector<std::string>{"--target", "sim",      "--pattern", "randread4k", "--time",
                                    "1",        "--warmup", "0",         "--html",     page};
  };
  const Finished lost = run(words(nowhere("run.html")));
  EXPECT_EQ(lost.status, refused);
  EXPECT_THAT(lost.err, HasSubstr("--html FILE.html"));
  EXPECT_EQ(run(words(folder("run.txt"))).status, usage);
  // Files may not grow beyond 4 KiB: a full disk.
  const std::string line = "ulimit -f 4; trap '' XFSZ; exec '" + radosload_path() +
                           "' --target sim --pattern randread4k --time 1 --warmup 0 --no-progress "
                           "--save none --html '" +
                           folder("full.html") + "'";
  const Finished full = test::run(
      {.words = {"bash", "-c", line}, .env = {{"XDG_STATE_HOME", m_folder.path().string()}}});
  EXPECT_EQ(full.status, 1) << full.err;
  EXPECT_THAT(full.out, HasSubstr("IOPS"));
  EXPECT_THAT(full.err, HasSubstr("cannot write the HTML report to"));
  EXPECT_FALSE(std::filesystem::exists(folder("full.html")));
}

TEST_F(ReportCli, SeveralRunsShareAPage) {
  for (const char* const label : {"a", "b"}) {
    ASSERT_EQ(run({"--target", "sim", "--pattern", "randread4k", "--time", "1", "--warmup", "0",
                   "--no-progress", "--label", std::string("drive=") + label, "--save",
                   folder(std::string(label) + ".json")})
                  .status,
              0);
  }
  const std::string page = folder("both.html");
  const Finished both = run({"report", folder("a.json"), folder("b.json"), "-o", page});
  ASSERT_EQ(both.status, 0) << both.err;
  EXPECT_THAT(read_file(page), HasSubstr("<h1>2 runs</h1>"));
  EXPECT_EQ(run({"compare", page}).out, run({"compare", folder("a.json"), folder("b.json")}).out);
  const std::string verdicts = folder("verdicts.html");
  const Finished compared = run({"compare", page, "--by", "label=drive", "-o", verdicts});
  ASSERT_EQ(compared.status, 0) << compared.err;
  EXPECT_THAT(read_file(verdicts), HasSubstr("b compared with a"));
  EXPECT_EQ(run({"compare", verdicts}).out, run({"compare", page, "--by", "label=drive"}).out);
  EXPECT_EQ(run({"report", folder("a.json"), folder("b.json")}).status, usage);
}

TEST_F(ReportCli, FioLogs_CanBeWrittenFromASavedRun) {
  ASSERT_EQ(measure("randrw4k").status, 0);
  ASSERT_EQ(run({"report", "last", "--fio-logs", folder("later")}).status, 0);
  EXPECT_TRUE(std::filesystem::exists(folder("later") + "/randrw-iodepth-64-numjobs-1_lat.1.log"));
  const Finished again = run({"report", "last", "--fio-logs", folder("later")});
  EXPECT_EQ(again.status, refused);
  EXPECT_THAT(again.err, HasSubstr("the file exists"));
}

TEST_F(ReportCli, ASeriesIsShownAsAWhole) {
  const Finished measured = measure("randread4k,qd=1:4");
  ASSERT_EQ(measured.status, 0) << measured.err;
  std::string id;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(m_folder.path())) {
    if (entry.path().parent_path().filename() == "series" && entry.path().extension() == ".json") {
      id = entry.path().stem();
    }
  }
  const Finished shown = run({"report", id});
  EXPECT_EQ(shown.status, 0) << shown.err;
  EXPECT_EQ(shown.out, measured.out);
  EXPECT_EQ(json::parse(run({"report", id, "--format", "json"}).out)["steps"].size(), 2U);
  const Finished other = run({"report", id, "--format", "fio-json"});
  EXPECT_EQ(other.status, usage);
  EXPECT_THAT(other.err, HasSubstr("single runs"));
}

TEST_F(ReportCli, RecordNestedTooDeeply_IsReportedAndTheOthersAreListed) {
  ASSERT_EQ(measure("randread4k").status, 0);
  const Finished shown = run({"report", "last", "--format", "json"});
  json record = json::parse(shown.out);
  record["environment"] = "DEEP";
  std::string text = record.dump();
  text.replace(text.find("\"DEEP\""), 6, std::string(50'000, '[') + std::string(50'000, ']'));
  const std::string file = m_folder.with("radosload/runs/20991231-235959-ffff.json", text);
  for (const std::string& name : {file, std::string("last")}) {
    const Finished done = run({"report", name});
    EXPECT_EQ(done.status, 1) << done.err;
    EXPECT_THAT(done.err, HasSubstr("100 levels"));
  }
  const Finished listed = run({"list"});
  EXPECT_EQ(listed.status, 0) << listed.err;
  EXPECT_THAT(listed.err, HasSubstr("100 levels"));
  EXPECT_THAT(listed.out, HasSubstr("randread4k"));
}

TEST_F(ReportCli, MissingDocument_IsReported) {
  const Finished none = run({"report", "nothing-like-it"});
  EXPECT_NE(none.status, 0);
  EXPECT_THAT(none.err, HasSubstr("nothing-like-it"));
  ASSERT_EQ(measure("randrw4k").status, 0);
  const Finished format = run({"report", "last", "--format", "html"});
  EXPECT_EQ(format.status, usage);
  EXPECT_THAT(format.err, HasSubstr("cannot use --format"));
}

}  // namespace
}  // namespace radosload::test
