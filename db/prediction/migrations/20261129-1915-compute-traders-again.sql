-- Past days of traders were worth the price of the time of computing, if the market's own prices came later.
update prediction_traders set dirty = true;
