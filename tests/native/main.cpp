#include <chrono>
#include <cstdio>
#include <exception>
#include <string>

#include "test.h"

int main(int count, char** arguments) {
    using Clock = std::chrono::steady_clock;
    int ran = 0, failed = 0;
    for (const auto& test : anytimebn::test::all_tests()) {
        bool wanted = count == 1;
        for (int i = 1; i < count; ++i) wanted |= test.name.starts_with(arguments[i]);
        if (!wanted) continue;
        ++ran;
        const auto start = Clock::now();
        std::string failure;
        try {
            test.body();
        } catch (const std::exception& error) {
            failure = error.what();
        }
        const std::chrono::duration<double> seconds = Clock::now() - start;
        std::printf("%s %s (%.1f s)\n", failure.empty() ? "ok    " : "FAILED", test.name.c_str(),
                    seconds.count());
        if (!failure.empty()) {
            std::printf("       %s\n", failure.c_str());
            ++failed;
        }
        std::fflush(stdout);
    }
    if (ran == 0) std::printf("no test has such a name\n");
    return failed == 0 && ran > 0 ? 0 : 1;
}
