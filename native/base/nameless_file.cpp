#include "base/nameless_file.h"

#if defined(_WIN32)

#ifndef NOMINMAX
#define NOMINMAX
#endif
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <algorithm>

namespace anytimebn {
namespace {

constexpr std::size_t most_at_once = std::size_t{1} << 30;

OVERLAPPED place(std::uint64_t offset) {
    OVERLAPPED where{};
    where.Offset = static_cast<DWORD>(offset);
    where.OffsetHigh = static_cast<DWORD>(offset >> 32);
    return where;
}

}  // namespace

NamelessFile::~NamelessFile() {
    if (handle_ != -1) CloseHandle(reinterpret_cast<HANDLE>(handle_));
}

bool NamelessFile::open(const std::string& folder) {
    if (handle_ != -1) return true;
    char name[MAX_PATH];
    if (GetTempFileNameA(folder.c_str(), "abn", 0, name) == 0) return false;
    // The system removes it when it is closed, also when the process is killed.
    handle_ = reinterpret_cast<std::intptr_t>(
        CreateFileA(name, GENERIC_READ | GENERIC_WRITE, 0, nullptr, CREATE_ALWAYS,
                    FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, nullptr));
    if (handle_ == -1) DeleteFileA(name);
    return handle_ != -1;
}

bool NamelessFile::write(std::uint64_t offset, const void* data, std::size_t bytes) {
    for (std::size_t done = 0; done < bytes;) {
        OVERLAPPED where = place(offset + done);
        DWORD written = 0;
        if (!WriteFile(reinterpret_cast<HANDLE>(handle_), static_cast<const char*>(data) + done,
                       static_cast<DWORD>(std::min(bytes - done, most_at_once)), &written,
                       &where) ||
            written == 0)
            return false;
        done += written;
    }
    return true;
}

bool NamelessFile::read(std::uint64_t offset, void* data, std::size_t bytes) const {
    for (std::size_t done = 0; done < bytes;) {
        OVERLAPPED where = place(offset + done);
        DWORD found = 0;
        if (!ReadFile(reinterpret_cast<HANDLE>(handle_), static_cast<char*>(data) + done,
                      static_cast<DWORD>(std::min(bytes - done, most_at_once)), &found, &where) ||
            found == 0)
            return false;
        done += found;
    }
    return true;
}

}  // namespace anytimebn

#else

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace anytimebn {

NamelessFile::~NamelessFile() {
    if (handle_ >= 0) close(static_cast<int>(handle_));
}

bool NamelessFile::open(const std::string& folder) {
    if (handle_ >= 0) return true;
#if defined(O_TMPFILE)
    handle_ = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
#endif
    if (handle_ < 0) {  // file systems without such files
        std::string name = folder + "/anytimebn-XXXXXX";
        handle_ = mkstemp(name.data());
        if (handle_ < 0) return false;
        fcntl(static_cast<int>(handle_), F_SETFD, FD_CLOEXEC);
        unlink(name.c_str());
    }
    return true;
}

bool NamelessFile::write(std::uint64_t offset, const void* data, std::size_t bytes) {
    for (std::size_t done = 0; done < bytes;) {
        const ssize_t written =
            pwrite(static_cast<int>(handle_), static_cast<const char*>(data) + done, bytes - done,
                   static_cast<off_t>(offset + done));
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        done += static_cast<std::size_t>(written);
    }
    return true;
}

bool NamelessFile::read(std::uint64_t offset, void* data, std::size_t bytes) const {
    for (std::size_t done = 0; done < bytes;) {
        const ssize_t found = pread(static_cast<int>(handle_), static_cast<char*>(data) + done,
                                    bytes - done, static_cast<off_t>(offset + done));
        if (found < 0 && errno == EINTR) continue;
        if (found <= 0) return false;
        done += static_cast<std::size_t>(found);
    }
    return true;
}

}  // namespace anytimebn

#endif
