// ln C(r, N), the normaliser of the normalised maximum likelihood of an r-valued multinomial.
#pragma once

#include <cstdint>

namespace anytimebn {

double log_multinomial_normaliser(double values, std::int64_t rows);

}  // namespace anytimebn
