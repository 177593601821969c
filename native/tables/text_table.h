// A hash table of the texts that were seen. Nearly all cells of the tables that people have are
// short, and hold one of a few texts: such a text is its own key, and is compared as one number.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

namespace anytimebn {

class TextTable {
 public:
    // Texts have to stay where they are. Up to `end_of_bytes`, bytes behind a text may be read.
    std::int32_t number_of(std::string_view text, const char* end_of_bytes) {
        const std::uint64_t key = key_of(text, end_of_bytes);
        std::size_t at = mixed(key + text.size()) & (slots_.size() - 1);
        while (slots_[at].number >= 0) {
            const Slot& seen = slots_[at];
            if (seen.key == key && seen.text.size() == text.size() &&
                (text.size() <= short_text || seen.text == text))
                return seen.number;
            at = (at + 1) & (slots_.size() - 1);
        }
        const auto number = static_cast<std::int32_t>(count_++);
        slots_[at] = {key, text, number};
        if (2 * count_ > slots_.size()) grow();
        return number;
    }

    std::size_t size() const { return count_; }
    std::size_t memory_bytes() const { return slots_.size() * sizeof(Slot); }
    // By their numbers.
    std::vector<std::string_view> texts() const {
        std::vector<std::string_view> texts(count_);
        for (const Slot& slot : slots_)
            if (slot.number >= 0) texts[static_cast<std::size_t>(slot.number)] = slot.text;
        return texts;
    }

 private:
    static constexpr std::size_t short_text = sizeof(std::uint64_t);

    struct Slot {
        std::uint64_t key = 0;
        std::string_view text;
        std::int32_t number = -1;
    };

    // The finaliser of MurmurHash3: every bit of the result depends on every bit of the key.
    static std::uint64_t mixed(std::uint64_t key) {
        key = (key ^ (key >> 33)) * 0xff51afd7ed558ccdu;
        key = (key ^ (key >> 33)) * 0xc4ceb9fe1a85ec53u;
        return key ^ (key >> 33);
    }

    // The bytes of a short text, so that equal keys mean equal texts, or those of a long one mixed.
    static std::uint64_t key_of(std::string_view text, const char* end_of_bytes) {
        const char* from = text.data();
        std::size_t length = text.size();
        std::uint64_t key = 0;
        if constexpr (std::endian::native == std::endian::little) {
            if (length <= short_text && from + short_text <= end_of_bytes) {
                if (length == 0) return 0;
                std::memcpy(&key, from, short_text);
                return key & (~std::uint64_t{0} >> (8 * (short_text - length)));  // not neighbours
            }
        }
        for (; length > short_text; length -= short_text, from += short_text) {
            std::uint64_t word;
            std::memcpy(&word, from, short_text);
            key = mixed(key ^ word) + length;
        }
        std::uint64_t rest = 0;
        std::memcpy(&rest, from, length);
        return key + rest;
    }

    void grow() {
        std::vector<Slot> larger(2 * slots_.size());
        for (const Slot& slot : slots_) {
            if (slot.number < 0) continue;
            std::size_t at = mixed(slot.key + slot.text.size()) & (larger.size() - 1);
            while (larger[at].number >= 0) at = (at + 1) & (larger.size() - 1);
            larger[at] = slot;
        }
        slots_ = std::move(larger);
    }

    std::vector<Slot> slots_ = std::vector<Slot>(8);  // at most half of them used
    std::size_t count_ = 0;
};

}  // namespace anytimebn
