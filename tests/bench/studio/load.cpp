// How soon the window reacts while a sweep has both cores: the real window, offscreen, runs the prefill sweep
// of latency-256; another thread posts a request every 25 ms (point at another place of the plot; or show
// another page), and what counts is the time from then until it was handled and painted. Prints milliseconds.
// Budget of issue 7: p95 50.
//   QT_QPA_PLATFORM=offscreen bench_load [SECONDS]
#include <QApplication>
#include <QDir>
#include <QMouseEvent>
#include <QTemporaryDir>
#include <QThread>
#include <QTimer>
#include <atomic>
#include <chrono>
#include <cstdlib>

#include "app/studio/main_window.h"
#include "app/studio/pages/latency/latency_page.h"
#include "app/studio/pages/latency/latency_panels.h"
#include "tests/bench/studio/times.h"
#include "widgets/curve_plot.h"
#include "widgets/theme.h"

namespace {

using namespace orthros;
using Clock = std::chrono::steady_clock;

constexpr auto kPause = std::chrono::milliseconds(25);
constexpr int kPerPage = 20;  // requests until another page is shown

struct Request : QEvent {
  Request() : QEvent(QEvent::User) {}
  Clock::time_point posted = Clock::now();
};

class Reactions : public QObject {
 public:
  explicit Reactions(studio::MainWindow& window) : m_window(window) {}
  std::vector<double> pointing, pages, waiting;

 protected:
  bool event(QEvent* event) override {
    if (event->type() != QEvent::User) return QObject::event(event);
    const auto began = Clock::now();
    const auto posted = static_cast<Request*>(event)->posted;
    const bool page = ++m_count % kPerPage == 0;
    if (page) {
      const QStringList names = m_window.pageNames();
      m_window.showPage(m_onLatency ? names[m_count / kPerPage % names.size()] : QStringLiteral("latency"));
      m_onLatency = m_window.currentPage()->name() == u"latency";
    } else if (m_onLatency) {
      auto* plot = static_cast<studio::LatencyPage*>(m_window.currentPage())->panels()->main();
      const QPointF at(plot->width() * (m_count * 7 % 100) / 100.0, plot->height() / 2.0);
      QMouseEvent move(QEvent::MouseMove, at, plot->mapToGlobal(at), Qt::NoButton, Qt::NoButton, {});
      QCoreApplication::sendEvent(plot, &move);
      plot->update();
    }
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::UpdateRequest);  // paints
    const auto ms = [](auto span) { return std::chrono::duration<double, std::milli>(span).count(); };
    waiting.push_back(ms(began - posted));
    (page ? pages : pointing).push_back(ms(Clock::now() - posted));
    return true;
  }

 private:
  studio::MainWindow& m_window;
  int m_count = 0;
  bool m_onLatency = true;
};

void watch(studio::MainWindow& window, const char* when, int seconds) {
  Reactions reactions(window);
  std::atomic<bool> stop = false;
  QThread* poster = QThread::create([&] {
    while (!stop) {
      QCoreApplication::postEvent(&reactions, new Request);
      QThread::usleep(std::chrono::microseconds(kPause).count());
    }
  });
  poster->start();
  QEventLoop loop;
  QTimer::singleShot(seconds * 1000, &loop, &QEventLoop::quit);
  loop.exec();
  stop = true;
  poster->wait();
  delete poster;
  std::printf("%s\n", when);
  bench::print("  until the window began to react", reactions.waiting);
  bench::print("  until what is pointed at was painted", reactions.pointing);
  bench::print("  until another page was painted", reactions.pages);
}

}  // namespace

int main(int argc, char** argv) {
  QApplication application(argc, argv);
  QApplication::setOrganizationName(QStringLiteral("orthros-bench"));
  const int seconds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 20;
  const QTemporaryDir folder;
  widgets::ThemeHub::instance().apply(widgets::ThemeMode::Light);
  studio::Workspace workspace;
  workspace.settings().setTransient(true);
  workspace.settings().setDataFolder(folder.path());
  studio::MainWindow window(workspace);
  window.resize(1280, 800);
  window.show();
  window.showPage(QStringLiteral("latency"));
  auto* page = static_cast<studio::LatencyPage*>(window.page(QStringLiteral("latency")));
  watch(window, "at rest", std::min(seconds, 5));
  window.showPage(QStringLiteral("latency"));
  page->findChild<QAction*>(QStringLiteral("latency-sample"))->trigger();
  while (!page->isRunning()) QApplication::processEvents(QEventLoop::WaitForMoreEvents);
  watch(window, "while the sweep runs", seconds);
  std::printf("the sweep %s\n", page->isRunning() ? "still ran at the end" : "HAD ENDED before the end");
  std::fflush(stdout);
  workspace.engine().shutDown();
  return 0;
}
