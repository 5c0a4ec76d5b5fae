import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

export type Compiled = Record<string, { abi: unknown[]; runtime: `0x${string}` }>

const folder = new URL('./contracts/', import.meta.url)

type SolcOutput = {
  errors?: { severity: string; formattedMessage: string }[]
  contracts: Record<string, Record<string, { abi: unknown[]; evm: { deployedBytecode: { object: string } } }>>
}

/**
 * Compiles contracts/*.sol to ABI and runtime bytecode with the solc package. Throws compiler errors with
 * their text.
 */
export function compileContracts(): Compiled {
  const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string }
  const files = readdirSync(folder).filter((f) => f.endsWith('.sol'))
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

if (import.meta.main) {
  writeFileSync(new URL('compiled.json', folder), JSON.stringify(compileContracts(), null, 1) + '\n')
}
