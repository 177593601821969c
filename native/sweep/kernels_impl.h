// Included by one translation unit an instruction set, inside its own unnamed namespace; plain
// loops of fixed length, which compilers turn into vector code. Nothing of the standard library
// (see scores/kernels_impl.h).

constexpr std::size_t lanes = 4;

inline double smaller(double a, double b) { return a < b ? a : b; }
inline double greater(double a, double b) { return a > b ? a : b; }

void sum_over_supersets(double* table, std::size_t size) {
    if (size < 2 * lanes) {
        for (std::size_t half = 1; half < size; half *= 2)
            for (std::size_t a = 0; a < size; ++a)
                if (!(a & half)) table[a] += table[a | half];
        return;
    }
    for (std::size_t begin = 0; begin < size; begin += lanes) {
        double* const t = table + begin;
        t[0] += t[1], t[2] += t[3];
        t[0] += t[2], t[1] += t[3];
    }
    std::size_t half = lanes;
    for (; half * 4 <= size; half *= 4)
        for (std::size_t begin = 0; begin < size; begin += 4 * half) {
            double* __restrict const t0 = table + begin;
            double* __restrict const t1 = t0 + half;
            double* __restrict const t2 = t1 + half;
            double* __restrict const t3 = t2 + half;
            for (std::size_t a = 0; a < half; ++a) {
                const double both = t3[a], first = t1[a] + both;
                t0[a] += t2[a] + first;
                t1[a] = first;
                t2[a] += both;
            }
        }
    for (; half < size; half *= 2)
        for (std::size_t begin = 0; begin < size; begin += 2 * half) {
            double* __restrict const without = table + begin;
            const double* __restrict const with = table + begin + half;
            for (std::size_t a = 0; a < half; ++a) without[a] += with[a];
        }
}

double lower_room(const double* __restrict database, const double* __restrict clusters,
                  double constant, double limit, bool first, std::size_t size,
                  double* __restrict room) {
    const double left = limit - constant;
    double greatest = -1;
    double best[lanes] = {-1, -1, -1, -1};
    std::size_t a = 0;
    for (; a + lanes <= size; a += lanes)
        for (std::size_t l = 0; l < lanes; ++l) {
            const double here = left - (database[a + l] + clusters[a + l]);
            room[a + l] = first ? here : smaller(room[a + l], here);
            best[l] = greater(best[l], room[a + l]);
        }
    for (std::size_t l = 0; l < lanes; ++l) greatest = greater(greatest, best[l]);
    for (; a < size; ++a) {
        const double here = left - (database[a] + clusters[a]);
        room[a] = first ? here : smaller(room[a], here);
        greatest = greater(greatest, room[a]);
    }
    return greatest;
}
