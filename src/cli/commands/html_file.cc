#include "cli/commands/html_file.h"

#include <utility>

#include "record/saving.h"

#include <fmt/format.h>

namespace radosload::cli {

namespace {

record::Existing existing_of(const HtmlFile& file) {
  return file.overwrite ? record::Existing::replace : record::Existing::refuse;
}

// Replaces the hint of the error, which names the option for records.
tl::unexpected<Error> not_written(const HtmlFile& file, Error error) {
  error.attempt = "write the HTML report to";
  if (error.reason != "the file exists") {
    error.hint = fmt::format("give a file that can be written, with {} FILE.html", file.option);
  }
  return fail(std::move(error));
}

}  // namespace

Status check_html(const HtmlFile& file) {
  if (!file.path.ends_with(".html") && !file.path.ends_with(".htm")) {
    return fail({.attempt = "write the HTML report to",
                 .subject = file.path,
                 .reason = "the name does not end in .html",
                 .hint = fmt::format("give a name such as {} report.html", file.option),
                 .exit = Exit::usage});
  }
  auto fit = record::check_place(file.path, existing_of(file));
  return fit ? fit : Status(not_written(file, std::move(fit).error()));
}

Status write_html(const HtmlFile& file, std::string_view page) {
  auto saved = record::save(file.path, page, existing_of(file));
  return saved ? saved : Status(not_written(file, std::move(saved).error()));
}

}  // namespace radosload::cli
