import { publishBatch } from '../../activities/events/publish-batch.ts'
import { routes } from '../../api/routes.ts'
import { openDb } from '../../db/connect.ts'
import { noteWalletEvents } from '../../db/events/note-events.ts'
import { transact } from '../../db/transact.ts'
import { startApi } from '../setup/api.ts'
import type { TestDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { insertWallet } from '../setup/wallet-factories.ts'

export const networkId = 'ethereum'

/** The API, and events that tests make happen. */
export async function startEventsWorld(database: TestDatabase) {
  const { pool, close } = openDb({ url: database.ingestUrl, maxConnections: 2, applicationName: 'test' })
  const api = await startApi({ database, routes })
  await query(database.ownerUrl, `update networks set active = (id = '${networkId}')`)
  let amount = 0

  /** A wallet that is synced, as far as the tables say. */
  const newWallet = async (address: string) => ({
    address,
    walletId: await insertWallet(api.owner, { address, syncs: { [networkId]: new Date() } }),
  })

  /** Changes the balance of a wallet so often, for whoever watches it. `padding` makes the bodies longer. */
  async function happen(walletId: string, { times = 1, padding = 0 } = {}): Promise<void> {
    const events = Array.from({ length: times }, () => ({
      walletId,
      kind: 'wallet.balance' as const,
      blockNumber: 1,
      txHash: null,
      payload: { coinId: `ethereum${'x'.repeat(padding)}`, amount: String(++amount), previousAmount: '0' },
    }))
    await transact(pool, ({ client }) => noteWalletEvents(client, { networkId, events }))
    while ((await publishBatch({ pool })).isMore) continue
  }

  /** An event of the account alone. */
  async function ping(accountId: string): Promise<void> {
    await query(
      database.ownerUrl,
      `insert into event_sources (kind, account_id, payload) values ('test.ping', '${accountId}', '{"endpointId":"x"}')`,
    )
    await publishBatch({ pool })
  }

  const connect = (accountId: string, address: string) =>
    query(
      database.ownerUrl,
      `insert into portfolios (id, account_id, kind, address, network_id)
       values (uuidv7(), '${accountId}', 'wallet', '${address}', '${networkId}')`,
    )

  return { api, pool, close, newWallet, happen, ping, connect, newest: () => String(amount) }
}

export interface SentEvent {
  id: string
  type: string
  data: { id: string; seq: string; data: { amount?: string; address?: string } }
}

/** Reads server-sent events of an answer one by one. */
export function readerOf(response: Response) {
  const chunks = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''

  /** The next block of lines; null: the stream has ended. */
  async function block(): Promise<string | null> {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end >= 0) {
        const found = text.slice(0, end)
        text = text.slice(end + 2)
        return found
      }
      const { value, done } = await chunks.read()
      if (done) return null
      text += value
    }
  }

  async function next(): Promise<SentEvent | null> {
    for (;;) {
      const found = await block()
      if (found === null) return null
      const fields = new Map(found.split('\n').map((line) => line.split(/: (.*)/s) as [string, string]))
      if (fields.has('data'))
        return {
          id: fields.get('id')!,
          type: fields.get('event')!,
          data: JSON.parse(fields.get('data')!) as SentEvent['data'],
        }
    }
  }

  return { block, next, cancel: () => chunks.cancel() }
}
