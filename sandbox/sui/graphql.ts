import { ok, type Upstream, type UpstreamReply } from '../upstream.ts'
import { suiCoins } from './actors.ts'
import type { SuiChain, SuiTx } from './ledger.ts'

const failed = (message: string, code: string): UpstreamReply =>
  ok({ data: null, errors: [{ message, path: [], extensions: { code } }] })

type Variables = {
  number?: number | null
  address?: string
  after?: number | null
  before?: number
  cursor?: string | null
  digest?: string
  at?: number
  type?: string
}

const perPage = 50

/** A page, whose cursors are the places of its rows. */
function connection<Row, Node>(
  rows: readonly Row[],
  cursor: string | null | undefined,
  nodeOf: (row: Row) => Node,
) {
  const from = cursor ? Number(Buffer.from(cursor, 'base64').toString()) + 1 : 0
  const nodes = rows.slice(from, from + perPage)
  const last = from + nodes.length - 1
  return {
    pageInfo: {
      hasNextPage: last < rows.length - 1,
      endCursor: nodes.length === 0 ? null : Buffer.from(String(last)).toString('base64'),
    },
    nodes: nodes.map(nodeOf),
  }
}

/**
 * The GraphQL server of Sui, as far as the questions of the product go: each is known by the name of its operation.
 * `lost`: checkpoints before it are not there.
 */
export function createSuiGraphql(chainNow: () => SuiChain, { lost = 0 } = {}): Upstream {
  return ({ method, bodyText, now }) => {
    if (method !== 'POST') return { status: 405, body: '' }
    const { query, variables: asked } = JSON.parse(bodyText) as { query: string; variables: Variables }
    const chain = chainNow()
    const newest = chain.newest(now)
    const [, name] = /^query (\w+)/.exec(query) ?? []
    if (name === 'checkpoint') {
      const number = asked.number ?? newest
      const timestamp = new Date(chain.timeOf(number)).toISOString()
      return ok({ data: { checkpoint: number > newest ? null : { sequenceNumber: number, timestamp } } })
    }
    if (name === 'range')
      return ok({ data: { serviceConfig: { availableRange: { first: { sequenceNumber: lost } } } } })
    if (name === 'history') {
      const rows = chain
        .affecting(asked.address!)
        .filter(
          ({ checkpoint: at }) =>
            at >= lost && at > (asked.after ?? -1) && at < asked.before! && at <= newest,
        )
      return ok({ data: { transactions: connection(rows, asked.cursor, (tx) => nodeOf(chain, tx)) } })
    }
    if (name === 'changes') {
      const tx = chain.tx(asked.digest!)!
      return ok({ data: { transaction: { effects: { balanceChanges: changesOf(tx, asked.cursor) } } } })
    }
    if (name === 'balances') {
      if (asked.at! > newest) return failed(`Checkpoint ${asked.at} in the future`, 'BAD_USER_INPUT')
      const held = [...chain.held(asked.address!, asked.at!)].filter(([, raw]) => raw > 0n)
      const balances = connection(held, asked.cursor, ([repr, raw]) => ({
        coinType: { repr },
        totalBalance: String(raw),
      }))
      return ok({ data: { address: { balances } } })
    }
    if (name === 'coin') {
      const found = suiCoins.find(({ type }) => type === asked.type)
      const { symbol, name: title, decimals } = found ?? {}
      return ok({ data: { coinMetadata: found ? { symbol, name: title, decimals } : null } })
    }
    return failed('Unknown operation', 'GRAPHQL_VALIDATION_FAILED')
  }
}

const changesOf = (tx: SuiTx, cursor?: string | null) =>
  connection(tx.changes, cursor, ({ owner, type, raw }) => ({
    owner: { address: owner },
    coinType: { repr: type },
    amount: String(raw),
  }))

const nodeOf = (chain: SuiChain, tx: SuiTx) => ({
  digest: tx.digest,
  sender: { address: tx.sender },
  gasInput: { gasSponsor: { address: tx.sponsor ?? tx.sender } },
  effects: {
    status: tx.success ? 'SUCCESS' : 'FAILURE',
    timestamp: new Date(chain.timeOf(tx.checkpoint)).toISOString(),
    checkpoint: { sequenceNumber: tx.checkpoint },
    balanceChanges: changesOf(tx),
    gasEffects: {
      gasSummary: {
        computationCost: Number(tx.gas.computation),
        storageCost: Number(tx.gas.storage),
        storageRebate: Number(tx.gas.rebate),
      },
    },
  },
})
