// Where the project and this build are. Only one file is compiled with their names, so the others
// need not be compiled again in another folder when a compiler cache has them.
#pragma once

#include <string>
#include <string_view>

namespace radosload::test {

std::string in_source(std::string_view path);  // "tools/lab"
std::string in_build(std::string_view path);   // "src/radosload"; "": the folder itself
// The path of something that does not exist, and that not even root can create: it is below a file.
std::string nowhere(std::string_view name);  // "ceph.conf"
// A Python with the packages of tests/requirements.txt.
std::string test_python();

}  // namespace radosload::test
