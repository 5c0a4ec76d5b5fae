import { createHash } from 'node:crypto'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

export type Compiled = Record<string, { abi: unknown[]; runtime: `0x${string}` }>

const folder = new URL('./contracts/', import.meta.url)
const require = createRequire(import.meta.url)

type SolcOutput = {
  errors?: { severity: string; formattedMessage: string }[]
  contracts: Record<string, Record<string, { abi: unknown[]; evm: { deployedBytecode: { object: string } } }>>
}

/**
 * Compiles contracts/*.sol to ABI and runtime bytecode with the solc package. Throws compiler errors with
 * their text.
 */
export function compileContracts(): Compiled {
  const solc = require('solc') as { compile(input: string): string }
  const files = contractFiles()
  const sources = Object.fromEntries(
    files.map((f) => [f, { content: readFileSync(new URL(f, folder), 'utf8') }]),
  )
  const settings = {
    optimizer: { enabled: true, runs: 200 },
    evmVersion: 'paris',
    metadata: { bytecodeHash: 'none' },
    outputSelection: { '*': { '*': ['abi', 'evm.deployedBytecode.object'] } },
  }
  const output = JSON.parse(
    solc.compile(JSON.stringify({ language: 'Solidity', sources, settings })),
  ) as SolcOutput
  const fatal = (output.errors ?? []).filter((e) => e.severity === 'error')
  if (fatal.length > 0) throw new Error(fatal.map((e) => e.formattedMessage).join('\n'))
  const compiled: Compiled = {}
  for (const file of files) {
    const name = file.replace('.sol', '')
    const contract = output.contracts[file]?.[name]
    if (!contract) throw new Error(`${file} has no contract ${name}`)
    compiled[name] = { abi: contract.abi, runtime: `0x${contract.evm.deployedBytecode.object}` }
  }
  return compiled
}

const contractFiles = () => readdirSync(folder).filter((file) => file.endsWith('.sol'))

/**
 * Hash of the contracts, this file, the version of the compiler and compiled.json. `compiled.sha256` holds
 * the one of the last compilation, because compiling takes seconds.
 */
export function compiledHash(): string {
  const files = [...contractFiles().sort(), 'compiled.json', '../compile.ts']
  const { version } = require('solc/package.json') as { version: string }
  const hash = createHash('sha256').update(version)
  for (const file of files) hash.update(`\0${file}\0`).update(readFileSync(new URL(file, folder)))
  return hash.digest('hex')
}

if (import.meta.main) {
  writeFileSync(new URL('compiled.json', folder), JSON.stringify(compileContracts(), null, 1) + '\n')
  writeFileSync(new URL('compiled.sha256', folder), `${compiledHash()}\n`)
}
