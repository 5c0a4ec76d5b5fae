// One line for each area.
type Tables = import('./chain/tables.ts').ChainTables &
  import('./defi/tables.ts').DefiTables &
  import('./exchanges/tables.ts').ExchangesTables &
  import('./insights/tables.ts').InsightsTables &
  import('./metering/tables.ts').MeteringTables &
  import('./news/tables.ts').NewsTables &
  import('./nft/tables.ts').NftTables &
  import('./payments/tables.ts').PaymentsTables &
  import('./pnl/tables.ts').PnlTables &
  import('./portfolios/tables.ts').PortfoliosTables &
  import('./prediction/tables.ts').PredictionTables &
  import('./prices/tables.ts').PricesTables &
  import('./risk/tables.ts').RiskTables &
  import('./sources/tables.ts').SourcesTables &
  import('./tickers/tables.ts').TickersTables

/** Every table by name. Row types stand with their area; a test holds them against the migrated database. */
export interface Database extends Tables {}
