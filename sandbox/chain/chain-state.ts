import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { marker } from './actors.ts'

/** A block without a parent, as anvil writes it. */
const GENESIS_BLOCK =
  /\{"header":\{"parentHash":"0x0{64}"[^{}]*\},"transactions":\[\],"ommers":\[\],"withdrawals":(?:null|\[\])\}/g

/**
 * File to which anvil dumps its state. It is not the file it starts from, so a kill leaves that one intact.
 */
export const dumpFileOf = (stateFile: string): string => `${stateFile}.dump`

/**
 * Makes the newest complete state the one to start from. Returns false if there is none, so the chain starts
 * from scratch. Moves an unusable state file to `<stateFile>.unusable`.
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

// anvil writes its state in place while it mines. A kill leaves half a JSON object, and in a dump during the
// fill the accounts are ahead of the blocks. So only the state of a finished fill is usable.
function readUsable(file: string): string | null {
  const state = readState(file)
  return state?.endsWith('}') && state.includes(marker) ? state : null
}

/**
 * The text of a state file; null: no file. Tens of megabytes of ASCII, so it uses latin1, the fastest
 * encoding.
 */
export function readState(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'latin1') : null
}

/** Unix seconds at which a chain began; null: not in its state. The text may be truncated. */
export function genesisOf(state: string): number | null {
  return firstGenesis(state)?.timestamp ?? null
}

/**
 * Every start of anvil adds a genesis block to its state, and any of them may become block 0. So this
 * replaces all of them with the first; anvil treats equal blocks as one.
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
