// QCustomPlot's header, which is written with Qt's lower-case keywords, for a program that keeps them out.
#pragma once

#define signals Q_SIGNALS
#define slots Q_SLOTS
#define foreach(variable, container) for (variable : container)
#include <qcustomplot.h>
#undef signals
#undef slots
#undef foreach
