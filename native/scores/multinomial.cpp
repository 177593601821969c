#include "scores/multinomial.h"

#include <cmath>
#include <stdexcept>

namespace anytimebn {
namespace {

// C(2, N) = 1 + Q(N), with Ramanujan's Q(N) = sum over k >= 1 of N! / ((N-k)! N^k) (Mononen &
// Myllymaki 2008). The terms fall off like exp(-k^2 / 2N), so few are needed; for large N the
// asymptotic series of Q is exact to more digits than a double holds.
double binomial_normaliser(double rows) {
    if (rows > 20'000) {
        const double root = std::sqrt(rows);
        const double pi = std::acos(-1.0);
        return 1 + std::sqrt(pi / 2) * root - 1.0 / 3 + std::sqrt(2 * pi) / 24 / root -
               4 / (135 * rows) + std::sqrt(2 * pi) / 576 / (root * rows) +
               8 / (2835 * rows * rows);
    }
    double sum = 1, term = 1;
    for (double k = 0; k < rows && term > 1e-18 * sum; ++k) {
        term *= (rows - k) / rows;
        sum += term;
    }
    return sum;
}

}  // namespace

double log_multinomial_normaliser(double values, std::int64_t rows) {
    if (values > most_normalised_values)
        throw std::invalid_argument(
            "a joint table of more than 1e9 cells has no normalised maximum likelihood here: "
            "lower --max-parents");
    if (rows == 0 || values <= 1) return 0;
    const auto n = static_cast<double>(rows);
    // C(r + 2, N) = C(r + 1, N) + (N / r) C(r, N) (Kontkanen & Myllymaki 2007), kept as a ratio and
    // a logarithm because the values themselves overflow.
    const double second = binomial_normaliser(n);
    double log_value = std::log(second);
    double previous_over_current = 1 / second;
    double pending = 1;  // factors not yet turned into a logarithm
    for (double r = 1; r + 2 <= values; ++r) {
        const double growth = 1 + n / r * previous_over_current;
        previous_over_current = 1 / growth;
        pending *= growth;
        if (pending > 1e250) {
            log_value += std::log(pending);
            pending = 1;
        }
    }
    return log_value + std::log(pending);
}

}  // namespace anytimebn
