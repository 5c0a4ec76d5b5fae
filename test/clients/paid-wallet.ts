import { expect } from 'vitest'
import { readRun } from '../../cli/supervisor/run-file.ts'
import { exchanges } from '../../sandbox/chain/actors.ts'
import { sluiceOn } from '../cli/sluice-on.ts'
import { jsonRpc } from '../setup/anvil.ts'
import type { Installation } from '../setup/provided.ts'

export interface Event {
  id: string
  type: string
  seq: string
  data: { transaction?: { hash: { id: string } } }
}

/** A customer of a started installation with a wallet that is paid on its chain. */
export async function startPaidWallet({ url, home, wallet }: Installation) {
  const sluice = (...args: string[]) => {
    const { status, stdout, stderr } = sluiceOn({ SLUICE_HOME: home })(...args, '--json')
    expect([status, stderr]).toEqual([0, ''])
    return JSON.parse(stdout)
  }
  const { accountId } = sluice('accounts', 'create', '--name', 'events', '--plan', 'pro')
  const { key } = sluice('keys', 'create', '--account', accountId, '--name', 'events') as { key: string }
  const chain = `http://127.0.0.1:${readRun(home)!.ports['ethereum']}`
  const place = { address: wallet, connectionId: 'ethereum' }

  async function call(method: string, path: string, body?: object): Promise<any> {
    const response = await fetch(url + path, {
      method,
      headers: { 'X-API-KEY': key, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const answer = await response.json()
    expect(response.status, JSON.stringify(answer)).toBe(200)
    return answer
  }

  /** Events of the account from a number on; the first read of events watches its wallets. */
  async function eventsFrom(seq: string): Promise<Event[]> {
    const { result } = await call('GET', `/events?after=${BigInt(seq) - 1n}&limit=100`)
    return result
  }

  let last = '1'

  /** Mines a payment to the wallet, and asks for syncs until the account has its event. Returns the transaction. */
  async function pay(): Promise<string> {
    const [from] = exchanges
    const value = `0x${(10n ** 15n).toString(16)}`
    const hash: string = await jsonRpc(chain, 'eth_sendTransaction', [{ from, to: wallet, value }])
    await jsonRpc(chain, 'evm_mine', [])
    const isTold = async () => {
      await call('PATCH', `/wallet/transactions?address=${wallet}&connectionId=ethereum`)
      const events = await eventsFrom(last)
      last = events.at(-1)?.seq ?? last
      return events.some(({ data }) => data.transaction?.hash.id === hash)
    }
    await expect.poll(isTold, { interval: 3_000 }).toBe(true)
    return hash
  }

  await call('POST', '/portfolio/wallet', place)
  await eventsFrom(last)
  return { key, place, call, eventsFrom, pay }
}
