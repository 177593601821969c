// A hash table of the texts that were seen. Nearly all cells of the tables that people have are
// short, and hold one of a few texts: such a text is its own key, and is compared as one number.
#include "tables/distinct_texts.h"

#include <bit>
#include <cstring>
#include <utility>

namespace anytimebn {
namespace {

constexpr std::size_t short_text = sizeof(std::uint64_t);

// The finaliser of MurmurHash3: every bit of the result depends on every bit of the key.
std::uint64_t mixed(std::uint64_t key) {
    key = (key ^ (key >> 33)) * 0xff51afd7ed558ccdu;
    key = (key ^ (key >> 33)) * 0xc4ceb9fe1a85ec53u;
    return key ^ (key >> 33);
}

// The bytes of a short text, so that equal keys mean equal texts, or those of a long one mixed.
std::uint64_t key_of(const char* text, std::size_t length, const char* end_of_bytes) {
    std::uint64_t key = 0;
    if constexpr (std::endian::native == std::endian::little) {
        if (length <= short_text && text + short_text <= end_of_bytes) {
            if (length == 0) return 0;
            std::memcpy(&key, text, short_text);
            return key & (~std::uint64_t{0} >> (8 * (short_text - length)));  // not its neighbours
        }
    }
    for (; length > short_text; length -= short_text, text += short_text) {
        std::uint64_t word;
        std::memcpy(&word, text, short_text);
        key = mixed(key ^ word) + length;
    }
    std::uint64_t rest = 0;
    std::memcpy(&rest, text, length);
    return key + rest;
}

class TextTable {
 public:
    TextTable() : slots_(64) {}

    std::int32_t number_of(const char* text, std::size_t length, const char* end_of_bytes) {
        const std::uint64_t key = key_of(text, length, end_of_bytes);
        std::size_t at = mixed(key + length) & (slots_.size() - 1);
        while (slots_[at].number >= 0) {
            const Slot& seen = slots_[at];
            if (seen.key == key && seen.length == length &&
                (length <= short_text || std::memcmp(seen.text, text, length) == 0))
                return seen.number;
            at = (at + 1) & (slots_.size() - 1);
        }
        slots_[at] = {key, text, length, static_cast<std::int32_t>(count_++)};
        const auto number = slots_[at].number;
        if (2 * count_ > slots_.size()) grow();
        return number;
    }

 private:
    struct Slot {
        std::uint64_t key = 0;
        const char* text = nullptr;
        std::size_t length = 0;
        std::int32_t number = -1;
    };

    void grow() {
        std::vector<Slot> larger(2 * slots_.size());
        for (const Slot& slot : slots_) {
            if (slot.number < 0) continue;
            std::size_t at = mixed(slot.key + slot.length) & (larger.size() - 1);
            while (larger[at].number >= 0) at = (at + 1) & (larger.size() - 1);
            larger[at] = slot;
        }
        slots_ = std::move(larger);
    }

    std::vector<Slot> slots_;  // at most half of them used
    std::size_t count_ = 0;
};

}  // namespace

DistinctTexts number_texts(const std::vector<TextCells>& chunks, std::span<std::int32_t> numbers) {
    TextTable table;
    DistinctTexts texts;
    auto number = numbers.begin();
    for (const TextCells& chunk : chunks) {
        const char* const bytes = chunk.bytes.data();
        const char* const end_of_bytes = bytes + chunk.bytes.size();
        for (std::size_t i = 0; i < chunk.size(); ++i) {
            const char* const text = bytes + chunk.ends[i];
            const char* const end = bytes + chunk.ends[i + 1];
            *number = table.number_of(text, static_cast<std::size_t>(end - text), end_of_bytes);
            if (static_cast<std::size_t>(*number++) + 1 < texts.ends.size()) continue;
            texts.bytes.insert(texts.bytes.end(), text, end);
            texts.ends.push_back(static_cast<std::int64_t>(texts.bytes.size()));
        }
    }
    return texts;
}

}  // namespace anytimebn
