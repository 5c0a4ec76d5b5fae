import type pg from 'pg'

/** Decides the alerts on prediction markets, in the transaction that stored them. */
export async function decideMarketAlerts(client: pg.ClientBase, marketIds: readonly number[]): Promise<void> {
  await client.query('select decide_market_alerts($1)', [marketIds])
}
