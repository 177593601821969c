// ln C(r, N), the normaliser of the normalised maximum likelihood of an r-valued multinomial.
#pragma once

#include <cstdint>

namespace anytimebn {

// Beyond, the recurrence takes too long.
constexpr double most_normalised_values = 1e9;

double log_multinomial_normaliser(double values, std::int64_t rows);

}  // namespace anytimebn
