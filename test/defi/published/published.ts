import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Abi, Hex } from 'viem'

const require = createRequire(import.meta.url)

export interface Published {
  abi: Abi
  bytecode: Hex
}

/** The ABI and the bytecode that a protocol's npm package ships. */
export function artifact(path: string): Published {
  const { abi, bytecode } = require(path) as { abi: Abi; bytecode: string | { object: string } }
  const code = typeof bytecode === 'string' ? bytecode : bytecode.object
  return { abi, bytecode: code.startsWith('0x') ? (code as Hex) : `0x${code}` }
}

interface Output {
  errors?: { severity: string; formattedMessage: string }[]
  contracts: Record<string, Record<string, { abi: Abi; evm: { bytecode: { object: string } } }>>
}

/**
 * Compiles a contract of an npm package, or of `text`, with the sources that it imports from packages. Compiling takes
 * seconds, so the result is kept in the folder for temporary files.
 */
export function compiled(input: {
  name: string
  /** file of a package; with `text` any name */
  file: string
  text?: string
  /** package of the compiler */
  solc?: string
  runs?: number
  evmVersion?: string
}): Published {
  const { name, file, solc = 'solc', runs = 200, evmVersion = 'paris' } = input
  const text = input.text ?? readFileSync(require.resolve(file), 'utf8')
  const { version } = require(`${solc}/package.json`) as { version: string }
  const settings = {
    optimizer: { enabled: true, runs },
    evmVersion,
    outputSelection: { [file]: { [name]: ['abi', 'evm.bytecode.object'] } },
  }
  const key = createHash('sha256').update(
    JSON.stringify([version, settings, packagesOf(`'${file}' ${text}`), text]),
  )
  const kept = join(tmpdir(), 'sluice-published-contracts', `${name}-${key.digest('hex')}.json`)
  if (existsSync(kept)) return JSON.parse(readFileSync(kept, 'utf8')) as Published
  const compiler = require(solc) as { compile: (input: string, callbacks: object) => string }
  const sources = { [file]: { content: text } }
  const asked = JSON.stringify({ language: 'Solidity', sources, settings })
  const output = JSON.parse(compiler.compile(asked, { import: importOf })) as Output
  const fatal = (output.errors ?? []).filter(({ severity }) => severity === 'error')
  if (fatal.length > 0) throw new Error(fatal.map(({ formattedMessage }) => formattedMessage).join('\n'))
  const { abi, evm } = output.contracts[file]![name]!
  const published: Published = { abi, bytecode: `0x${evm.bytecode.object}` }
  mkdirSync(join(kept, '..'), { recursive: true })
  writeFileSync(`${kept}.${process.pid}`, JSON.stringify(published))
  renameSync(`${kept}.${process.pid}`, kept)
  return published
}

function importOf(path: string): { contents: string } | { error: string } {
  try {
    return { contents: readFileSync(require.resolve(path), 'utf8') }
  } catch (error) {
    return { error: String(error) }
  }
}

/** The versions of the packages that a source imports, so that another version is compiled anew. */
function packagesOf(text: string): string[] {
  const names = [...text.matchAll(/["'](@[^/"']+\/[^/"']+)\//g)].map(([, name]) => name!)
  return [...new Set(names)].map(
    (name) => `${name}@${(require(`${name}/package.json`) as { version: string }).version}`,
  )
}
