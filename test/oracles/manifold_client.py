"""Prints what the client of manifoldpy reads: all markets, and the prices of one after each bet."""

import contextlib
import importlib.util
import json
import sys
import types

# Its own __init__ loads plotting, which the client does not need.
package = types.ModuleType("manifoldpy")
package.__path__ = importlib.util.find_spec("manifoldpy").submodule_search_locations
sys.modules["manifoldpy"] = package
from manifoldpy import api  # noqa: E402

url, market_id = sys.argv[1:]
api.ALL_MARKETS_URL = f"{url}/v0/markets"
api.SINGLE_MARKET_URL = f"{url}/v0/market/{{}}"
api.BETS_URL = f"{url}/v0/bets"

FIELDS = "id question slug probability createdTime closeTime isResolved resolution resolutionProbability".split()

# It tells of its progress.
with contextlib.redirect_stdout(sys.stderr):
    markets = api.get_all_markets()
    market = api.get_market(market_id)
    market.bets = api.get_all_bets(marketId=market_id)
times, prices = market.probability_history()
print(
    json.dumps(
        {
            "markets": [{name: getattr(one, name) for name in FIELDS} for one in markets],
            # The first is the price before any bet.
            "prices": list(zip(times.tolist(), prices.tolist()))[1:],
        }
    )
)
