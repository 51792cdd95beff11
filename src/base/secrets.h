// Takes keys and passphrases out of a text before it is kept or passed on. radosload itself never
// puts them there; an environment variable, a label or a message of Ceph may.
#pragma once

#include <string>
#include <string_view>

namespace radosload::base {

// Replaces each of these by "[removed]":
// - a cephx key: 40 characters of base64 that begin with AQ and end with ==;
// - the value of a setting named key, secret, password or passphrase, or one whose name ends so
//   (secret_key): after = or :, with or without spaces and quotes; after the option --key also the
//   next word. The names of files that hold a secret (keyfile, keyring, luks-passphrase) stay.
std::string without_secrets(std::string_view text);

}  // namespace radosload::base
