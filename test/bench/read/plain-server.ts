import Fastify from 'fastify'
import { sql } from 'kysely'
import { openDb } from '../../../db/connect.ts'

/**
 * plain-server.ts DATABASE_URL ACCOUNT PORT: serves the page with the query builder, and charges with one
 * UPDATE per request.
 */
const [url, accountId, port] = process.argv.slice(2)
const { db } = openDb({ url: url!, maxConnections: 8, applicationName: 'bench-plain' })
const app = Fastify()
app.get<{ Querystring: { address: string; connectionId: string; limit: string } }>(
  '/v1/wallet/transactions',
  async ({ query }) => {
    await db
      .updateTable('credit_periods')
      .set({ posted: sql`posted + 30` })
      .where('account_id', '=', accountId!)
      .execute()
    const rows = await db
      .selectFrom('wallet_transactions as row')
      .innerJoin('wallets', 'wallets.id', 'row.wallet_id')
      .select(['row.main_coin_id', 'row.main_symbol', 'row.main_count', 'row.main_value_usd', 'row.fragment'])
      .where('wallets.address', '=', query.address)
      .where('row.network_id', '=', query.connectionId)
      .orderBy('row.at', 'desc')
      .orderBy('row.tx_index', 'desc')
      .orderBy('row.hash', 'desc')
      .limit(Number(query.limit))
      .execute()
    return { result: rows.map(({ fragment, ...rest }) => ({ ...rest, ...(JSON.parse(fragment) as object) })) }
  },
)
await app.listen({ host: '127.0.0.1', port: Number(port) })
