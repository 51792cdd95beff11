// From values to places in a picture. Pure, and internal to the room.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace radosload::html {

// The room of a picture in which its values are drawn, in units of its viewBox.
struct Plot {
  double left = 64;
  double top = 12;
  double width = 820;
  double height = 180;
  double right() const { return left + width; }
  double bottom() const { return top + height; }
};

// Latencies on a log scale from one power of ten to another.
class LogScale {
 public:
  // Of values above 0; without any, from 1 us to 10 us.
  explicit LogScale(const std::vector<double>& values);
  // 0 to 1.
  double share(double ns) const;
  // 100 us, 1 ms, ...: one for each power of ten, the ends included.
  std::vector<double> ticks() const;

 private:
  double m_low = 3;
  double m_high = 4;
};

// "1 ms", for an axis: without needless digits.
std::string tick_text(double ns);
// Rises to 1, 2 or 5 times a power of ten.
double round_top(double highest);

// <svg> with a title and a description for screen readers. `name` is unique within the page.
std::string svg(const std::string& name, const std::string& title, const std::string& description,
                double height, const std::string& body);
// <text>; `anchor` is start, middle or end.
std::string label(double x, double y, const std::string& anchor, const std::string& text);
// The lines and labels of a log scale at the left of a plot.
std::string log_axis(const Plot& plot, const LogScale& scale);
std::string grid_line(double x1, double y1, double x2, double y2);

// The class of the n-th line of a picture: colours first, then colours with dashes.
std::string line_style(std::size_t n);
struct LineKey {
  std::string style;
  std::string name;
};
// Which line is what, in columns below a plot, from `top` on.
std::string legend(const std::vector<LineKey>& keys, double left, double top);
double legend_height(std::size_t keys);

}  // namespace radosload::html
