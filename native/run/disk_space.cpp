#include "run/disk_space.h"

namespace anytimebn {

bool DiskSpace::take(std::uint64_t bytes) {
    if (!enabled() || !may_write()) return false;
    std::uint64_t used = used_.load(std::memory_order_relaxed);
    do {
        if (bytes > bytes_ || used > bytes_ - bytes) return false;
    } while (!used_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
    std::uint64_t peak = peak_.load(std::memory_order_relaxed);
    while (peak < used + bytes &&
           !peak_.compare_exchange_weak(peak, used + bytes, std::memory_order_relaxed)) {
    }
    return true;
}

bool DiskSpace::may_write() {
    return refuse_at_ == 0 || writes_.fetch_add(1, std::memory_order_relaxed) + 1 != refuse_at_;
}

DiskFile::~DiskFile() { space_.give_back(size_); }

bool DiskFile::append(const void* data, std::size_t bytes) {
    if (!space_.take(bytes)) return false;
    if (!file_.open(space_.folder()) || !file_.write(size_, data, bytes)) {
        space_.give_back(bytes);
        return false;
    }
    size_ += bytes;
    return true;
}

bool DiskFile::extend(std::uint64_t bytes) {
    if (!file_.open(space_.folder()) || !space_.take(bytes)) return false;
    size_ += bytes;
    return true;
}

bool DiskFile::write(std::uint64_t offset, const void* data, std::size_t bytes) {
    return space_.may_write() && file_.write(offset, data, bytes);
}

void DiskFile::read(std::uint64_t offset, void* data, std::size_t bytes) const {
    if (!file_.read(offset, data, bytes)) throw DiskFailed();
}

}  // namespace anytimebn
