import { type ChildProcess, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { bitcoinWallets } from '../../sandbox/bitcoin/actors.ts'
import { binanceKeys } from '../../sandbox/exchanges/keys.ts'
import { BARE_ENVIRONMENT } from '../setup/bare-environment.ts'

/** Starts sandbox/main.ts as a process on a free port. */
export async function startSimulator(env: Record<string, string>) {
  const program = fileURLToPath(new URL('../../sandbox/main.ts', import.meta.url))
  const own = { ...BARE_ENVIRONMENT, PORT: '0' }
  const child = spawn(process.execPath, [program], {
    env: { ...own, ...env },
    stdio: ['ignore', 'pipe', 'inherit'] as const,
  })
  return {
    url: await firstUrl(child),
    stop: async (signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM') => {
      const ended = once(child, 'exit')
      child.kill(signal)
      await ended
    },
  }
}

async function firstUrl(child: ChildProcess): Promise<string> {
  for await (const chunk of child.stdout!) {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(String(chunk))?.[0]
    if (url) return url
  }
  throw new Error('the simulator did not start')
}

/** Data of the simulator that depends on its anchor. */
export async function readSimulator(url: string) {
  const get = async (path: string, headers: Record<string, string> = {}) =>
    (await fetch(`${url}${path}`, { headers })).text()
  const slot = await fetch(`${url}/solana`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getSlot', params: [] }),
  })
  const { apiKey, apiSecret } = binanceKeys[0]!
  const query = `timestamp=${Date.now()}`
  const signature = createHmac('sha256', apiSecret).update(query).digest('hex')
  const account = await get(`/binance/api/v3/account?${query}&signature=${signature}`, {
    'x-mbx-apikey': apiKey,
  })
  const coins = JSON.parse(await get('/coinpaprika/v1/coins')) as { id: string }[]
  return {
    /** These change with time. */
    bitcoinTip: Number(await get('/esplora/api/blocks/tip/height')),
    solanaSlot: ((await slot.json()) as { result: number }).result,
    /** These do not change during a test. */
    bitcoinTransactions: await get(`/esplora/api/address/${bitcoinWallets[1]!.name}/txs`),
    exchangeBalances: (JSON.parse(account) as { balances: unknown }).balances,
    // Sorted here, because the simulator orders by market capitalisation.
    coins: coins.map(({ id }) => id).sort(),
  }
}
