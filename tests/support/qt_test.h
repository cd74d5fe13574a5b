// ORTHROS_QT_TEST(Class): lets qt_test_main.cpp run a QTest class together with the others of its folder.
#pragma once

#include <QObject>
#include <functional>
#include <memory>
#include <vector>

namespace orthros::test {

using Factory = std::function<std::unique_ptr<QObject>()>;
std::vector<Factory>& factories();

struct Registration {
  explicit Registration(Factory factory) { factories().push_back(std::move(factory)); }
};

}  // namespace orthros::test

#define ORTHROS_QT_TEST(Class) \
  static const orthros::test::Registration registered_##Class([] { return std::make_unique<Class>(); })
