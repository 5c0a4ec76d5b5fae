import type { ChainTables } from './chain/tables.ts'
import type { DefiTables } from './defi/tables.ts'
import type { ExchangesTables } from './exchanges/tables.ts'
import type { InsightsTables } from './insights/tables.ts'
import type { MeteringTables } from './metering/tables.ts'
import type { NewsTables } from './news/tables.ts'
import type { NftTables } from './nft/tables.ts'
import type { PaymentsTables } from './payments/tables.ts'
import type { PnlTables } from './pnl/tables.ts'
import type { PortfoliosTables } from './portfolios/tables.ts'
import type { PredictionTables } from './prediction/tables.ts'
import type { PricesTables } from './prices/tables.ts'
import type { RiskTables } from './risk/tables.ts'
import type { SourcesTables } from './sources/tables.ts'
import type { TickersTables } from './tickers/tables.ts'

/** Every table by name. Row types stand with their area; a test holds them against the migrated database. */
export interface Database
  extends
    ChainTables,
    DefiTables,
    ExchangesTables,
    MeteringTables,
    NewsTables,
    NftTables,
    PaymentsTables,
    PnlTables,
    PortfoliosTables,
    PredictionTables,
    PricesTables,
    SourcesTables,
    TickersTables,
    InsightsTables,
    RiskTables {}
