// Someone else's estimate against the certified enclosure, from C++:
//   c++ check.cpp $(pkg-config --cflags --libs attcert) && ./a.out
#include <attcert.h>

#include <cstdio>
#include <memory>
#include <vector>

int main() {
  const std::vector<double> identity = {1, 0, 0, 1}, input = {1, 0, 0, 1, 2, 2};
  const std::unique_ptr<attcert_problem, void (*)(attcert_problem *)> problem(attcert_problem_new(),
                                                                              attcert_problem_free);
  for (const char *name : {"query.weight", "key.weight", "value.weight"})
    attcert_problem_set_array(problem.get(), name, identity.data(), 2, 2, nullptr);
  attcert_problem_set_array(problem.get(), "input", input.data(), 3, 2, nullptr);

  for (const char *estimate : {"0.5", "1.5"}) {
    attcert_error err = {ATTCERT_OK, ""};
    attcert_result *result = nullptr;
    const attcert_status status =
        attcert_problem_check(&result, problem.get(), estimate, 0, nullptr, 0, 0, nullptr, &err);
    if (result == nullptr) {
      std::fprintf(stderr, "%s\n", err.message);
      return status;
    }
    std::printf("%s is %s [%.17g, %.17g]\n", estimate, attcert_result_verdict(result), attcert_result_lower(result),
                attcert_result_upper(result));
    attcert_result_free(result);
  }
  return 0;
}
