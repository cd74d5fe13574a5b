// Frame log of the pair view on a recording of 131,072 tokens that no model made: zooms, pans and head
// switches as a person does them, each frame painted offscreen; hover answers; the atlas of 1,152 heads.
// Prints milliseconds: median, 95th percentile, worst. Budgets of issue 6: frames p95 16.7, hover 50, atlas
// 100.
//   QT_QPA_PLATFORM=offscreen bench_frames [FRAMES]
#include <QApplication>
#include <QImage>
#include <QRandomGenerator>
#include <algorithm>
#include <cstdlib>
#include <vector>

#include "tests/bench/studio/times.h"
#include "tests/support/synthetic_pair.h"
#include "widgets/head_atlas.h"
#include "widgets/pair_view.h"
#include "widgets/theme.h"

namespace {

using namespace orthros;
using bench::millis;
using bench::print;

double paint(QWidget& view, QImage& frame) {
  QElapsedTimer timer;
  timer.start();
  view.render(&frame);
  return millis(timer);
}

}  // namespace

int main(int argc, char** argv) {
  QApplication application(argc, argv);
  widgets::ThemeHub::instance().apply(widgets::ThemeMode::Light);
  const int frames = argc > 1 ? std::atoi(argv[1]) : 600;
  QElapsedTimer timer;
  timer.start();
  test::SyntheticSpec spec;
  const auto a = test::syntheticPair(spec);
  std::printf(
      "recording of %lld tokens, %lld rows made with its pyramids in %.0f ms; pyramids %.0f MB, sums %.0f "
      "MB\n",
      static_cast<long long>(spec.keys), static_cast<long long>(spec.rows), millis(timer),
      static_cast<double>(a->base.bytes() + a->output.bytes()) / 1e6,
      static_cast<double>(a->facts->base.sums.bytes() + a->facts->output.sums.bytes()) / 1e6);
  spec.plantedKey = 12'345;
  const auto b = test::syntheticPair(spec);
  widgets::PairView view;
  view.resize(1184, 700);
  view.setData(a);
  QImage frame(view.size(), QImage::Format_RGB32);
  paint(view, frame);  // the first builds tables
  std::vector<double> zooms, pans, switches, hovers;
  const QPointF centre = view.pane(true).center();
  for (int i = 0; i < frames; ++i) {
    view.zoomAt(centre + QPointF(i % 37 * 5 - 90, i % 23 * 6 - 60), i % 60 < 30 ? 1.25 : 0.8, true, true);
    zooms.push_back(paint(view, frame));
  }
  for (const double wide : {131'072.0, 20'000.0, 1'500.0}) {
    view.showArea(QRectF(131'072 - wide, 131'072 - wide, wide, wide));
    for (int i = 0; i < frames / 3; ++i) {
      view.showArea(view.shown().translated(-wide / 200, -wide / 300));
      pans.push_back(paint(view, frame));
    }
  }
  for (int i = 0; i < 20; ++i) {
    timer.restart();
    view.setData(i % 2 == 0 ? b : a);
    view.render(&frame);
    switches.push_back(millis(timer));
  }
  std::vector<double> scales;  // the widest pictures are the dearest
  for (int mode = 0; mode < widgets::kScaleModes; ++mode) {
    for (const bool sums : {false, true}) {
      view.setStyle({static_cast<widgets::ScaleMode>(mode), sums, false});
      view.fit();
      for (int i = 0; i < 10; ++i) {
        view.zoomAt(centre, 1.3, true, true);
        scales.push_back(paint(view, frame));
      }
    }
  }
  view.setStyle({});
  view.fit();
  auto* random = QRandomGenerator::global();
  for (int i = 0; i < 1000; ++i) {
    const QPointF point = view.pane(true).topLeft() + QPointF(random->bounded(800), random->bounded(600));
    timer.restart();
    const auto [position, key] = view.under(point);
    view.setMarked(position, key);
    view.render(&frame);
    hovers.push_back(millis(timer));
  }
  widgets::HeadAtlas atlas;
  atlas.resize(300, 560);
  widgets::AtlasView heads;
  heads.layers = 36;
  heads.heads = 32;
  heads.headsPerGroup = 4;
  for (int i = 0; i < 36 * 32; ++i) {
    heads.base.push_back(static_cast<float>(random->bounded(1.0)));
    heads.output.push_back(static_cast<float>(random->bounded(1.0)));
  }
  QImage small(atlas.size(), QImage::Format_RGB32);
  std::vector<double> atlases;
  for (int i = 0; i < 50; ++i) {
    timer.restart();
    atlas.setView(heads);
    atlas.render(&small);
    atlases.push_back(millis(timer));
  }
  print("zoom frames", zooms);
  print("pan frames", pans);
  print("head switch with frame", switches);
  print("zoom frames in every scale", scales);
  print("hover answer with frame", hovers);
  print("atlas of 1,152 heads", atlases);
  return 0;
}
