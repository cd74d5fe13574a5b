// The NIAH page's budgets (issue 7): four maps of 40 x 40 cells repainted, and a run of 10,000 trials opened
// in the real window. Prints milliseconds: median, 95th percentile, worst. Budgets: repaint 8, opening 300.
//   QT_QPA_PLATFORM=offscreen bench_niah [FRAMES]
#include <QApplication>
#include <QEventLoop>
#include <QImage>
#include <QTemporaryDir>
#include <cstdlib>
#include <memory>

#include "app/studio/main_window.h"
#include "app/studio/pages/niah/niah_page.h"
#include "engine/experiments/niah_experiment.h"
#include "tests/bench/studio/times.h"
#include "tests/support/planted_needles.h"
#include "tests/support/stub_models.h"
#include "widgets/needle_map.h"
#include "widgets/theme.h"

namespace {

using namespace orthros;
using bench::millis;
using bench::print;

constexpr int kArms = 4;
constexpr qsizetype kCells = 40;

template <class T>
T must(Result<T> result) {
  if (!result) {
    std::fprintf(stderr, "bench_niah: %s\n", result.error().line().c_str());
    std::exit(1);
  }
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

// Four maps side by side, as on a page `wide` pixels wide; `each` changes them before every frame.
template <class Change>
std::vector<double> frames(int count, int wide, int high, const Change& each) {
  std::vector<std::unique_ptr<widgets::NeedleMap>> maps;
  QImage frame(wide / kArms, high, QImage::Format_ARGB32_Premultiplied);
  for (int arm = 0; arm < kArms; ++arm) {
    maps.push_back(std::make_unique<widgets::NeedleMap>());
    maps.back()->resize(frame.size());
    maps.back()->setData(test::plantedNeedles(kCells, kCells));
    maps.back()->render(&frame, {}, {}, QWidget::DrawChildren);
  }
  std::vector<double> times;
  QElapsedTimer timer;
  for (int i = 0; i < count; ++i) {
    timer.restart();
    for (const auto& map : maps) {
      each(*map, i);
      map->render(&frame, {}, {}, QWidget::DrawChildren);
    }
    times.push_back(millis(timer));
  }
  return times;
}

QString makeRun(const std::filesystem::path& path) {
  const auto store = must(store::RunStore::open(path));
  NiahSpec spec;
  spec.lengths = geometric_lengths(256, 2048, 10);
  spec.depths_ppm = depth_series(10, DepthSpacing::linear);
  spec.trials = 25;
  spec.controls = false;
  std::vector<Arm> arms;
  for (const char* label : {"stub, A", "stub, B", "stub, C", "stub, D"})
    arms.push_back(test::stub_arm(label, {}));
  auto experiment = must(NiahExperiment::create(*store, spec, std::move(arms), "10,000 trials"));
  must(experiment.run({}));
  return QString::fromStdString(experiment.experiment().uuid);
}

}  // namespace

int main(int argc, char** argv) {
  QApplication application(argc, argv);
  QApplication::setOrganizationName(QStringLiteral("orthros-bench"));
  widgets::ThemeHub::instance().apply(widgets::ThemeMode::Light);
  const int count = argc > 1 ? std::max(1, std::atoi(argv[1])) : 200;
  const auto point = [](widgets::NeedleMap& map, int i) { map.setMarked({i % kCells, i * 7 % kCells}); };
  const auto fill = [](widgets::NeedleMap& map, int i) {
    widgets::NeedleMapData data = map.data();
    data.cells[static_cast<size_t>(i) % data.cells.size()].hits = i % 6;
    map.setData(data);
  };
  for (const auto& [wide, high] : {std::pair(1160, 330), std::pair(2430, 900)}) {
    std::printf("4 maps of 40 x 40 on %d x %d pixels\n", wide, high);
    print("  pointing at a cell", frames(count, wide, high, point));
    print("  one trial more in each", frames(count, wide, high, fill));
  }
  const QTemporaryDir folder;
  QElapsedTimer timer;
  timer.start();
  const QString uuid = makeRun(std::filesystem::path(folder.path().toStdString()) / "runs.sqlite");
  std::printf("run of 4 x 10 x 10 x 25 = 10,000 trials made in %.1f s\n", millis(timer) / 1e3);
  studio::Workspace workspace;
  workspace.settings().setTransient(true);
  workspace.settings().setDataFolder(folder.path());
  studio::MainWindow window(workspace);
  window.resize(1280, 800);
  window.show();
  window.showPage(QStringLiteral("niah"));
  QApplication::processEvents();
  auto* page = static_cast<studio::NiahPage*>(window.page(QStringLiteral("niah")));
  std::vector<double> opens;
  for (int i = 0; i < 12; ++i) {
    QEventLoop loop;
    QObject::connect(page, &studio::NiahPage::shown, &loop, &QEventLoop::quit);
    timer.restart();
    page->open(uuid);
    loop.exec();
    window.grab();
    opens.push_back(millis(timer));
  }
  std::printf("first opening %.1f ms\n", opens.front());
  print("opening a run of 10,000 trials, with its picture", opens);
  return 0;
}
