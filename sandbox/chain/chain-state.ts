import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { marker } from './actors.ts'

/** A block without a parent, as anvil writes it. */
const GENESIS_BLOCK =
  /\{"header":\{"parentHash":"0x0{64}"[^{}]*\},"transactions":\[\],"ommers":\[\],"withdrawals":(?:null|\[\])\}/g

/** Where anvil writes the state of a chain: never the file that it starts from, so that a kill leaves that one whole. */
export const dumpFileOf = (stateFile: string): string => `${stateFile}.dump`

/**
 * Makes the newest state that was written whole the one to start from; false: there is none, and the chain begins anew.
 * A state file that cannot be used is moved to `<stateFile>.unusable`.
 */
export function takeUpState(stateFile: string): boolean {
  const dumpFile = dumpFileOf(stateFile)
  const dumped = readUsable(dumpFile)
  const state = dumped ?? readUsable(stateFile)
  if (state === null) {
    if (existsSync(stateFile)) renameSync(stateFile, `${stateFile}.unusable`)
    return false
  }
  const cleaned = withFirstGenesis(state)
  if (dumped !== null || cleaned !== state) {
    const draft = `${stateFile}.draft`
    writeFileSync(draft, cleaned, 'latin1')
    renameSync(draft, stateFile)
  }
  if (dumped !== null) rmSync(dumpFile)
  return true
}

// anvil writes its state in place and beside its mining: a kill leaves half a JSON object, and a dump in the middle of
// the filling has accounts that are ahead of the blocks. So only the state of a finished fill is taken up again.
function readUsable(file: string): string | null {
  const state = readState(file)
  return state?.endsWith('}') && state.includes(marker) ? state : null
}

/** The text of a state file; null: there is none. Tens of megabytes of ASCII, read as what is fastest. */
export function readState(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'latin1') : null
}

/** Unix seconds at which a chain began; null: its state does not say. The text may be cut short. */
export function genesisOf(state: string): number | null {
  return firstGenesis(state)?.timestamp ?? null
}

/**
 * Every start of anvil adds a genesis block of that moment to its state, and any of them may become block 0. The first
 * one stands for all of them then; anvil takes equal blocks as one.
 */
function withFirstGenesis(state: string): string {
  const first = firstGenesis(state)
  return first === null ? state : state.replace(GENESIS_BLOCK, () => first.text)
}

function firstGenesis(state: string): { text: string; timestamp: number } | null {
  const blocks = [...state.matchAll(GENESIS_BLOCK)].map(([text]) => {
    const { header } = JSON.parse(text) as { header: { timestamp: string } }
    return { text, timestamp: Number(header.timestamp) }
  })
  return blocks.sort((a, b) => a.timestamp - b.timestamp)[0] ?? null
}
