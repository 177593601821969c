#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "bindings/arrays.h"
#include "tables/distinct_texts.h"
#include "tables/plain_cells.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace anytimebn {
namespace {

using Ends = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<nb::numpy, std::int32_t, nb::ndim<1>>;
using DistinctEnds = nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>>;
using DistinctBytes = nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<1>>;

TextCells cells_of(const Ends& ends, const Bytes& bytes) {
    const TextCells cells{{ends.data(), ends.shape(0)},
                          {reinterpret_cast<const char*>(bytes.data()), bytes.shape(0)}};
    for (std::size_t i = 0; i < ends.shape(0); ++i)
        if (cells.ends[i] < (i > 0 ? cells.ends[i - 1] : 0) ||
            static_cast<std::size_t>(cells.ends[i]) > bytes.shape(0))
            throw std::invalid_argument("the ends of texts must rise, within the bytes");
    return cells;
}

using Numbered = std::tuple<Numbers, DistinctEnds, DistinctBytes>;

Numbered to_arrays(std::vector<std::int32_t>&& numbers, DistinctTexts&& texts) {
    return {to_array(std::move(numbers)), to_array(std::move(texts.ends)),
            to_array(std::move(texts.bytes))};
}

std::vector<Numbered> number_all_texts(
    const std::vector<std::vector<std::pair<Ends, Bytes>>>& columns, std::size_t jobs) {
    std::vector<std::vector<std::int32_t>> numbers(columns.size());
    std::vector<DistinctTexts> texts(columns.size());
    {
        const nb::gil_scoped_release release;
        parallel_for(columns.size(), jobs, [&](std::size_t column, std::size_t) {
            std::vector<TextCells> chunks;
            std::size_t count = 0;
            for (const auto& [ends, bytes] : columns[column])
                count += chunks.emplace_back(cells_of(ends, bytes)).size();
            numbers[column].resize(count);
            texts[column] = number_texts(chunks, numbers[column]);
        });
    }
    std::vector<Numbered> found;
    for (std::size_t column = 0; column < columns.size(); ++column)
        found.push_back(to_arrays(std::move(numbers[column]), std::move(texts[column])));
    return found;
}

std::optional<std::vector<Numbered>> number_plain_cells(const Bytes& content, char separator,
                                                        std::size_t skipped, std::size_t columns,
                                                        std::size_t jobs) {
    std::optional<std::vector<NumberedCells>> cells;
    {
        const nb::gil_scoped_release release;
        const std::string_view text(reinterpret_cast<const char*>(content.data()),
                                    content.shape(0));
        cells = read_plain_cells(text, separator, skipped, columns, jobs);
    }
    if (!cells) return std::nullopt;
    std::vector<Numbered> found;
    for (NumberedCells& column : *cells)
        found.push_back(to_arrays(std::move(column.numbers), std::move(column.texts)));
    return found;
}

}  // namespace

void register_tables(nb::module_& module) {
    module.def("number_texts", number_all_texts, "columns"_a, "jobs"_a,
               "For each column of texts, given in chunks of (ends, bytes): the number of each "
               "cell's text, in order of appearance, and the ends and bytes of these texts.");
    module.def("number_plain_cells", number_plain_cells, "content"_a, "separator"_a, "skipped"_a,
               "columns"_a, "jobs"_a,
               "The same for the columns of a text file after its first lines; None unless every "
               "line has that many cells, each as it stands or in one pair of quotes.");
}

}  // namespace anytimebn
