#include "engine/experiments/kept_queries.h"

#include <algorithm>

namespace orthros {
namespace {

/// Row `index` of queries that hold `count` rows.
store::AttnQueryRecord query_of(const QueryRows& queries, int64_t index, int64_t count) {
  const auto part = [&](const std::vector<float>& all) {
    const auto columns = std::ssize(all) / count;
    return std::vector<float>(all.begin() + index * columns, all.begin() + (index + 1) * columns);
  };
  store::AttnQueryRecord query;
  query.projected = part(queries.projected);
  query.scaled = part(queries.scaled);
  return query;
}

bool fits(const store::AttnQueryRecord& query, const AttentionRecord& shape) {
  const int64_t columns = shape.heads * shape.head_dim;
  return query.layer >= 0 && query.layer < shape.layers && columns > 0 &&
         std::ssize(query.projected) == columns && std::ssize(query.scaled) == columns &&
         (!query.output_stream || shape.has_output);
}

}  // namespace

std::vector<store::AttnQueryRecord> kept_queries(const AttentionRecord& record) {
  std::vector<store::AttnQueryRecord> all;
  for (int64_t layer = 0; layer < record.layers; ++layer) {
    const LayerRows& rows = record.rows[static_cast<size_t>(layer)];
    const int64_t count = std::ssize(rows.positions);
    for (const bool output : {false, true}) {
      const QueryRows& queries = output ? rows.output_queries : rows.base_queries;
      for (int64_t i = 0; i < count && !queries.projected.empty(); ++i) {
        store::AttnQueryRecord& one = all.emplace_back(query_of(queries, i, count));
        one.layer = layer;
        one.output_stream = output;
        one.position = rows.positions[static_cast<size_t>(i)];
      }
    }
  }
  return all;
}

std::vector<store::AttnQueryRecord> kept_queries(const DecodeStep& step) {
  std::vector<store::AttnQueryRecord> all;
  for (const bool output : {false, true}) {
    const StepStream& from = output ? step.output : step.base;
    const int64_t count = std::ssize(from.query_layers);
    for (int64_t i = 0; i < count; ++i) {
      store::AttnQueryRecord& one = all.emplace_back(query_of(from.queries, i, count));
      one.layer = from.query_layers[static_cast<size_t>(i)];
      one.output_stream = output;
      one.position = step.position;
    }
  }
  return all;
}

Result<void> put_queries(AttentionRecord& record, const std::vector<store::AttnQueryRecord>& queries) {
  const auto columns = static_cast<size_t>(record.heads * record.head_dim);
  for (const store::AttnQueryRecord& query : queries) {
    const bool sound = fits(query, record);
    if (!sound) return fail(ErrorCode::corrupt_file, "a kept query does not fit its capture");
    LayerRows& rows = record.rows[static_cast<size_t>(query.layer)];
    const auto place = std::ranges::lower_bound(rows.positions, query.position);
    if (place == rows.positions.end() || *place != query.position)
      return fail(ErrorCode::corrupt_file, "a kept query belongs to no kept row");
    QueryRows& to = query.output_stream ? rows.output_queries : rows.base_queries;
    to.resize(rows.positions.size() * columns);
    const auto begin = (place - rows.positions.begin()) * static_cast<ptrdiff_t>(columns);
    std::ranges::copy(query.projected, to.projected.begin() + begin);
    std::ranges::copy(query.scaled, to.scaled.begin() + begin);
  }
  return {};
}

bool put_queries(DecodeStep& step, const AttentionRecord& shape,
                 const std::vector<store::AttnQueryRecord>& queries) {
  for (const store::AttnQueryRecord& query : queries) {
    StepStream& to = query.output_stream ? step.output : step.base;
    if (!fits(query, shape) || query.position != step.position ||
        (!to.query_layers.empty() && to.query_layers.back() >= query.layer))
      return false;
    to.query_layers.push_back(query.layer);
    to.queries.projected.insert(to.queries.projected.end(), query.projected.begin(), query.projected.end());
    to.queries.scaled.insert(to.queries.scaled.end(), query.scaled.begin(), query.scaled.end());
  }
  return true;
}

}  // namespace orthros
