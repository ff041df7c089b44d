// dir:PATH: a folder that is shared somehow: NFS, a git work tree, Syncthing, rsync, a mounted bucket.
//
//   PATH/explog-v1/WRITER/ORIGIN-FIRST-LAST.DIGEST.exl     sync/segment_file.h
//
// Each database writes only in the folder named by its origin, also what it hands on of others; a file is
// never changed once it has its name. So there is nothing to lock and nothing that could conflict.
#pragma once
#include <memory>
#include <string>

#include "sync/remote.h"

namespace explog::sync {

std::unique_ptr<Remote> make_directory(const std::string& url);

}  // namespace explog::sync
