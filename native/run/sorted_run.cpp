#include "run/sorted_run.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace anytimebn {
namespace {

// A step of more than this many times 2^parameter is written in full.
constexpr unsigned longest_quotient = 24;
constexpr std::size_t header_bytes = 10;  // Rice parameter, bits of a cost, lowest cost
constexpr std::size_t read_beyond = 8;    // a word is loaded from any byte

static_assert(std::endian::native == std::endian::little);

class BitWriter {
 public:
    explicit BitWriter(std::vector<std::uint64_t>& words) : words_(words) { words_.assign(1, 0); }

    void put(std::uint64_t value, unsigned bits) {
        if (bits == 0) return;
        words_.back() |= value << used_;
        if (used_ + bits >= 64) {
            words_.push_back(used_ == 0 ? 0 : value >> (64 - used_));
            used_ = used_ + bits - 64;
        } else {
            used_ += bits;
        }
    }
    std::size_t bytes() const { return (words_.size() - 1) * 8 + (used_ + 7) / 8; }

 private:
    std::vector<std::uint64_t>& words_;
    unsigned used_ = 0;  // bits of the last word
};

class BitReader {
 public:
    explicit BitReader(const std::uint8_t* data) : data_(data) {}

    // At least 57 bits from here on.
    std::uint64_t peek() const {
        std::uint64_t word;
        std::memcpy(&word, data_ + (at_ >> 3), 8);
        return word >> (at_ & 7);
    }
    void skip(unsigned bits) { at_ += bits; }
    std::uint64_t get(unsigned bits) {  // at most 57
        const std::uint64_t value = peek() & ((std::uint64_t{1} << bits) - 1);
        at_ += bits;
        return value;
    }

 private:
    const std::uint8_t* data_;
    std::uint64_t at_ = 0;
};

// The Rice parameter with the fewest bits, as far as the lengths of the steps tell.
unsigned best_parameter(const std::vector<RunNode>& nodes) {
    std::uint64_t of_length[65] = {};
    for (std::size_t i = 1; i < nodes.size(); ++i)
        ++of_length[std::bit_width(nodes[i].set - nodes[i - 1].set - 1)];
    unsigned best = 0;
    std::uint64_t fewest = UINT64_MAX;
    for (unsigned parameter = 0; parameter <= 56; ++parameter) {
        std::uint64_t bits = 0;
        for (unsigned length = 0; length <= 64; ++length) {
            if (of_length[length] == 0) continue;
            std::uint64_t each = parameter + 1;
            if (length > parameter) {
                const unsigned above = length - parameter;  // at most 2^above, at least half of it
                each = above >= 6 ? longest_quotient + 64 : each + (std::uint64_t{3} << above) / 4;
            }
            bits += of_length[length] * each;
        }
        if (bits < fewest) {
            fewest = bits;
            best = parameter;
        }
    }
    return best;
}

}  // namespace

std::size_t run_part_nodes(std::uint64_t memory_bytes) {
    return static_cast<std::size_t>(
        std::clamp<std::uint64_t>(std::bit_floor(memory_bytes >> 12), 64, 1024));
}

std::size_t SortedRun::part_of(std::uint64_t set) const {
    const auto after =
        std::upper_bound(parts_.begin(), parts_.end(), set,
                         [](std::uint64_t wanted, const Part& p) { return wanted < p.first_set; });
    return after == parts_.begin() ? 0 : static_cast<std::size_t>(after - parts_.begin()) - 1;
}

void SortedRun::read(std::size_t number, std::vector<RunNode>& nodes) const {
    const Part& part = parts_[number];
    std::vector<std::uint8_t> read;
    const std::uint8_t* data = part.data.get();
    if (data == nullptr) {
        read.resize(part.bytes + read_beyond);
        file_->read(part.offset, read.data(), part.bytes);
        data = read.data();
    }
    const unsigned parameter = data[0], cost_bits = data[1];
    std::uint64_t lowest;
    std::memcpy(&lowest, data + 2, 8);
    BitReader bits(data + header_bytes);
    std::uint64_t set = part.first_set;
    const std::size_t begin = nodes.size();
    nodes.resize(begin + part.count);
    for (std::size_t i = begin; i < nodes.size(); ++i) {
        if (i > begin) {
            const auto quotient = static_cast<unsigned>(std::countr_one(bits.peek()));
            if (quotient < longest_quotient) {
                bits.skip(quotient + 1);
                set += (std::uint64_t{quotient} << parameter) + bits.get(parameter) + 1;
            } else {
                bits.skip(longest_quotient);
                const std::uint64_t low = bits.get(32);
                set += (bits.get(32) << 32 | low) + 1;
            }
        }
        nodes[i] = {set, lowest + bits.get(cost_bits)};
    }
}

std::optional<std::uint64_t> SortedRun::find(std::uint64_t set) const {
    if (empty()) return std::nullopt;
    std::vector<RunNode> nodes;
    read(part_of(set), nodes);
    const auto found = std::lower_bound(
        nodes.begin(), nodes.end(), set,
        [](const RunNode& node, std::uint64_t wanted) { return node.set < wanted; });
    if (found == nodes.end() || found->set != set) return std::nullopt;
    return found->cost;
}

bool SortedRun::move_to_disk(DiskSpace& disk) {
    if (file_ != nullptr || in_memory_ == 0) return file_ != nullptr;
    auto file = std::make_unique<DiskFile>(disk);
    // Not one by one: a write should be worth a call.
    constexpr std::size_t worth_a_write = std::size_t{1} << 16;
    std::vector<std::uint8_t> together;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
        parts_[p].offset = file->bytes() + together.size();
        together.insert(together.end(), parts_[p].data.get(),
                        parts_[p].data.get() + parts_[p].bytes);
        if (together.size() < worth_a_write && p + 1 < parts_.size()) continue;
        if (!file->append(together.data(), together.size())) return false;
        together.clear();
    }
    for (Part& part : parts_) part.data.reset();
    in_memory_ = 0;
    file_ = std::move(file);
    return true;
}

bool RunWriter::end_part() {
    if (waiting_.empty()) return true;
    std::uint64_t lowest = UINT64_MAX, highest = 0;
    for (const RunNode& node : waiting_) {
        lowest = std::min(lowest, node.cost);
        highest = std::max(highest, node.cost);
    }
    const unsigned parameter = best_parameter(waiting_);
    const auto cost_bits = static_cast<unsigned>(std::bit_width(highest - lowest));
    BitWriter bits(words_);
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
        if (i > 0) {
            const std::uint64_t step = waiting_[i].set - waiting_[i - 1].set - 1;
            const std::uint64_t quotient = step >> parameter;
            if (quotient < longest_quotient) {
                bits.put((std::uint64_t{1} << quotient) - 1, static_cast<unsigned>(quotient) + 1);
                bits.put(step & ((std::uint64_t{1} << parameter) - 1), parameter);
            } else {
                bits.put((std::uint64_t{1} << longest_quotient) - 1, longest_quotient);
                bits.put(step & 0xffffffffu, 32);
                bits.put(step >> 32, 32);
            }
        }
        bits.put(waiting_[i].cost - lowest, cost_bits);
    }
    const std::size_t bytes = header_bytes + bits.bytes();
    auto data = std::make_unique<std::uint8_t[]>(bytes + read_beyond);
    data[0] = static_cast<std::uint8_t>(parameter);
    data[1] = static_cast<std::uint8_t>(cost_bits);
    std::memcpy(data.get() + 2, &lowest, 8);
    std::memcpy(data.get() + header_bytes, words_.data(), bits.bytes());
    SortedRun::Part part{waiting_[0].set, 0, static_cast<std::uint32_t>(waiting_.size()),
                         static_cast<std::uint32_t>(bytes), nullptr};
    if (run_.file_ != nullptr) {
        part.offset = run_.file_->bytes();
        if (!run_.file_->append(data.get(), bytes)) return false;
    } else {
        part.data = std::move(data);
        run_.in_memory_ += bytes + read_beyond;
    }
    run_.nodes_ += waiting_.size();
    run_.parts_.push_back(std::move(part));
    waiting_.clear();
    return true;
}

bool RunWriter::append(SortedRun& run) {
    if (!end_part()) return false;
    std::size_t done = 0;
    for (; done < run.parts_.size(); ++done) {
        SortedRun::Part& part = run.parts_[done];
        if (run_.file_ != nullptr) {
            part.offset = run_.file_->bytes();
            if (!run_.file_->append(part.data.get(), part.bytes)) break;
            part.data.reset();
        } else {
            run_.in_memory_ += part.bytes + read_beyond;
        }
        run_.nodes_ += part.count;
        run_.parts_.push_back(std::move(part));
    }
    run.parts_.erase(run.parts_.begin(), run.parts_.begin() + static_cast<std::ptrdiff_t>(done));
    return run.parts_.empty();
}

bool RunWriter::continue_on_disk(DiskSpace& disk) {
    if (run_.file_ != nullptr) return true;
    if (run_.parts_.empty()) {
        run_.file_ = std::make_unique<DiskFile>(disk);
        return disk.enabled();
    }
    return run_.move_to_disk(disk);
}

bool RunWriter::finish(SortedRun& run) {
    if (!end_part()) return false;
    run = std::move(run_);
    run_ = {};
    return true;
}

SortedRun run_of(const std::vector<RunNode>& nodes, std::size_t part_nodes) {
    RunWriter writer(part_nodes);
    for (const RunNode& node : nodes) writer.add(node);
    SortedRun run;
    writer.finish(run);
    return run;
}

}  // namespace anytimebn
