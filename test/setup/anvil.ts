import { spawn } from 'node:child_process'
import { freePort } from '../../cli/supervisor/free-port.ts'
import { anvilBinary } from '../../sandbox/chain/anvil-binary.ts'

export interface Anvil {
  url: string
  call: (method: string, ...params: unknown[]) => Promise<any>
  stop: () => Promise<void>
}

/** Starts a real EVM node on a free port: mines on demand, unlocked accounts with 10,000 ETH each. */
export async function startAnvil(args: string[] = ['--no-mining', '--order', 'fifo']): Promise<Anvil> {
  const port = await freePort()
  const child = spawn(anvilBinary(), ['--port', String(port), '--quiet', ...args], { stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = `http://127.0.0.1:${port}`
  const call = (method: string, ...params: unknown[]) => jsonRpc(url, method, params)
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  for (let attempt = 0; ; attempt++) {
    try {
      await call('eth_chainId')
      return { url, call, stop }
    } catch (error) {
      if (attempt === 100 || child.exitCode !== null) throw new Error('anvil did not start', { cause: error })
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

/** One plain JSON-RPC call, against which tests compare the adapters. */
export async function jsonRpc(url: string, method: string, params: unknown[]): Promise<any> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const answer = (await response.json()) as { result?: unknown; error?: { message: string } }
  if (answer.error) throw new Error(`${method}: ${answer.error.message}`)
  return answer.result
}
