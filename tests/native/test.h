// The few lines that native tests need: TEST(what_holds) { ... CHECK(condition); ... }. A program
// runs the tests of its files whose names begin with one of its arguments, or all of them.
#pragma once

#include <functional>
#include <source_location>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace anytimebn::test {

struct Test {
    std::string name;
    std::function<void()> body;
};

inline std::vector<Test>& all_tests() {
    static std::vector<Test> tests;
    return tests;
}

struct Registered {
    Registered(std::string name, std::function<void()> body) {
        all_tests().push_back({std::move(name), std::move(body)});
    }
};

class Failure : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

inline void check(bool holds, const char* condition,
                  const std::source_location place = std::source_location::current()) {
    if (holds) return;
    std::ostringstream text;
    text << place.file_name() << ':' << place.line() << ": " << condition;
    throw Failure(text.str());
}

// Whether a call throws this.
template <class Exception, class Call>
bool throws(Call&& call) {
    try {
        call();
    } catch (const Exception&) {
        return true;
    }
    return false;
}

}  // namespace anytimebn::test

#define CHECK(condition) ::anytimebn::test::check((condition), #condition)
#define TEST(name)                                                                    \
    static void test_##name();                                                        \
    static const ::anytimebn::test::Registered registered_##name(#name, test_##name); \
    static void test_##name()
