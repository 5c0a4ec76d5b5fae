import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { keepAnchor } from '../../cli/supervisor/keep-anchor.ts'
import { freePort } from '../../cli/supervisor/free-port.ts'
import { anvilArgs } from '../../sandbox/chain/anvil-args.ts'
import { anvilBinary } from '../../sandbox/chain/anvil-binary.ts'
import { fillChains as fillSandboxChains } from '../../sandbox/chain/fill-chains.ts'
import { networks } from '../../sandbox/chain/networks.ts'
import { createRpc, type Rpc } from '../../sandbox/chain/rpc.ts'
import type { NetworkId } from '../../sandbox/chain/tokens.ts'
import { readConfig } from '../../sandbox/config.ts'

export type Chains = {
  rpcs: Record<NetworkId, Rpc>
  /** The node URLs and the anchor of the chains' history. */
  env: Record<string, string>
  /** Stops both anvils. They write their state unless killed. */
  stop(signal?: 'SIGINT' | 'SIGKILL'): Promise<void>
}

/** A test file that fails early would leave its chains running, and the run would wait for their output. */
const left = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of left) child.kill('SIGKILL')
})

async function ready(rpc: Rpc): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const up = await rpc.call('eth_chainId').then(
      () => true,
      () => false,
    )
    if (up) return
    await sleep(50)
  }
  throw new Error(`no anvil at ${rpc.url}`)
}

/**
 * Starts the anvils of the sandbox on free ports, with anchor and state in a folder as in the home of an
 * installation.
 */
export async function startChains(folder: string): Promise<Chains> {
  const anchor = keepAnchor(folder)
  mkdirSync(join(folder, 'chains'), { recursive: true })
  const started: { network: (typeof networks)[number]; process: ChildProcess; rpc: Rpc }[] = []
  for (const network of networks) {
    const port = await freePort()
    const stateFile = join(folder, 'chains', `${network.id}.json`)
    const args = anvilArgs({ network: network.id, port, stateFile, anchor })
    const child = spawn(anvilBinary(), args, { stdio: 'inherit' })
    left.add(child)
    child.once('exit', () => left.delete(child))
    started.push({ network, process: child, rpc: createRpc(`http://127.0.0.1:${port}`) })
  }
  for (const { rpc } of started) await ready(rpc)
  return {
    rpcs: Object.fromEntries(started.map(({ network, rpc }) => [network.id, rpc])) as Chains['rpcs'],
    env: {
      ...Object.fromEntries(started.map(({ network, rpc }) => [network.rpcUrlVariable, rpc.url])),
      SANDBOX_ANCHOR: String(anchor),
    },
    async stop(signal = 'SIGINT') {
      const running = started.map((one) => one.process).filter((child) => child.exitCode === null)
      const ends = running.map((child) => once(child, 'exit'))
      for (const child of running) child.kill(signal)
      await Promise.all(ends)
    },
  }
}

/** Fills the chains as npm start does. Returns what it says and a summary. */
export async function fillChains(
  chains: Chains,
  env: Record<string, string>,
): Promise<{ output: string; summary: any }> {
  const said: string[] = []
  const summary = await fillSandboxChains(readConfig({ ...chains.env, ...env }), (line) => said.push(line))
  return { output: said.join('\n'), summary }
}
