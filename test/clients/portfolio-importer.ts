import { setTimeout as sleep } from 'node:timers/promises'
import {
  BALANCES,
  BALANCES_OF_MANY,
  CHARTS,
  CONNECTED,
  DEFI,
  NETWORKS,
  NFTS,
  PL_HISTORY,
  PORTFOLIO_COINS,
  PORTFOLIO_VALUE,
  readShape,
  type Shape,
  SYNC_STATUS,
  TRANSACTIONS,
} from './contract-shape.ts'

// A program of a partner: it is written from the published contract and uses nothing of this project.

export interface LinkedWallet {
  address: string
  connectionId: string
}

/** An account of the importing program: one coin in one wallet. */
export interface ImportedCoin {
  coinId: string
  symbol: string
  amount: number
  price: number
}

export interface Answer<B = any> {
  body: B
  headers: Headers
}

interface Call {
  method?: 'GET' | 'POST' | 'DELETE'
  path: string
  query?: Record<string, string>
  body?: object
}

/** The contract's limit for transactions. */
const PAGE_SIZE = 100
const TRIES = 30

/** Imports wallets from an installation. It links them by their balances and never asks for a sync. */
export function createPortfolioImporter({ url, key }: { url: string; key: string }) {
  let calls = 0

  /** Waits where the service says how long, as the contract asks. Returns null for 409: not synced yet. */
  async function ask(call: Call, shape: Shape): Promise<Answer | null> {
    const { method = 'GET', path, query = {}, body } = call
    const target = `${url}${path}?${new URLSearchParams(query).toString()}`
    const headers = { 'X-API-KEY': key, ...(body && { 'Content-Type': 'application/json' }) }
    for (let tries = 1; ; tries++) {
      calls++
      const response = await fetch(target, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      const told = (await response.json()) as any
      if (response.status === 200) {
        readShape(told, shape, path)
        return { body: told, headers: response.headers }
      }
      if (response.status === 409 && told.message === 'Transactions not synced') return null
      const waitS = Number(response.headers.get('retry-after') ?? NaN)
      if (Number.isNaN(waitS) || tries === TRIES)
        throw new Error(`${method} ${target}: ${response.status} ${JSON.stringify(told)}`)
      await sleep(waitS * 1_000)
    }
  }

  async function done(call: Call, shape: Shape): Promise<Answer> {
    const answer = await ask(call, shape)
    if (!answer) throw new Error(`${call.path} ${JSON.stringify(call.query)}: 409 for what needs no sync`)
    return answer
  }
  const read = (path: string, query: Record<string, string>, shape: Shape) => done({ path, query }, shape)

  const pairs = (wallets: readonly LinkedWallet[]) =>
    wallets.map(({ connectionId, address }) => `${connectionId}:${address}`).join(',')

  /** The networks that a person chooses from. */
  const networks = async () => (await read('/wallet/blockchains', {}, NETWORKS)).body

  /** Returns the coins of each wallet, in the order of the wallets. */
  async function link(wallets: readonly LinkedWallet[]): Promise<Answer<ImportedCoin[][]>> {
    const { body, headers } = await read('/wallet/balances', { wallets: pairs(wallets) }, BALANCES_OF_MANY)
    return { body: coinsOf(wallets, body), headers }
  }

  /** Reads each wallet alone and all at once, as different screens of a program do. */
  async function balances(wallets: readonly LinkedWallet[]): Promise<ImportedCoin[][]> {
    const many = await read('/wallet/balance/many', { wallets: pairs(wallets) }, BALANCES_OF_MANY)
    const together = coinsOf(wallets, many.body)
    for (const [index, { address, connectionId }] of wallets.entries()) {
      const { body } = await read('/wallet/balance', { address, connectionId }, BALANCES)
      const [alone, listed] = [body, together[index]!].map((coins: ImportedCoin[]) =>
        coins.map(({ coinId, amount }) => `${coinId} ${amount}`).sort(),
      )
      if (String(alone) !== String(listed))
        throw new Error(`${connectionId}: ${String(alone)} alone, ${String(listed)} among many`)
    }
    return together
  }

  /** DeFi positions exist on EVM networks only. */
  const defi = (wallet: LinkedWallet) => read('/wallet/defi', { ...wallet }, DEFI)

  async function nfts(address: string): Promise<any[]> {
    const groups: any[] = []
    for (let page = 1; ; page++) {
      const { body } = await read(`/nft/wallet/${address}/assets`, { page: String(page) }, NFTS)
      groups.push(...(body.data ?? []))
      if (!body.meta.hasNextPage) return groups
    }
  }

  /** Returns all transactions, or null while the history is not complete. */
  async function transactions(wallets: readonly LinkedWallet[]): Promise<any[] | null> {
    const all: any[] = []
    for (let page = 1; ; page++) {
      const query = { wallets: pairs(wallets), page: String(page), limit: String(PAGE_SIZE) }
      const answer = await ask({ path: '/wallet/transactions', query }, TRANSACTIONS)
      if (!answer) return null
      all.push(...answer.body.result)
      if (answer.body.result.length < PAGE_SIZE) return all
    }
  }

  const charts = async (wallets: readonly LinkedWallet[]) =>
    (await read('/wallet/charts', { type: '1m', wallets: pairs(wallets) }, CHARTS)).body

  const profitHistory = (wallet: LinkedWallet) =>
    read('/wallet/pl/history', { ...wallet, range: '1y', interval: 'monthly' }, PL_HISTORY)

  const status = async (wallet: LinkedWallet): Promise<string> =>
    (await read('/wallet/status', { ...wallet }, SYNC_STATUS)).body.status

  /** Returns the id of the portfolio that now follows the wallet. */
  async function connect(wallet: LinkedWallet): Promise<string> {
    const call = { method: 'POST', path: '/portfolio/wallet', body: wallet } as const
    return (await done(call, CONNECTED)).body.portfolioId
  }

  async function portfolio(portfolioId: string): Promise<{ coins: any[]; value: any; defi: any }> {
    const [coins, value, positions] = [
      await read('/portfolio/coins', { portfolioId }, PORTFOLIO_COINS),
      await read('/portfolio/value', { portfolioId }, PORTFOLIO_VALUE),
      await read('/portfolio/defi', { portfolioId }, DEFI),
    ]
    return { coins: coins.body.result, value: value.body, defi: positions.body }
  }

  const disconnect = (portfolioId: string) =>
    done({ method: 'DELETE', path: `/portfolio/${portfolioId}` }, {})

  return {
    networks,
    link,
    balances,
    defi,
    nfts,
    transactions,
    charts,
    profitHistory,
    status,
    connect,
    portfolio,
    disconnect,
    calls: () => calls,
  }
}

/** Finds the entry of each wallet by network and address, as answers may have another order. */
function coinsOf(wallets: readonly LinkedWallet[], entries: any[]): ImportedCoin[][] {
  return wallets.map(({ address, connectionId }) => {
    const own = entries.find(
      (entry) =>
        entry.connectionId === connectionId && entry.address?.toLowerCase() === address.toLowerCase(),
    )
    if (!own) throw new Error(`no entry of ${connectionId}:${address}`)
    return own.balances
  })
}
